/** What the visitor's browser keeps for us, as far as it lets us. */
export type BrowserStore = {
  read: (key: string) => unknown
  write: (key: string, value: unknown) => void
  remove: (key: string) => void
  /** The keys that begin so. */
  keys: (start: string) => string[]
}

/**
 * A store of JSON values on `localStorage` or `sessionStorage`. Visitors may have turned it off or filled it:
 * then nothing is kept beyond this page, which is said once in the console, and the run goes on.
 */
export const createBrowserStore = (storage: () => Storage): BrowserStore => {
  let isReported = false
  const attempt = <T>(act: (kept: Storage) => T, otherwise: T): T => {
    try {
      return act(storage())
    } catch (error) {
      if (!isReported) console.warn('Nothing is kept here', error)
      isReported = true
      return otherwise
    }
  }
  return {
    read: (key) => attempt((kept): unknown => JSON.parse(kept.getItem(key) ?? 'null'), null),
    write: (key, value) => attempt((kept) => kept.setItem(key, JSON.stringify(value)), undefined),
    remove: (key) => attempt((kept) => kept.removeItem(key), undefined),
    keys: (start) =>
      attempt((kept) => Object.keys(kept).filter((key) => key.startsWith(start)), []),
  }
}
