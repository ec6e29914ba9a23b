import { cutText } from '#domain/common/text.ts'
import type { Label } from '#domain/deliveries/automations.ts'
import type { OutboundField } from './contact-fields.ts'
import type { FindOrMake, LabelIds } from './label-ids.ts'
import type { Failure, OpenConnection, ToolRequest } from './provider.ts'
import {
  type CallProvider,
  fieldOf,
  idField,
  listField,
  namedOf,
  numericId,
  unknown,
} from './provider-requests.ts'

const MAX_TEXT_LENGTH = 2_000
/** Maximum number of lists or folders per page at Brevo. */
const PAGE_SIZE = 50
/** Folder of the lists created by name, because Brevo requires a folder. */
export const FOLDER = 'Quizaine'

/** Creates or updates a contact by address and adds it to lists. */
export const putContact = (
  email: string,
  fields: readonly OutboundField[],
  list_ids: readonly string[],
): ToolRequest => ({
  method: 'POST',
  path: '/contacts',
  json: {
    email,
    updateEnabled: true,
    ...(fields.length > 0 && {
      attributes: Object.fromEntries(fields.map(({ key, value }) => [key, cutValue(value)])),
    }),
    ...(list_ids.length > 0 && { listIds: list_ids.map(numericId) }),
  },
})
const cutValue = (value: unknown): unknown =>
  typeof value === 'string' ? cutText(value, MAX_TEXT_LENGTH) : value

/** Lists one page of lists or folders from an offset. */
const findGroups = (kind: 'lists' | 'folders', offset: number): ToolRequest => ({
  method: 'GET',
  path: `/contacts/${kind}?limit=${PAGE_SIZE}&offset=${offset}`,
})
const makeFolder = (name: string): ToolRequest => ({
  method: 'POST',
  path: '/contacts/folders',
  json: { name },
})
const makeList = (name: string, folder_id: string): ToolRequest => ({
  method: 'POST',
  path: '/contacts/lists',
  json: { name, folderId: numericId(folder_id) },
})

/** Maximum number of pages that are searched. */
const MAX_PAGES = 20

type NamedObject = { vendor_id: string; name: string }

/** Lists the lists or the folders of an account, newest first. */
export const listGroups = async (
  ask: CallProvider,
  kind: 'lists' | 'folders',
): Promise<NamedObject[] | Failure> => {
  const found: NamedObject[] = []
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await ask(findGroups(kind, found.length))
    if (reply.kind !== 'reply') return reply
    if (reply.status !== 200) return unknown(`no_${kind}`)
    // A page after the last list has only a count.
    const items = listField(reply.json, kind) ?? []
    found.push(...items.flatMap(namedOf))
    const count = fieldOf(reply.json, 'count')
    if (typeof count !== 'number') return unknown(`no_${kind}`)
    if (items.length < PAGE_SIZE || found.length >= count) return found
  }
  return found
}

/** Returns the id of the oldest list or folder with a name. Two processes can create the same name in Brevo. */
const findIdByName = (groups: readonly NamedObject[], name: string): string | undefined =>
  groups.findLast((group) => group.name.toLowerCase() === name.toLowerCase())?.vendor_id

/** Returns the id of the list with this name. Creates a missing list in the Quizaine folder. */
const findOrMakeList = async (ask: CallProvider, name: string): ReturnType<FindOrMake> => {
  const lists = await listGroups(ask, 'lists')
  if (!Array.isArray(lists)) return lists
  const known = findIdByName(lists, name)
  if (known !== undefined) return known
  const folders = await listGroups(ask, 'folders')
  if (!Array.isArray(folders)) return folders
  let folder_id = findIdByName(folders, FOLDER)
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
  return Array.isArray(now) ? (findIdByName(now, name) ?? unknown('no_list')) : now
}

/** Lists by id, and the names of the refused lists. */
export type FoundLists = { kind: 'lists'; ids: Map<string, Label>; refused: string[] }

/**
 * Returns the ids of the lists for a contact. `isAgain` means that Brevo refused a list: missing lists with a chosen
 * id are left out, others are created again.
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
    if (isGone && label.vendor_id === null)
      id = await ids.findWithoutCache(connection, label, findOrMake)
    else if (isGone) id = ids.refuse(connection, label, 'refused')
    if (typeof id !== 'string') return id
    if (id === 'refused') refused.push(label.name)
    else found.set(id, label)
  }
  return { kind: 'lists', ids: found, refused }
}
