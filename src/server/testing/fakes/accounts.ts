export type Accounts<Account> = { all: Map<string, Account>; find: (name: string) => Account }

/** Accounts of a vendor by their name, made when they are first asked for. */
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
