import type { Quiz, Replies } from '#domain/questionnaire/quiz.ts'

/** Place of the welcome screen in a preview; a page's place is its number. */
export const WELCOME = 0
/** Place of the end screen in a preview. */
export const END = Number.POSITIVE_INFINITY

/** Name of the end screen in the URL of a preview. */
const END_NAME = 'fin'

/**
 * Returns the query string for a place of the preview; empty for page 1, because a preview starts at the
 * beginning.
 */
export const placeQuery = (place: number | undefined): string => {
  if (place === undefined || place === 1) return ''
  return `?page=${place === END ? END_NAME : place}`
}

/** Returns the path of the preview of a quiz, opened at the given place. */
export const previewPath = ({ id }: Pick<Quiz, 'id'>, place?: number): string =>
  `/quiz/${id}/preview${placeQuery(place)}`

/** Returns the place in the URL of a preview; without one, the start of a run. */
export const placeOfQuery = (asked: string | null): number =>
  asked === END_NAME ? END : Number(asked ?? WELCOME) || WELCOME

/**
 * Returns the history state that opens a preview at the end of a run with these replies. A reload keeps the
 * state.
 */
export const exampleState = (example: Replies): { example: Replies } => ({ example })

/** Returns the replies that a preview was opened with; undefined if there are none. */
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
