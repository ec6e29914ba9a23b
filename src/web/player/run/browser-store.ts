/** A store of JSON values in the visitor's browser. */
export type BrowserStore = {
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** Returns the keys with this prefix. */
  keys: (start: string) => string[]
}

/**
 * Creates a store on `localStorage` or `sessionStorage`. When the storage is disabled or full, nothing is stored
 * beyond this page, a warning is logged, and the run continues.
 */
export const createBrowserStore = (storage: () => Storage): BrowserStore => {
  const attempt = <T>(act: (kept: Storage) => T, otherwise: T): T => {
    try {
      return act(storage())
    } catch (error) {
      console.warn(error)
      return otherwise
    }
  }
  return {
    read: (key) => attempt((kept): unknown => JSON.parse(String(kept.getItem(key))), null),
    write: (key, value) => attempt((kept) => kept.setItem(key, JSON.stringify(value)), undefined),
    remove: (key) => attempt((kept) => kept.removeItem(key), undefined),
    keys: (start) =>
      attempt((kept) => Object.keys(kept).filter((key) => key.startsWith(start)), []),
  }
}
