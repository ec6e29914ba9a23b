import type { Clock } from './clock.ts'

export type Accounts<Account> = { all: Map<string, Account>; find: (name: string) => Account }

/** Accounts of a vendor by name, created at first use. */
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

/** Key of an account with its permissions. */
export type Key = { account: string; until: number; can_contacts: boolean }

/** The keys that a fake knows. */
export const createKeys = (clock: Clock) => {
  const keys = new Map<string, Key>()
  const families: string[] = []
  const memberOf = (key: string): Key | undefined =>
    families.some((prefix) => key.startsWith(prefix))
      ? { account: key, until: Number.POSITIVE_INFINITY, can_contacts: true }
      : undefined
  return {
    /** Creates a key or changes its permissions. */
    add: (
      key: string,
      { account = 'compte', life_ms = Number.POSITIVE_INFINITY, can_contacts = true } = {},
    ): void => {
      keys.set(key, { account, until: clock.now() + life_ms, can_contacts })
    },
    remove: (key: string): void => {
      keys.delete(key)
    },
    /** A key with the prefix `first` and a hyphen opens a separate account with separate limits. */
    addFamily: (first: string): void => {
      families.push(`${first}-`)
    },
    find: (key: string): Key | undefined => {
      const found = keys.get(key) ?? memberOf(key)
      return found && found.until > clock.now() ? found : undefined
    },
  }
}
