import { isSameEmail } from '#domain/common/addresses.ts'
import { cutText } from '#domain/common/text.ts'
import type { ErasureKind } from '#domain/deliveries/erasures.ts'
import type { Contact, ErasureOutcome, Failure, KnownPerson, ToolRequest } from './provider.ts'
import {
  type CallProvider,
  CONTACT_ID,
  erased,
  idField,
  listField,
  type OutboundReply,
  permanent,
  TAG_ID,
  textField,
  unknown,
} from './provider-requests.ts'

const LONGEST_VALUE = 255
const LONGEST_TAG = 64

/** A tag as its name can be there. */
export const tagNameOf = (name: string): string => cutText(name, LONGEST_TAG).trim()

const fieldsOf = ({ fields }: Contact): object => ({
  ...(fields.length > 0 && {
    fields: fields.map(({ key, value }) => ({ slug: key, value: cutText(value, LONGEST_VALUE) })),
  }),
})

/** Makes a person; an address that is known is refused. */
export const makeContact = (contact: Contact): ToolRequest => ({
  method: 'POST',
  path: '/contacts',
  json: { email: contact.email, locale: 'fr', ...fieldsOf(contact) },
})
const findContact = (email: string): ToolRequest => ({
  method: 'GET',
  path: `/contacts?email=${encodeURIComponent(email)}&limit=10`,
})
/** Changes a person who is known. */
export const changeContact = (contact_id: string, contact: Contact): ToolRequest => ({
  method: 'PATCH',
  path: `/contacts/${contact_id}`,
  json: fieldsOf(contact),
})
/** A page of the tags whose name begins so, after the one of a number; of all where no name is given. */
export const findTags = (name: string, after?: number): ToolRequest => {
  const query = name === '' ? '' : `query=${encodeURIComponent(tagNameOf(name))}&`
  const from = after === undefined ? '' : `&startingAfter=${after}`
  return { method: 'GET', path: `/tags?${query}limit=100${from}` }
}
export const makeTag = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/tags',
  json: { name: tagNameOf(name) },
})
export const giveTag = (tag_id: string, contact_id: string): ToolRequest => ({
  method: 'POST',
  path: `/contacts/${contact_id}/tags`,
  // A number there; a text stands for one that is not known yet.
  json: { tagId: tag_id === TAG_ID ? TAG_ID : Number(tag_id) },
})

/** The calls that bring a contact to Systeme.io who is not there yet. */
export const systemioRequestsOf = (contact: Contact): ToolRequest[] => [
  makeContact(contact),
  ...contact.labels.flatMap(({ name, vendor_id }) =>
    vendor_id === null
      ? [findTags(name), makeTag(name), giveTag(TAG_ID, CONTACT_ID)]
      : [giveTag(vendor_id, CONTACT_ID)],
  ),
]

/** The person with this address; without JSON where there is none. */
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

/** Deletes a person at Systeme.io: by its id, or by the address where the id is not known (any more). */
export const eraseAtSystemio = async (
  ask: CallProvider,
  { email, vendor_contact_id }: KnownPerson,
  kind: ErasureKind,
): Promise<ErasureOutcome> => {
  // What may be changed of a contact does not include whether they are unsubscribed.
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
