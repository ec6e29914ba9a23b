import { cutText } from '#domain/cut-text.ts'
import { CONTACT_ID, TAG_ID } from './ask.ts'
import type { Contact, ToolRequest } from './provider.ts'

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
export const findContact = (email: string): ToolRequest => ({
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
