import { cutText } from '#domain/common/text.ts'
import type { Label } from '#domain/deliveries/automations.ts'
import type { FindOrMake, LabelIds } from './label-ids.ts'
import type { Contact, Failure, OpenConnection, ToolRequest } from './provider.ts'
import {
  type CallProvider,
  fieldOf,
  idField,
  listField,
  namedOf,
  unknown,
} from './provider-requests.ts'

const MOST_TEXT = 2_000
/** The most lists or folders that a page has. */
const A_PAGE = 50
/** Where lists that are made by name are: a list needs a folder. */
const FOLDER = 'Quizaine'

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
const findGroups = (kind: 'lists' | 'folders', offset: number): ToolRequest => ({
  method: 'GET',
  path: `/contacts/${kind}?limit=${A_PAGE}&offset=${offset}`,
})
const makeFolder = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/contacts/folders',
  json: { name },
})
const makeList = (name: string, folder_id: string): ToolRequest => ({
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

/** More lists or folders than in so many pages are not looked through. */
const MOST_PAGES = 20

type Named = { vendor_id: string; name: string }

/** The lists of an account, or their folders, newest first. */
export const listGroups = async (
  ask: CallProvider,
  kind: 'lists' | 'folders',
): Promise<Named[] | Failure> => {
  const found: Named[] = []
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await ask(findGroups(kind, found.length))
    if (reply.kind !== 'reply') return reply
    if (reply.status !== 200) return unknown(`no_${kind}`)
    // Beyond the last one the answer has a count alone.
    const items = listField(reply.json, kind) ?? []
    found.push(...items.flatMap(namedOf))
    const count = fieldOf(reply.json, 'count')
    if (typeof count !== 'number') return unknown(`no_${kind}`)
    if (items.length < A_PAGE || found.length >= count) return found
  }
  return found
}

/** The oldest of a name: Brevo takes a name twice, as when two processes make it at once. */
const same = (groups: readonly Named[], name: string): string | undefined =>
  groups.findLast((one) => one.name.toLowerCase() === name.toLowerCase())?.vendor_id

/** The number of a list of this name, which is made in the folder of ours where there is none. */
const findOrMakeList = async (ask: CallProvider, name: string): ReturnType<FindOrMake> => {
  const lists = await listGroups(ask, 'lists')
  if (!Array.isArray(lists)) return lists
  const known = same(lists, name)
  if (known !== undefined) return known
  const folders = await listGroups(ask, 'folders')
  if (!Array.isArray(folders)) return folders
  let folder_id = same(folders, FOLDER)
  if (folder_id === undefined) {
    const made = await ask(makeFolder(FOLDER))
    if (made.kind !== 'reply') return made
    folder_id = idField(made.json)
    if (made.status !== 201 || folder_id === undefined) return 'refused'
  }
  const made = await ask(makeList(name, folder_id))
  if (made.kind !== 'reply') return made
  if (made.status !== 201) return 'refused'
  const now = await listGroups(ask, 'lists')
  return Array.isArray(now) ? (same(now, name) ?? unknown('no_list')) : now
}

/** Lists by their numbers, and the names of those that cannot be had. */
export type FoundLists = { kind: 'lists'; ids: Map<string, Label>; refused: string[] }

/**
 * The numbers of the lists that a contact is put into. With `isAgain` one of them was refused: those that were picked and
 * are gone are left out, those that go by name are made again.
 */
export const findLists = async (
  ask: CallProvider,
  ids: LabelIds,
  {
    connection,
    labels,
    isAgain = false,
  }: { connection: OpenConnection; labels: readonly Label[]; isAgain?: boolean },
): Promise<FoundLists | Failure> => {
  const present = isAgain ? await listGroups(ask, 'lists') : []
  if (!Array.isArray(present)) return present
  const isThere = (id: string): boolean => present.some(({ vendor_id }) => vendor_id === id)
  const found = new Map<string, Label>()
  const refused: string[] = []
  const findOrMake: FindOrMake = (name) => findOrMakeList(ask, name)
  for (const label of labels) {
    let id = await ids.find(connection, label, findOrMake)
    const isGone = isAgain && typeof id === 'string' && id !== 'refused' && !isThere(id)
    if (isGone && label.vendor_id === null) id = await ids.findAgain(connection, label, findOrMake)
    else if (isGone) id = ids.refuse(connection, label)
    if (typeof id !== 'string') return id
    if (id === 'refused') refused.push(label.name)
    else found.set(id, label)
  }
  return { kind: 'lists', ids: found, refused }
}
