/** A store of JSON values in the visitor's browser. */
export type BrowserStore = {
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** Returns the keys with a prefix. */
  keys: (prefix: string) => string[]
}

/**
 * Creates a store on `localStorage` or `sessionStorage`. When the storage is disabled or full, nothing is stored
 * beyond this page, a warning is logged, and the run continues.
 */
export const createBrowserStore = (openStorage: () => Storage): BrowserStore => {
  const attempt = <T>(act: (storage: Storage) => T, fallback: T): T => {
    try {
      return act(openStorage())
    } catch (error) {
      console.warn(error)
      return fallback
    }
  }
  return {
    read: (key) => attempt((storage): unknown => JSON.parse(String(storage.getItem(key))), null),
    write: (key, value) =>
      attempt((storage) => storage.setItem(key, JSON.stringify(value)), undefined),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
    keys: (prefix) =>
      attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix)), []),
  }
}
