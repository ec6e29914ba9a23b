import { isSameEmail } from '#domain/common/addresses.ts'
import { cutText } from '#domain/common/text.ts'
import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { OutboundField } from './contact-fields.ts'
import type {
  ErasureOutcome,
  Failure,
  KnownPerson,
  OutboundReply,
  ToolRequest,
} from './provider.ts'
import {
  type CallProvider,
  erased,
  idField,
  listField,
  numericId,
  permanent,
  textField,
  unknown,
} from './provider-requests.ts'

const MAX_VALUE_LENGTH = 255
const MAX_TAG_LENGTH = 64

/** Returns a tag name cut to the maximum length at Systeme.io. */
export const tagNameOf = (name: string): string => cutText(name, MAX_TAG_LENGTH).trim()

const fieldsOf = (fields: readonly OutboundField[]): object => ({
  ...(fields.length > 0 && {
    fields: fields.map(({ key, value }) => ({
      slug: key,
      value: cutText(String(value), MAX_VALUE_LENGTH),
    })),
  }),
})

/** Creates a contact. Systeme.io refuses an existing address. */
export const makeContact = (email: string, fields: readonly OutboundField[]): ToolRequest => ({
  method: 'POST',
  path: '/contacts',
  json: { email, locale: 'fr', ...fieldsOf(fields) },
})
const findContact = (email: string): ToolRequest => ({
  method: 'GET',
  path: `/contacts?email=${encodeURIComponent(email)}&limit=10`,
})
/** Updates an existing contact. */
export const changeContact = (
  contact_id: string,
  fields: readonly OutboundField[],
): ToolRequest => ({
  method: 'PATCH',
  path: `/contacts/${contact_id}`,
  json: fieldsOf(fields),
})
/** Lists a page of the tags whose name starts with a text, after a tag id. Lists all tags if the text is empty. */
export const findTags = (name: string, after?: number): ToolRequest => {
  const query = name === '' ? '' : `query=${encodeURIComponent(tagNameOf(name))}&`
  const from = after === undefined ? '' : `&startingAfter=${after}`
  return { method: 'GET', path: `/tags?${query}limit=100${from}` }
}
/** Creates a tag. */
export const makeTag = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/tags',
  json: { name: tagNameOf(name) },
})
/** Assigns a tag to a contact. */
export const giveTag = (tag_id: string, contact_id: string): ToolRequest => ({
  method: 'POST',
  path: `/contacts/${contact_id}/tags`,
  json: { tagId: numericId(tag_id) },
})

/** Finds the contact with this address; the reply has no JSON if there is none. */
export const findByAddress = async (
  ask: CallProvider,
  email: string,
): Promise<OutboundReply | Failure> => {
  const found = await ask(findContact(email))
  if (found.kind !== 'reply') return found
  if (found.status !== 200) return unknown(`http_${found.status}`)
  const json = (listField(found.json, 'items') ?? []).find((item) =>
    isSameEmail(textField(item, 'email') ?? '', email),
  )
  return { ...found, json }
}

const deleteById = async (
  ask: CallProvider,
  id: string,
): Promise<ErasureOutcome | 'unknown_id'> => {
  const reply = await ask({ method: 'DELETE', path: `/contacts/${encodeURIComponent(id)}` })
  if (reply.kind !== 'reply') return reply
  const { status } = reply
  if (status < 300) return erased('deleted')
  if (status === 404) return 'unknown_id'
  return status === 400 || status === 422 ? permanent('refused') : unknown(`http_${status}`)
}

/** Deletes a person at Systeme.io by id, or by address if the id is unknown or gone. */
export const eraseAtSystemio = async (
  ask: CallProvider,
  { email, vendor_contact_id }: KnownPerson,
  kind: ErasureKind,
): Promise<ErasureOutcome> => {
  // Systeme.io has no call to unsubscribe a contact.
  if (kind !== 'delete') return permanent('not_offered')
  if (vendor_contact_id !== null) {
    const outcome = await deleteById(ask, vendor_contact_id)
    if (outcome !== 'unknown_id') return outcome
  }
  const found = await findByAddress(ask, email)
  if (found.kind !== 'reply') return found
  const id = idField(found.json)
  const outcome = id === undefined ? 'unknown_id' : await deleteById(ask, id)
  return outcome === 'unknown_id' ? erased('already_gone') : outcome
}
