import type { Steps } from '#server/db/outbox-tables.ts'
import {
  credential,
  failureOf,
  fieldOf,
  idField,
  listField,
  missing,
  permanent,
  textField,
  unknown,
} from './failures.ts'
import { type OutboundReply, type OutboundRequest, send } from './outbound.ts'
import type { Contact, DeliveryOutcome, Failure, Provider, Provisioned } from './provider.ts'

const FIRST_WAIT_MS = 5_000
const MOST_PAGES = 20
/** Unsubscribed people are left as they are, which is no failure. */
const SUPPRESSED = ['cancelled', 'bounced', 'complained'] as const

type Field = { key: string; label: string }

/** Kit v4: people are made or changed by address, and the result is the value of a custom field. */
export const createConvertkit = ({ api_url }: { api_url: string }): Provider => {
  /** 400, 404 and 422 are answers too: what they mean depends on what was asked. */
  const call = async (
    secret: string,
    method: OutboundRequest['method'],
    path: string,
    json?: unknown,
  ): Promise<OutboundReply | Failure> => {
    const headers = { authorization: `Bearer ${secret}` }
    const reply = await send({ base: api_url, method, path, headers, json })
    if (reply.kind !== 'reply') return reply
    const { status } = reply
    if ((status >= 200 && status < 300) || [400, 404, 422].includes(status)) return reply
    // Whether a 401 can be mended is known once a refresh was tried.
    return status === 401 ? credential('reconnect') : failureOf(reply, FIRST_WAIT_MS)
  }
  const listFields = async (secret: string): Promise<Field[] | Failure> => {
    const fields: Field[] = []
    let after = ''
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const reply = await call(secret, 'GET', `/custom_fields?per_page=500${after}`)
      if (reply.kind !== 'reply') return reply
      const found = listField(reply.json, 'custom_fields')
      if (reply.status !== 200 || !found) return unknown('no_fields')
      for (const field of found)
        fields.push({ key: textField(field, 'key') ?? '', label: textField(field, 'label') ?? '' })
      const pagination = fieldOf(reply.json, 'pagination')
      const cursor = textField(pagination, 'end_cursor')
      if (fieldOf(pagination, 'has_next_page') !== true || !cursor) return fields
      after = `&after=${encodeURIComponent(cursor)}`
    }
    return fields
  }
  const findField = (fields: readonly Field[], name: string): Provisioned | undefined => {
    const field =
      fields.find(({ label }) => label === name) ??
      fields.find(({ label }) => label.toLowerCase() === name.toLowerCase()) ??
      fields.find(({ key }) => key === name)
    return field && field.key !== '' ? { kind: 'provisioned', field_key: field.key } : undefined
  }

  const giveTag = async (
    secret: string,
    subscriber_id: string,
    name: string,
  ): Promise<'done' | 'refused' | Failure> => {
    const tag = await call(secret, 'POST', '/tags', { name })
    if (tag.kind !== 'reply') return tag
    const id = idField(fieldOf(tag.json, 'tag'))
    if (tag.status === 422) return 'refused'
    if (id === undefined) return unknown('no_tag')
    const path = `/tags/${encodeURIComponent(id)}/subscribers/${encodeURIComponent(subscriber_id)}`
    const given = await call(secret, 'POST', path, {})
    if (given.kind !== 'reply') return given
    if (given.status === 404) return missing('tag_missing')
    return given.status < 300 ? 'done' : 'refused'
  }

  return {
    name: 'convertkit',

    check: async (secret) => {
      const reply = await call(secret, 'GET', '/account')
      if (reply.kind !== 'reply') return reply
      const account = fieldOf(reply.json, 'account')
      const id = idField(account)
      if (reply.status !== 200 || id === undefined) return unknown('no_account')
      const vendor_email =
        textField(account, 'primary_email_address') ??
        textField(fieldOf(reply.json, 'user'), 'email') ??
        null
      return { kind: 'valid', vendor_account_id: id, vendor_email }
    },

    provision: async ({ secret }, { field_name }): Promise<Provisioned | Failure> => {
      const before = await listFields(secret)
      if (!Array.isArray(before)) return before
      const known = findField(before, field_name)
      if (known) return known
      const made = await call(secret, 'POST', '/custom_fields', { label: field_name })
      if (made.kind !== 'reply') return made
      const key = textField(fieldOf(made.json, 'custom_field'), 'key')
      if (made.status < 300 && key) return { kind: 'provisioned', field_key: key }
      // Another process may have made it in between.
      const now = await listFields(secret)
      if (!Array.isArray(now)) return now
      return findField(now, field_name) ?? permanent('field_refused')
    },

    deliver: async ({ secret }, contact, done): Promise<DeliveryOutcome> => {
      let steps: Steps = done
      if (!steps.has_contact || !steps.vendor_contact_id) {
        const reply = await call(secret, 'POST', '/subscribers', bodyOf(contact))
        if (reply.kind !== 'reply') return { ...reply, steps }
        const subscriber = fieldOf(reply.json, 'subscriber')
        const id = idField(subscriber)
        if (reply.status >= 300) return { ...refusalOf(contact, reply), steps }
        if (id === undefined) return { ...unknown('no_subscriber'), steps }
        if (isLost(contact, reply, subscriber)) return { ...missing('field_missing'), steps }
        steps = { ...steps, has_contact: true, vendor_contact_id: id }
        const state = textField(subscriber, 'state')
        const reason = SUPPRESSED.find((word) => word === state)
        if (reason) return { kind: 'suppressed', reason, steps }
      }
      const id = steps.vendor_contact_id ?? ''
      if (contact.tag === null || steps.has_tag)
        return { kind: 'delivered', vendor_contact_id: id, steps }
      const tagged = await giveTag(secret, id, contact.tag)
      if (tagged === 'refused')
        return { kind: 'delivered', vendor_contact_id: id, warning: 'tag_refused', steps }
      if (tagged !== 'done') return { ...tagged, steps }
      return { kind: 'delivered', vendor_contact_id: id, steps: { ...steps, has_tag: true } }
    },
  }
}

const bodyOf = ({ email, result_name, field_key }: Contact): object => ({
  email_address: email,
  ...(result_name !== null && field_key !== null && { fields: { [field_key]: result_name } }),
})

const sentKey = ({ result_name, field_key }: Contact): string | null =>
  result_name === null ? null : field_key

/** A success that has dropped the value: it says so, or the value is not in what it shows. */
const isLost = (
  contact: Contact,
  { status, json }: OutboundReply,
  subscriber: unknown,
): boolean => {
  const key = sentKey(contact)
  if (key === null) return false
  if ((listField(json, 'warnings') ?? []).length > 0) return true
  // More than ten fields are written later; ours is one.
  return status !== 202 && fieldOf(fieldOf(subscriber, 'fields'), key) === undefined
}

const refusalOf = (contact: Contact, { status, json }: OutboundReply): Failure => {
  const said = (listField(json, 'errors') ?? []).flat().join(' ')
  const key = sentKey(contact)
  if (status === 422 && key !== null && (said.includes(key) || /field/i.test(said)))
    return missing('field_missing')
  if (status === 422 && /email/i.test(said)) return permanent('invalid_email')
  return status === 422 ? permanent('refused') : unknown(`http_${status}`)
}
