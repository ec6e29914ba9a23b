import type { Quiz } from '#domain/quiz.ts'

/** With fewer questionnaires than this, eyes are faster than a search. */
export const SEARCHED_FROM = 9

/** How many cards are shown at first, and are added each time more are asked for. */
export const CARDS_AT_ONCE = 60

/** What of a text counts in a search: neither case nor accents, nor which apostrophe or space was typed. */
const comparable = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim()

/** The questionnaires whose name contains what is searched, in their order; all of them for a blank. */
export const searchQuizzes = <Q extends Pick<Quiz, 'name'>>(
  quizzes: readonly Q[],
  searched: string,
): Q[] => {
  const part = comparable(searched)
  return quizzes.filter(({ name }) => comparable(name).includes(part))
}

/** What a key pressed outside of any field asks for; with Ctrl and the like it is the browser's. */
export const shortcutOf = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>):
  | 'search'
  | 'create'
  | undefined => {
  if (ctrlKey || metaKey || altKey) return undefined
  if (key === '/') return 'search'
  return key === 'n' || key === 'N' ? 'create' : undefined
}
