import { isPlanRefusal } from './enrolments.ts'
import type { Failure, ToolRequest } from './provider.ts'
import { type CallProvider, fieldOf, listField, permanent, unknown } from './provider-requests.ts'

/** Reads a list page by page until `isEnough`. The permanent failure `plan` means a missing feature of the account. */
export const readPages = async (
  ask: CallProvider,
  {
    pageOf,
    max,
    isEnough = () => false,
  }: {
    /** Returns the request for the page after an id. */
    pageOf: (after?: number) => ToolRequest
    /** Maximum number of pages. */
    max: number
    isEnough?: (page: readonly unknown[]) => boolean
  },
): Promise<unknown[] | Failure> => {
  const found: unknown[] = []
  let after: number | undefined
  for (let page = 0; page < max; page += 1) {
    const reply = await ask(pageOf(after))
    if (reply.kind !== 'reply') return reply
    if (isPlanRefusal(reply)) return permanent('plan')
    const items = listField(reply.json, 'items')
    if (reply.status !== 200 || !items) return unknown('no_items')
    found.push(...items)
    const last = fieldOf(items.at(-1), 'id')
    const isLast = fieldOf(reply.json, 'hasMore') !== true || typeof last !== 'number'
    if (isLast || isEnough(items)) break
    after = last
  }
  return found
}
