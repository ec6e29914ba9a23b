import type { Quiz } from '#domain/quiz.ts'

/** Shorter lists have no search field. */
export const SEARCHED_FROM = 9

/** Cards shown at first, and added by each « Afficher plus ». */
export const CARDS_AT_ONCE = 60

/** A text as it is compared in a search: without case and accents, with one kind of apostrophe and space. */
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

/** The questionnaires whose name contains the searched text, in their order; all of them when it is blank. */
export const searchQuizzes = <Q extends Pick<Quiz, 'name'>>(
  quizzes: readonly Q[],
  searched: string,
): Q[] => {
  const part = comparable(searched)
  return quizzes.filter(({ name }) => comparable(name).includes(part))
}

/** The shortcut of a key pressed outside of any field; none with Ctrl, ⌘ or Alt. */
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
