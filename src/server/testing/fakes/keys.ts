import type { Clock } from './clock.ts'

/** A key of an account, and what it may do. */
export type Key = { account: string; until: number; can_contacts: boolean }

/** The keys that a fake knows. */
export const createKeys = (clock: Clock) => {
  const keys = new Map<string, Key>()
  return {
    /** Makes a key, or changes what it may do. */
    add: (
      key: string,
      { account = 'compte', life_ms = Number.POSITIVE_INFINITY, can_contacts = true } = {},
    ): void => {
      keys.set(key, { account, until: clock.now() + life_ms, can_contacts })
    },
    remove: (key: string): void => {
      keys.delete(key)
    },
    find: (key: string): Key | undefined => {
      const found = keys.get(key)
      return found && found.until > clock.now() ? found : undefined
    },
  }
}
