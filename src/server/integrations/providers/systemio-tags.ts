import type { ApplyLabel, FindOrMake, LabelIds } from './label-ids.ts'
import type { AccountLabels, Failure, OpenConnection } from './provider.ts'
import {
  type CallProvider,
  fieldOf,
  idField,
  listField,
  missing,
  namedOf,
  textField,
  unknown,
} from './provider-requests.ts'
import { findTags, giveTag, makeTag, tagNameOf } from './systemio-api.ts'

/** A search that finds more than so many pages is given up; making the tag then says that it is there. */
const MOST_PAGES = 20
/** Of those that are shown: each page is a call, of which an account may have few. */
const MOST_SHOWN_PAGES = 5

/** The tags whose name begins so, page by page, until `isEnough`; the first of all of them without a name. */
const searchTags = async (
  ask: CallProvider,
  {
    query,
    most,
    isEnough,
  }: { query: string; most: number; isEnough: (page: unknown[]) => boolean },
): Promise<unknown[] | Failure> => {
  const tags: unknown[] = []
  let after: number | undefined
  for (let page = 0; page < most; page += 1) {
    const reply = await ask(findTags(query, after))
    if (reply.kind !== 'reply') return reply
    const items = listField(reply.json, 'items')
    if (reply.status !== 200 || !items) return unknown('no_tags')
    tags.push(...items)
    const last = fieldOf(items.at(-1), 'id')
    const isLast = fieldOf(reply.json, 'hasMore') !== true || typeof last !== 'number'
    if (isLast || isEnough(items)) break
    after = last
  }
  return tags
}

/** The tags of an account, as far as they are shown. */
export const listTags = async (ask: CallProvider): Promise<AccountLabels | Failure> => {
  const tags = await searchTags(ask, { query: '', most: MOST_SHOWN_PAGES, isEnough: () => false })
  return Array.isArray(tags) ? { kind: 'labels', labels: tags.flatMap(namedOf) } : tags
}

/** The tag of exactly this name: a search also finds those that begin alike. */
const findTag = async (
  ask: CallProvider,
  wanted: string,
): Promise<string | undefined | Failure> => {
  const name = tagNameOf(wanted).toLowerCase()
  const same = (items: unknown[]): unknown =>
    items.find((item) => textField(item, 'name')?.toLowerCase() === name)
  const isEnough = (items: unknown[]): boolean => same(items) !== undefined
  const found = await searchTags(ask, { query: wanted, most: MOST_PAGES, isEnough })
  return Array.isArray(found) ? idField(same(found)) : found
}

/** The number of a tag, which is made when there is none; 'refused' when the account may have no more. */
const findOrMakeTag = async (ask: CallProvider, name: string): ReturnType<FindOrMake> => {
  const known = await findTag(ask, name)
  if (known !== undefined) return known
  const made = await ask(makeTag(name))
  if (made.kind !== 'reply') return made
  const id = idField(made.json)
  if (made.status === 201 && id !== undefined) return id
  // Another process may have made it in between.
  return (await findTag(ask, name)) ?? 'refused'
}

/** Gives tags; one that is gone is made again. */
export const taggerOf = (
  ask: CallProvider,
  ids: LabelIds,
  connection: OpenConnection,
): ApplyLabel => {
  const findOrMake: FindOrMake = (name) => findOrMakeTag(ask, name)
  return async (contact_id, label) => {
    let tried: string | undefined
    for (const find of [ids.find, ids.findAgain]) {
      const id = await find(connection, label, findOrMake)
      if (typeof id !== 'string' || id === 'refused') return id
      if (id === tried) return 'refused'
      tried = id
      const given = await ask(giveTag(id, contact_id))
      if (given.kind !== 'reply') return given
      if (given.status >= 200 && given.status < 300) return 'done'
      // Given already, perhaps: the contact itself says. Or one of the two is gone.
      const contact = await ask({ method: 'GET', path: `/contacts/${contact_id}` })
      if (contact.kind !== 'reply') return contact
      if (contact.status === 404) return missing('contact_missing')
      const tags = listField(contact.json, 'tags') ?? []
      if (tags.some((known) => idField(known) === id)) return 'done'
    }
    return 'refused'
  }
}
