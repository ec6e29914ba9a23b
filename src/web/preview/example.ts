import type { Replies } from '#domain/quiz.ts'

/** Has a preview open at the end of a run with these replies; kept in the history's entry, as a reload keeps it. */
export const exampleState = (example: Replies): { example: Replies } => ({ example })

/** The replies that a preview was opened with; undefined without. */
export const exampleOf = (state: unknown): Replies | undefined => {
  if (typeof state !== 'object' || state === null || !('example' in state)) return undefined
  const { example } = state
  return isReplies(example) ? example : undefined
}

const isReplies = (value: unknown): value is Replies =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every(
    (reply) =>
      typeof reply === 'string' ||
      (Array.isArray(reply) && reply.every((part) => typeof part === 'string')),
  )
