import type { PackedPage } from './packed-page.ts'

type Entry = { page: Promise<PackedPage>; bytes: number }

const LARGEST_TOTAL = 67_108_864

const sizeOf = ({ encodings }: PackedPage): number =>
  encodings.reduce((sum, { bytes }) => sum + bytes.length, 0)

/**
 * Pages that were packed, the least recently asked for dropped first once they weigh more than
 * `largest_total` bytes together. Everyone who asks while a page is being made waits for that one.
 */
export const createPageCache = (largest_total = LARGEST_TOTAL) => {
  const pages = new Map<string, Entry>()
  let total = 0

  const drop = (key: string): void => {
    total -= pages.get(key)?.bytes ?? 0
    pages.delete(key)
  }

  const weigh = (key: string, entry: Entry, bytes: number): void => {
    if (pages.get(key) !== entry) return
    entry.bytes = bytes
    total += bytes
    for (const oldest of pages.keys()) {
      if (total <= largest_total) return
      drop(oldest)
    }
  }

  return async (key: string, make: () => Promise<PackedPage>): Promise<PackedPage> => {
    const known = pages.get(key)
    if (known) {
      pages.delete(key)
      pages.set(key, known)
      return known.page
    }
    const entry: Entry = { page: make(), bytes: 0 }
    pages.set(key, entry)
    try {
      const page = await entry.page
      weigh(key, entry, sizeOf(page))
      return page
    } catch (error) {
      if (pages.get(key) === entry) drop(key)
      throw error
    }
  }
}
