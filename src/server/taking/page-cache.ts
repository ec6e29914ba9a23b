import type { PackedPage } from '#server/http/packed-page.ts'
import { boundedCache } from '#server/runtime/bounded-cache.ts'

export type CacheFigures = { found: number; made: number; kept: number; bytes: number }

export type PageCache = {
  find: (key: string, make: () => Promise<PackedPage>) => Promise<PackedPage>
  /** A page that is there already. */
  atHand: (key: string) => PackedPage | undefined
  /** How many were found, and made, since the start; what is kept now. */
  figures: () => CacheFigures
}

const LARGEST_TOTAL = 67_108_864

const sizeOf = ({ encodings }: PackedPage): number =>
  encodings.reduce((sum, { bytes }) => sum + bytes.length, 0)

/**
 * Pages that were packed, the least recently asked for dropped first once they weigh more than
 * `largest_total` bytes together. Calls for a page that is being made wait for that one.
 */
export const createPageCache = (largest_total = LARGEST_TOTAL): PageCache => {
  const pages = boundedCache(largest_total, sizeOf)
  const underway = new Map<string, Promise<PackedPage>>()
  let found = 0
  let made = 0

  return {
    figures: () => ({ found, made, kept: pages.size, bytes: pages.calculatedSize }),
    atHand: (key) => pages.get(key),
    find: async (key, make) => {
      const known = pages.get(key) ?? underway.get(key)
      if (known) {
        found++
        return known
      }
      made++
      const making = make()
      underway.set(key, making)
      try {
        const page = await making
        pages.set(key, page)
        return page
      } finally {
        underway.delete(key)
      }
    },
  }
}
