import type { BrowserStore } from '#web/player/run/browser-store.ts'

/** Browser storage in memory, for one test. */
export const createMemoryStore = (): BrowserStore => {
  const entries = new Map<string, string>()
  return {
    read: (key) => JSON.parse(entries.get(key) ?? 'null'),
    write: (key, value) => void entries.set(key, JSON.stringify(value)),
    remove: (key) => void entries.delete(key),
    keys: (start) => [...entries.keys()].filter((key) => key.startsWith(start)),
  }
}
