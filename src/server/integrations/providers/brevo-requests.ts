import type { Contact, ToolRequest } from './provider.ts'

const MOST_TEXT = 2_000

/** Makes or changes a person, by address. */
export const putContact = ({ email, fields }: Contact): ToolRequest => ({
  method: 'POST',
  path: '/contacts',
  json: {
    email,
    updateEnabled: true,
    ...(fields.length > 0 && {
      attributes: Object.fromEntries(
        fields.map(({ key, value }) => [key, value.slice(0, MOST_TEXT)]),
      ),
    }),
  },
})

/** The calls that bring a contact to Brevo. */
export const brevoRequestsOf = (contact: Contact): ToolRequest[] => [putContact(contact)]
