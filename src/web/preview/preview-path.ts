import type { Replies } from '#domain/questionnaire/quiz.ts'

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

/** The places of a preview before and after those of the pages, which are their numbers. */
export const WELCOME = 0
export const END = Number.POSITIVE_INFINITY

/** Of the end in the address of a preview. */
const END_NAME = 'fin'

/** A place as the address of a preview has it; empty for the first page, where it opens by itself. */
export const placeQuery = (place: number | undefined): string => {
  if (place === undefined || place === 1) return ''
  return `?page=${place === END ? END_NAME : place}`
}

/** The place that an address asks for; where there is none, where a visitor begins. */
export const placeOfQuery = (asked: string | null): number =>
  asked === END_NAME ? END : Number(asked ?? WELCOME) || WELCOME
