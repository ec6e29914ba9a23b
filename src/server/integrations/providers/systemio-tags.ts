import { fieldOf, listField, textField, unknown } from './failures.ts'
import type { OutboundReply, OutboundRequest } from './outbound.ts'
import type { Failure } from './provider.ts'

const LONGEST_TAG = 64
/** A search that finds more than so many tags is given up; making the tag then says that it is there. */
const MOST_PAGES = 20

export type SystemioCall = (
  secret: string,
  method: OutboundRequest['method'],
  path: string,
  json?: unknown,
) => Promise<OutboundReply | Failure>

/** The tag of exactly this name: a search also finds those that begin alike, page by page. */
const findTag = async (
  call: SystemioCall,
  secret: string,
  name: string,
): Promise<number | undefined | Failure> => {
  let after = ''
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = `/tags?query=${encodeURIComponent(name)}&limit=100${after}`
    const reply = await call(secret, 'GET', path)
    if (reply.kind !== 'reply') return reply
    const items = listField(reply.json, 'items')
    if (reply.status !== 200 || !items) return unknown('no_tags')
    const same = items.find((item) => textField(item, 'name')?.toLowerCase() === name.toLowerCase())
    const id = fieldOf(same, 'id')
    if (typeof id === 'number') return id
    const last = fieldOf(items.at(-1), 'id')
    if (fieldOf(reply.json, 'hasMore') !== true || typeof last !== 'number') return undefined
    after = `&startingAfter=${last}`
  }
  return undefined
}

/** The number of a tag, which is made when there is none; 'refused' when the account may have no more. */
export const findOrMakeTag = async (
  call: SystemioCall,
  secret: string,
  wanted: string,
): Promise<number | 'refused' | Failure> => {
  const name = wanted.slice(0, LONGEST_TAG).trim()
  const known = await findTag(call, secret, name)
  if (known !== undefined) return known
  const made = await call(secret, 'POST', '/tags', { name })
  if (made.kind !== 'reply') return made
  const id = fieldOf(made.json, 'id')
  if (made.status === 201 && typeof id === 'number') return id
  // Another process may have made it in between.
  return (await findTag(call, secret, name)) ?? 'refused'
}
