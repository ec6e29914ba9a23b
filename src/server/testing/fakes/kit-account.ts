/** Settings of the fake Kit: undocumented behaviour, the OAuth application and decisions of the account's owner. */
export type KitSwitches = {
  client_id: string
  client_secret: string
  redirect_uris: string[]
  /** Decision on the consent page. 'ask' shows the page with two links. */
  consent: 'approve' | 'deny' | 'ask'
  /** Name of the account that gives the consent. */
  account: string
  reuse_ends_grant: boolean
  unknown_field: 'ignore' | 'warn' | 'reject'
  repeated_label: 'answer' | 'refuse'
  /** Behaviour for a person who is already unsubscribed. */
  repeated_unsubscribe: 'accept' | 'refuse'
  calls_per_minute: number
}

/** Subscriber in an account at Kit. */
export type Subscriber = {
  id: number
  first_name: string | null
  email_address: string
  state: string
  created_at: string
  fields: Record<string, string>
  tag_ids: number[]
  form_ids: number[]
  /** Time in milliseconds from which lists contain the subscriber. */
  listed_from: number
}

type CustomField = { id: number; name: string; key: string; label: string }
export type Named = { id: number; name: string; created_at: string }

/** Account of a creator at Kit. */
export type KitAccount = {
  id: number
  email: string
  subscribers: Map<number, Subscriber>
  fields: Map<number, CustomField>
  tags: Map<number, Named>
  forms: Map<number, Named>
  /** Writes of more than ten fields, which Kit applies some seconds later. */
  later: { at: number; apply: () => void }[]
}

/** Creates the accounts of a fake Kit. An account is added at first use. */
export const createKitAccounts = () => {
  const accounts = new Map<string, KitAccount>()
  let lastId = 1000
  const nextId = (): number => {
    lastId += 1
    return lastId
  }
  const find = (name: string): KitAccount => {
    const known = accounts.get(name)
    if (known) return known
    const made: KitAccount = {
      id: nextId(),
      email: `${name}@kit.test`,
      subscribers: new Map(),
      fields: new Map(),
      tags: new Map(),
      forms: new Map(),
      later: [],
    }
    const form = nextId()
    made.forms.set(form, { id: form, name: 'Inscription', created_at: new Date().toISOString() })
    accounts.set(name, made)
    return made
  }
  return { accounts, find, nextId }
}

export const findByEmail = ({ subscribers }: KitAccount, email: string): Subscriber | undefined =>
  [...subscribers.values()].find(
    ({ email_address }) => email_address.toLowerCase() === email.toLowerCase(),
  )

/** Returns the key that Kit derives from a label: ASCII, lower case, underscores. */
export const keyOf = (label: string): string =>
  label
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
