import { CONTACT_ID, TAG_ID } from './ask.ts'
import type { Contact, ToolRequest } from './provider.ts'

/** Makes or changes a person, by address. */
export const putSubscriber = ({ email, fields }: Contact): ToolRequest => ({
  method: 'POST',
  path: '/subscribers',
  json: {
    email_address: email,
    ...(fields.length > 0 && {
      fields: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    }),
  },
})

/** Finds or makes a tag: one of the name, whatever its case, is given back. */
export const makeTag = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/tags',
  json: { name },
})

/** Gives a tag to a person. */
export const giveTag = (tag_id: string, subscriber_id: string): ToolRequest => ({
  method: 'POST',
  path: `/tags/${encodeURIComponent(tag_id)}/subscribers/${encodeURIComponent(subscriber_id)}`,
  json: {},
})

/** The calls that bring a contact to Kit. */
export const kitRequestsOf = (contact: Contact): ToolRequest[] => [
  putSubscriber(contact),
  ...contact.labels.flatMap(({ name, vendor_id }) =>
    vendor_id === null
      ? [makeTag(name), giveTag(TAG_ID, CONTACT_ID)]
      : [giveTag(vendor_id, CONTACT_ID)],
  ),
]
