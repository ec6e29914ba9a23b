import type { ApplyLabel, FindOrMake, LabelIds } from './label-ids.ts'
import type { AccountLabels, Failure, OpenConnection } from './provider.ts'
import {
  type CallProvider,
  configurationProblem,
  idField,
  listField,
  namedOf,
  textField,
} from './provider-requests.ts'
import { findTags, giveTag, makeTag, tagNameOf } from './systemio-api.ts'
import { readPages } from './systemio-pages.ts'

/** Maximum number of pages of a search. After that, the creation of the tag reports whether the tag exists. */
const MAX_SEARCH_PAGES = 20
/** Maximum number of listed pages, because each page takes a call from the small limit of an account. */
const MAX_LISTED_PAGES = 5

const searchTags = (
  ask: CallProvider,
  {
    query,
    ...pages
  }: { query: string; max: number; isEnough?: (page: readonly unknown[]) => boolean },
): Promise<unknown[] | Failure> =>
  readPages(ask, { pageOf: (after) => findTags(query, after), ...pages })

/** Lists the tags of an account, up to MAX_LISTED_PAGES pages. */
export const listTags = async (ask: CallProvider): Promise<AccountLabels | Failure> => {
  const tags = await searchTags(ask, { query: '', max: MAX_LISTED_PAGES })
  return Array.isArray(tags) ? { kind: 'labels', labels: tags.flatMap(namedOf) } : tags
}

/** Returns the id of the tag with exactly this name, because a search also finds longer names. */
const findTag = async (
  ask: CallProvider,
  tag_name: string,
): Promise<string | undefined | Failure> => {
  const name = tagNameOf(tag_name).toLowerCase()
  const findTagByName = (items: readonly unknown[]): unknown =>
    items.find((item) => textField(item, 'name')?.toLowerCase() === name)
  const isEnough = (items: readonly unknown[]): boolean => findTagByName(items) !== undefined
  const found = await searchTags(ask, { query: tag_name, max: MAX_SEARCH_PAGES, isEnough })
  return Array.isArray(found) ? idField(findTagByName(found)) : found
}

/** Returns the id of a tag, and creates a missing tag. Returns 'refused' if the account allows no more tags. */
const findOrMakeTag = async (ask: CallProvider, name: string): ReturnType<FindOrMake> => {
  const known = await findTag(ask, name)
  if (known !== undefined) return known
  const made = await ask(makeTag(name))
  if (made.kind !== 'reply') return made
  const id = idField(made.json)
  if (made.status === 201 && id !== undefined) return id
  // The search is repeated because another process may have created the same name.
  return (await findTag(ask, name)) ?? 'refused'
}

/** Returns the function that assigns tags, and that creates a missing tag again. */
export const taggerOf = (
  ask: CallProvider,
  ids: LabelIds,
  connection: OpenConnection,
): ApplyLabel => {
  const findOrMake: FindOrMake = (name) => findOrMakeTag(ask, name)
  return async (contact_id, label) => {
    let tried: string | undefined
    for (const find of [ids.find, ids.findWithoutCache]) {
      const id = await find(connection, label, findOrMake)
      if (typeof id !== 'string' || id === 'refused') return id
      if (id === tried) return 'refused'
      tried = id
      const reply = await ask(giveTag(id, contact_id))
      if (reply.kind !== 'reply') return reply
      if (reply.status >= 200 && reply.status < 300) return 'done'
      // The contact shows whether the tag is already assigned, or whether the contact or the tag is
      // missing.
      const contact = await ask({ method: 'GET', path: `/contacts/${contact_id}` })
      if (contact.kind !== 'reply') return contact
      if (contact.status === 404) return configurationProblem('contact_missing')
      const tags = listField(contact.json, 'tags') ?? []
      if (tags.some((known) => idField(known) === id)) return 'done'
    }
    return 'refused'
  }
}
