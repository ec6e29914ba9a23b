import type { Clock } from './clock.ts'

/** Accounts by name. `find` creates an account if it is unknown. */
export type Accounts<Account> = { all: Map<string, Account>; find: (name: string) => Account }

/** Creates the accounts of a vendor, which `make` fills at first use. */
export const createAccounts = <Account>(make: () => Account): Accounts<Account> => {
  const all = new Map<string, Account>()
  const find = (name: string): Account => {
    const known = all.get(name)
    if (known) return known
    const made = make()
    all.set(name, made)
    return made
  }
  return { all, find }
}

/** API key with its account, end (milliseconds) and permission. */
export type Key = { account: string; until: number; can_contacts: boolean }

/** Creates the API keys of a fake. */
export const createKeys = (clock: Clock) => {
  const keys = new Map<string, Key>()
  const families: string[] = []
  const findFamilyKey = (key: string): Key | undefined =>
    families.some((prefix) => key.startsWith(prefix))
      ? { account: key, until: Number.POSITIVE_INFINITY, can_contacts: true }
      : undefined
  return {
    /** Adds a key, or replaces its account, lifetime and permission. */
    add: (
      key: string,
      { account = 'compte', life_ms = Number.POSITIVE_INFINITY, can_contacts = true } = {},
    ): void => {
      keys.set(key, { account, until: clock.now() + life_ms, can_contacts })
    },
    remove: (key: string): void => {
      keys.delete(key)
    },
    /** Accepts every key that starts with `first` and a hyphen. Each such key opens an account of its own. */
    addFamily: (first: string): void => {
      families.push(`${first}-`)
    },
    find: (key: string): Key | undefined => {
      const found = keys.get(key) ?? findFamilyKey(key)
      return found && found.until > clock.now() ? found : undefined
    },
  }
}
