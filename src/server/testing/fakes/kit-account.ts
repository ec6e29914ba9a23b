import { normalizeText } from '#domain/common/normalize-text.ts'

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
  /** Maximum length of values; longer values are refused without their key. Null: no limit. */
  max_value_length: number | null
  /** Maximum number of custom fields of the plan. */
  max_fields: number
  /** Behaviour for a person who is already unsubscribed. */
  repeated_unsubscribe: 'accept' | 'refuse'
  calls_per_minute: number
  /** Kinds of groups that the plan of the account lacks. */
  plan_lacks: ('form' | 'sequence')[]
  /** Behaviour for an archived form or sequence. */
  archived_group: 'accept' | 'refuse' | 'miss'
  /** Effect of a form or sequence on a person who unsubscribed. */
  joining: 'keeps state' | 'resubscribes'
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
  sequence_ids: number[]
  /** Time in milliseconds from which lists contain the subscriber. */
  listed_from: number
}

type CustomField = { id: number; name: string; key: string; label: string }
export type KitObject = { id: number; name: string; created_at: string }
/** Form or sequence. Kit mails the people who join a form with a confirmation. */
export type KitGroup = KitObject & { archived: boolean; has_confirmation?: boolean }

/** Account of a creator at Kit. */
export type KitAccount = {
  id: number
  email: string
  subscribers: Map<number, Subscriber>
  fields: Map<number, CustomField>
  tags: Map<number, KitObject>
  forms: Map<number, KitGroup>
  sequences: Map<number, KitGroup>
  /** Addresses of confirmation mails, one for each mail. */
  confirmation_mails: string[]
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
      sequences: new Map(),
      confirmation_mails: [],
      later: [],
    }
    const [form, sequence] = [nextId(), nextId()]
    const created_at = new Date().toISOString()
    made.forms.set(form, { id: form, name: 'Inscription', created_at, archived: false })
    made.sequences.set(sequence, { id: sequence, name: 'Bienvenue', created_at, archived: false })
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
  normalizeText(label, 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
