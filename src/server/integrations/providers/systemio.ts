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
import { type OutboundReply, send } from './outbound.ts'
import type { Contact, DeliveryOutcome, Failure, Provider, Provisioned } from './provider.ts'
import { findOrMakeTag, type SystemioCall } from './systemio-tags.ts'

const LONGEST_VALUE = 255
const LONGEST_SLUG = 60

/** A slug of a name: letters without accents, digits and underscores. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, LONGEST_SLUG) || 'resultat_quiz'

/** Whether a refusal names this part; its words depend on the language of the account. */
const refuses = ({ json }: OutboundReply, part: string): boolean =>
  (listField(json, 'violations') ?? []).some((violation) =>
    (textField(violation, 'propertyPath') ?? '').startsWith(part),
  )

/** Systeme.io: an address that is known is refused, so it is then looked up and changed. */
export const createSystemio = ({ api_url }: { api_url: string }): Provider => {
  /** 400, 404 and 422 are answers too: what they mean depends on what was asked. */
  const call: SystemioCall = async (secret, method, path, json) => {
    const type = method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }
    const headers = { 'x-api-key': secret, ...type }
    const reply = await send({ base: api_url, method, path: `/api${path}`, headers, json })
    if (reply.kind !== 'reply') return reply
    const { status } = reply
    if ((status >= 200 && status < 300) || [400, 404, 422].includes(status)) return reply
    const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
    // Without any header the mistake would be ours; the tool says so in the same status.
    if (status === 401) return credential('invalid_key')
    return failureOf(reply, Number.isFinite(seconds) ? seconds * 1000 : undefined)
  }
  const listSlugs = async (secret: string): Promise<Set<string> | Failure> => {
    const reply = await call(secret, 'GET', '/contact_fields')
    if (reply.kind !== 'reply') return reply
    const items = listField(reply.json, 'items')
    if (reply.status !== 200 || !items) return unknown('no_fields')
    return new Set(items.map((item) => textField(item, 'slug') ?? ''))
  }

  /** The person, made or changed; what is known of them. */
  const putContact = async (secret: string, contact: Contact): Promise<OutboundReply | Failure> => {
    const fields = fieldsOf(contact)
    const made = await call(secret, 'POST', '/contacts', {
      email: contact.email,
      locale: 'fr',
      ...fields,
    })
    if (made.kind !== 'reply' || made.status === 201) return made
    if (made.status === 422 && refuses(made, 'fields')) return missing('field_missing')
    if (made.status !== 422 || !refuses(made, 'email')) return refusalOf(made)
    const query = `?email=${encodeURIComponent(contact.email)}&limit=10`
    const found = await call(secret, 'GET', `/contacts${query}`)
    if (found.kind !== 'reply') return found
    if (found.status !== 200) return unknown(`http_${found.status}`)
    const same = (listField(found.json, 'items') ?? []).find(
      (item) => textField(item, 'email')?.toLowerCase() === contact.email.toLowerCase(),
    )
    const id = idField(same)
    // Neither new nor there: the address itself is what was refused.
    if (id === undefined) return permanent('invalid_email')
    if (!fields.fields) return { ...found, json: same }
    const changed = await call(secret, 'PATCH', `/contacts/${id}`, fields)
    if (changed.kind !== 'reply' || changed.status === 200) return changed
    if (changed.status === 404) return { kind: 'transient', code: 'gone', pauses_connection: false }
    return changed.status === 422 && refuses(changed, 'fields')
      ? missing('field_missing')
      : refusalOf(changed)
  }

  const giveTag = async (
    secret: string,
    contact_id: string,
    tag: string,
  ): Promise<'done' | 'refused' | Failure> => {
    const found = await findOrMakeTag(call, secret, tag)
    if (typeof found !== 'number') return found
    const path = `/contacts/${contact_id}/tags`
    const reply = await call(secret, 'POST', path, { tagId: found })
    if (reply.kind !== 'reply') return reply
    if (reply.status === 204 || reply.status === 201 || reply.status === 200) return 'done'
    if (reply.status === 404) return missing('tag_missing')
    // Given already, perhaps: the contact itself says.
    const contact = await call(secret, 'GET', `/contacts/${contact_id}`)
    if (contact.kind !== 'reply') return contact
    const tags = listField(contact.json, 'tags') ?? []
    return tags.some((known) => fieldOf(known, 'id') === found) ? 'done' : 'refused'
  }

  return {
    name: 'systemio',

    check: async (secret) => {
      const reply = await call(secret, 'GET', '/tags?limit=10')
      if (reply.kind !== 'reply') return reply
      if (reply.status !== 200 || !listField(reply.json, 'items')) return unknown('no_tags')
      return { kind: 'valid', vendor_account_id: null, vendor_email: null }
    },

    provision: async ({ secret }, { field_name }): Promise<Provisioned | Failure> => {
      const slug = slugOf(field_name)
      const before = await listSlugs(secret)
      if (!(before instanceof Set)) return before
      if (before.has(slug)) return { kind: 'provisioned', field_key: slug }
      const made = await call(secret, 'POST', '/contact_fields', { fieldName: field_name, slug })
      if (made.kind !== 'reply') return made
      if (made.status === 201) return { kind: 'provisioned', field_key: slug }
      // Another process may have made it in between.
      const now = await listSlugs(secret)
      if (!(now instanceof Set)) return now
      return now.has(slug) ? { kind: 'provisioned', field_key: slug } : permanent('field_refused')
    },

    deliver: async ({ secret }, contact, done): Promise<DeliveryOutcome> => {
      let steps: Steps = done
      if (!steps.has_contact || !steps.vendor_contact_id) {
        const reply = await putContact(secret, contact)
        if (reply.kind !== 'reply') return { ...reply, steps }
        const id = idField(reply.json)
        if (id === undefined) return { ...unknown('no_contact'), steps }
        // A slug that is not there may be passed over in silence: the answer shows it.
        if (isLost(contact, reply.json)) return { ...missing('field_missing'), steps }
        steps = { ...steps, has_contact: true, vendor_contact_id: id }
        for (const reason of ['unsubscribed', 'bounced'] as const)
          if (fieldOf(reply.json, reason) === true) return { kind: 'suppressed', reason, steps }
      }
      const id = steps.vendor_contact_id ?? ''
      if (contact.tag === null || steps.has_tag)
        return { kind: 'delivered', vendor_contact_id: id, steps }
      const tagged = await giveTag(secret, id, contact.tag)
      // Plans cap the number of tags, and that must not cost a participant.
      if (tagged === 'refused')
        return { kind: 'delivered', vendor_contact_id: id, warning: 'tag_refused', steps }
      if (tagged !== 'done') return { ...tagged, steps }
      return { kind: 'delivered', vendor_contact_id: id, steps: { ...steps, has_tag: true } }
    },
  }
}

const fieldsOf = ({ result_name, field_key }: Contact): { fields?: object[] } =>
  result_name === null || field_key === null
    ? {}
    : { fields: [{ slug: field_key, value: result_name.slice(0, LONGEST_VALUE) }] }

const isLost = ({ result_name, field_key }: Contact, json: unknown): boolean => {
  const fields = listField(json, 'fields')
  if (result_name === null || field_key === null || !fields) return false
  return !fields.some((field) => textField(field, 'slug') === field_key)
}

const refusalOf = ({ status, json }: OutboundReply): Failure =>
  (status === 400 || status === 422) && textField(json, 'detail')
    ? permanent('refused')
    : unknown(`http_${status}`)
