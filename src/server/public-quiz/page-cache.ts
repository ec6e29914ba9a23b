import type { CompressedPage } from '#server/http/pages/html-page.ts'
import { createLruCache } from '#server/runtime/caches.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { createSharedWork } from '#server/runtime/shared-work.ts'

/** Numbers of hits and misses of a cache of pages, and its size. */
export type CacheFigures = { found: number; made: number; nb_entries: number; bytes: number }

/** Cache of compressed pages. */
type PageCache = {
  /** Returns a cached page, or makes it. The making ends if all callers leave. */
  find: (
    turn: { key: string; signal?: AbortSignal | undefined },
    make: (signal: AbortSignal) => Promise<CompressedPage>,
  ) => Promise<CompressedPage>
  /** Returns a cached page. */
  getCached: (key: string) => CompressedPage | undefined
  /** Returns the numbers since the start, and the current size. */
  figures: () => CacheFigures
}

const MAX_TOTAL_BYTES = 67_108_864

const sizeOf = ({ encodings }: CompressedPage): number =>
  encodings.reduce((sum, { bytes }) => sum + bytes.length, 0)

/**
 * Creates a cache of compressed pages that evicts the least recently used above `max_total_bytes`. Concurrent
 * calls for a missing page wait for the same rendering.
 */
export const createPageCache = (max_total_bytes = MAX_TOTAL_BYTES): PageCache => {
  const pages = createLruCache(max_total_bytes, sizeOf)
  const share = createSharedWork<CompressedPage>()
  let found = 0
  let made = 0

  return {
    figures: () => ({ found, made, nb_entries: pages.size, bytes: pages.calculatedSize }),
    getCached: (key) => pages.get(key),
    find: async ({ key, signal }, make) => {
      const known = pages.get(key)
      if (known) {
        found++
        return known
      }
      let is_maker = false
      const page = await share({ key, signal }, async (shared) => {
        is_maker = true
        made++
        const made_page = await make(shared)
        pages.set(key, made_page)
        return made_page
      })
      if (!is_maker) found++
      return page
    },
  }
}

/** Creates the metrics of the page cache, which are 0 without pages. */
export const createPageCacheMetrics = (
  pages: Pick<PageCache, 'figures'> | undefined,
): MetricSource[] => {
  const readFigures = () => pages?.figures() ?? { found: 0, made: 0, nb_entries: 0, bytes: 0 }
  return [
    {
      name: 'page_cache_requests_total',
      type: 'counter',
      help: 'Public pages that were in memory or had to be made',
      labels: ['outcome'],
      read: () => [
        { labels: { outcome: 'found' }, value: readFigures().found },
        { labels: { outcome: 'made' }, value: readFigures().made },
      ],
    },
    {
      name: 'page_cache_pages',
      type: 'gauge',
      help: 'Public pages in memory',
      read: () => [{ value: readFigures().nb_entries }],
    },
    {
      name: 'page_cache_bytes',
      type: 'gauge',
      help: 'Bytes of public pages in memory',
      read: () => [{ value: readFigures().bytes }],
    },
  ]
}
