import { transient } from './failures.ts'
import type { OutboundReply } from './outbound.ts'
import type { Failure, OpenConnection, ToolRequest } from './provider.ts'

/** Calls a tool with the secret of one account. Replies whose meaning depends on the call are no failures. */
export type Ask = (request: ToolRequest) => Promise<OutboundReply | Failure>

/**
 * Does a piece of work at a tool, which begins no call once its time is up, and says how many it took beyond its first,
 * which the limit of the account is charged with.
 */
export const countCalls = async <T extends { kind: string }>(
  ask: Ask,
  work: (counted: Ask) => Promise<T>,
  { isLate }: Pick<OpenConnection, 'isLate'> = {},
): Promise<T & { extra_calls?: number }> => {
  let calls = 0
  const outcome = await work(async (request) => {
    if (isLate?.()) return transient('timeout')
    calls += 1
    return ask(request)
  })
  return calls > 1 ? { ...outcome, extra_calls: calls - 1 } : outcome
}

/** Stands in a path or a body for what an answer of the tool gives. */
export const CONTACT_ID = 'CONTACT_ID'
export const TAG_ID = 'TAG_ID'
