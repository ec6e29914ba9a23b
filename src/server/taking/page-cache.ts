import type { PackedPage } from './packed-page.ts'

type Entry = { page: Promise<PackedPage>; made?: PackedPage; bytes: number }

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
 * `largest_total` bytes together. Everyone who asks while a page is being made waits for that one.
 */
export const createPageCache = (largest_total = LARGEST_TOTAL): PageCache => {
  const pages = new Map<string, Entry>()
  let total = 0
  let found = 0
  let made = 0

  const drop = (key: string): void => {
    total -= pages.get(key)?.bytes ?? 0
    pages.delete(key)
  }

  const weigh = (key: string, entry: Entry, made: PackedPage): void => {
    if (pages.get(key) !== entry) return
    entry.made = made
    entry.bytes = sizeOf(made)
    total += entry.bytes
    for (const oldest of pages.keys()) {
      if (total <= largest_total) return
      drop(oldest)
    }
  }

  /** Makes a page the last asked for. */
  const touch = (key: string): Entry | undefined => {
    const known = pages.get(key)
    if (!known) return undefined
    pages.delete(key)
    pages.set(key, known)
    return known
  }

  return {
    figures: () => ({ found, made, kept: pages.size, bytes: total }),
    atHand: (key) => touch(key)?.made,
    find: async (key, make) => {
      const known = touch(key)
      if (known) {
        found++
        return known.page
      }
      made++
      const entry: Entry = { page: make(), bytes: 0 }
      pages.set(key, entry)
      try {
        const page = await entry.page
        weigh(key, entry, page)
        return page
      } catch (error) {
        if (pages.get(key) === entry) drop(key)
        throw error
      }
    },
  }
}
