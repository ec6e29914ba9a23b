import type { Label } from '#domain/automations.ts'
import type { Ask } from './ask.ts'
import { A_PAGE, FOLDER, findGroups, makeFolder, makeList } from './brevo-requests.ts'
import { fieldOf, idField, listField, namedOf, unknown } from './failures.ts'
import type { FindOrMake, LabelIds } from './label-ids.ts'
import type { Failure, OpenConnection } from './provider.ts'

/** More lists or folders than in so many pages are not looked through. */
const MOST_PAGES = 20

type Named = { vendor_id: string; name: string }

/** The lists of an account, or their folders, newest first. */
export const listGroups = async (
  ask: Ask,
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
const findOrMakeList = async (ask: Ask, name: string): ReturnType<FindOrMake> => {
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
  ask: Ask,
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
