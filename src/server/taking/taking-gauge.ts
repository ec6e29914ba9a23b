import type { Family } from '#server/http/exposition.ts'
import type { PublicPages } from './public-pages.ts'

/** Responses stored, and the page cache. */
export const takingGauge =
  ({ pages, nbStored }: { pages: Pick<PublicPages, 'figures'> | null; nbStored: () => number }) =>
  (): Family[] => {
    const { found, made, kept, bytes } = pages?.figures() ?? {
      found: 0,
      made: 0,
      kept: 0,
      bytes: 0,
    }
    return [
      { name: 'responses_stored_total', type: 'counter', samples: [{ value: nbStored() }] },
      {
        name: 'page_cache_requests_total',
        type: 'counter',
        samples: [
          { labels: { outcome: 'found' }, value: found },
          { labels: { outcome: 'made' }, value: made },
        ],
      },
      { name: 'page_cache_pages', type: 'gauge', samples: [{ value: kept }] },
      { name: 'page_cache_bytes', type: 'gauge', samples: [{ value: bytes }] },
    ]
  }
