import type { Quiz, Replies } from '#domain/questionnaire/quiz.ts'

/** Start page of a preview that opens at the welcome screen. Other start pages are page numbers. */
export const WELCOME = 0
/** Start page of a preview that opens at the end screen. */
export const END = Number.POSITIVE_INFINITY

/** Name of the end screen in the URL of a preview. */
const END_NAME = 'fin'

/**
 * Returns the query string for a start page of the preview; empty for page 1, because a preview starts at the
 * beginning.
 */
export const startPageQuery = (start_page: number | undefined): string => {
  if (start_page === undefined || start_page === 1) return ''
  return `?page=${start_page === END ? END_NAME : start_page}`
}

/** Returns the path of the preview of a quiz, opened at the start page. */
export const previewPath = ({ id }: Pick<Quiz, 'id'>, start_page?: number): string =>
  `/quiz/${id}/preview${startPageQuery(start_page)}`

/** Returns the start page for the parameter `page` of the preview's URL; `WELCOME` if the parameter is absent or invalid. */
export const parseStartPage = (asked: string | null): number =>
  asked === END_NAME ? END : Number(asked ?? WELCOME) || WELCOME

/** History state of a preview that was opened from a screen of the editor; a reload keeps the state. */
export const OPENED_FROM_EDITOR = { is_from_editor: true } as const

/** Returns true if the history entry before the preview is the screen that opened it. */
export const isOpenedFromEditor = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'is_from_editor' in state

/**
 * Returns the history state that opens a preview from the editor at the end of a run with these replies. A reload
 * keeps the state.
 */
export const exampleState = (
  example: Replies,
): { example: Replies } & typeof OPENED_FROM_EDITOR => ({ example, ...OPENED_FROM_EDITOR })

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
