import type { Quiz, Replies } from '#domain/questionnaire/quiz.ts'

/** Start page of a preview that opens at the welcome screen. Other start pages are page numbers. */
export const WELCOME = 0
/** Start page of a preview that opens at the end screen. */
export const END = Number.POSITIVE_INFINITY

/** Place at which a preview opens at the end of a quiz, with one of its results. */
export type ResultPlace = {
  result_id: string
  /** Replies that give the result; undefined if none are known. */
  example: Replies | undefined
}
/** Place at which a preview opens: a page number, `WELCOME`, `END` or a result. */
export type PreviewPlace = number | ResultPlace

/** Name of the end screen in the URL of a preview. */
const END_NAME = 'fin'

/** Returns the query string for a place of the preview; empty for page 1, because a preview starts at the beginning. */
export const placeQuery = (place: PreviewPlace | undefined): string => {
  if (typeof place === 'object') return `?result=${place.result_id}`
  if (place === undefined || place === 1) return ''
  return `?page=${place === END ? END_NAME : place}`
}

/** Returns the path of the preview of a quiz, opened at a place. */
export const previewPath = ({ id }: Pick<Quiz, 'id'>, place?: PreviewPlace): string =>
  `/quiz/${id}/preview${placeQuery(place)}`

/**
 * Returns the place for the parameters of the preview's URL and the history state; `WELCOME` if the parameters are
 * absent or invalid.
 */
export const parsePlace = (params: URLSearchParams, state?: unknown): PreviewPlace => {
  const result_id = params.get('result')
  if (result_id) return { result_id, example: exampleOf(state) }
  const page = params.get('page')
  return page === END_NAME ? END : Number(page ?? WELCOME) || WELCOME
}

/** History state of a preview that was opened from a screen of the editor. */
const OPENED_FROM_EDITOR = { is_from_editor: true } as const

/** Returns true if the history entry before the preview is the screen that opened it. */
export const isOpenedFromEditor = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'is_from_editor' in state

/**
 * Returns the history state of a preview that is opened from the editor, with the replies of its place. A reload keeps
 * the state.
 */
export const previewState = (
  place?: PreviewPlace,
): typeof OPENED_FROM_EDITOR & { example?: Replies } => ({
  ...OPENED_FROM_EDITOR,
  ...(typeof place === 'object' && place.example && { example: place.example }),
})

/** Returns the replies that a preview was opened with; undefined if there are none. */
const exampleOf = (state: unknown): Replies | undefined => {
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
