import { cutText } from '#domain/cut-text.ts'
import type { Contact, ToolRequest } from './provider.ts'

const MOST_TEXT = 2_000
/** The most lists or folders that a page has. */
export const A_PAGE = 50
/** Where lists that are made by name are: a list needs a folder. */
export const FOLDER = 'Quizaine'

/** Stand for what Brevo's answers give. */
const LIST_ID = 'LIST_ID'
const FOLDER_ID = 'FOLDER_ID'

/** Makes or changes a person, by address, and puts them into lists beside those that they are in. */
export const putContact = (
  { email, fields }: Contact,
  list_ids: readonly string[],
): ToolRequest => ({
  method: 'POST',
  path: '/contacts',
  json: {
    email,
    updateEnabled: true,
    ...(fields.length > 0 && {
      attributes: Object.fromEntries(
        fields.map(({ key, value }) => [key, cutText(value, MOST_TEXT)]),
      ),
    }),
    ...(list_ids.length > 0 && { listIds: list_ids.map(numbered) }),
  },
})
/** Numbers there; a text stands for one that is not known yet. */
const numbered = (id: string): number | string =>
  id === LIST_ID || id === FOLDER_ID ? id : Number(id)

/** A page of the lists, or of the folders, after so many. */
export const findGroups = (kind: 'lists' | 'folders', offset: number): ToolRequest => ({
  method: 'GET',
  path: `/contacts/${kind}?limit=${A_PAGE}&offset=${offset}`,
})
export const makeFolder = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/contacts/folders',
  json: { name },
})
export const makeList = (name: string, folder_id: string): ToolRequest => ({
  method: 'POST',
  path: '/contacts/lists',
  json: { name, folderId: numbered(folder_id) },
})

/** The calls that bring a contact to Brevo, where the folder of lists that are made by name is there. */
export const brevoRequestsOf = (contact: Contact): ToolRequest[] => [
  ...contact.labels.flatMap(({ name, vendor_id }) =>
    vendor_id === null
      ? [
          findGroups('lists', 0),
          findGroups('folders', 0),
          makeList(name, FOLDER_ID),
          findGroups('lists', 0),
        ]
      : [],
  ),
  putContact(
    contact,
    contact.labels.map(({ vendor_id }) => vendor_id ?? LIST_ID),
  ),
]
