import { RefusedCall } from '#contract/client/client.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'

/** Shorter lists have no search field. */
export const MIN_QUIZZES_FOR_SEARCH = 9

/** Cards shown at first, and added by each « Afficher plus ». */
export const MAX_INITIAL_CARDS = 60

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

/** The orders of the list, the first of them at first. */
export const SORTS = [
  { value: 'updated', label: 'Dernière modification' },
  { value: 'name', label: 'Nom' },
  { value: 'responses', label: 'Réponses' },
  { value: 'created', label: 'Création' },
] as const
export type Sort = (typeof SORTS)[number]['value']

type Sorted = Pick<Quiz, 'name' | 'nb_responses' | 'created_at' | 'updated_at'>

const names = new Intl.Collator('fr', { numeric: true })
const BY: Record<Sort, (a: Sorted, b: Sorted) => number> = {
  updated: (a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at),
  name: (a, b) => names.compare(a.name, b.name),
  responses: (a, b) => b.nb_responses - a.nb_responses,
  created: (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at),
}

/** The questionnaires in an order, equal ones as they came; newest, most and A first. */
export const sortQuizzes = <Q extends Sorted>(quizzes: readonly Q[], sort: Sort): Q[] =>
  quizzes.toSorted(BY[sort])

const KEY = 'quizaine.dashboard-sort'

/** The order that was chosen on this device. */
export const readSort = (): Sort => {
  const [first] = SORTS
  try {
    const kept = localStorage.getItem(KEY)
    return SORTS.find(({ value }) => value === kept)?.value ?? first.value
  } catch {
    // Without storage the list has its first order.
    return first.value
  }
}

/** Remembers the order on this device, where it has a storage. */
export const keepSort = (sort: Sort): void => {
  try {
    localStorage.setItem(KEY, sort)
  } catch (error) {
    console.warn('The order of the dashboard is not remembered', error)
  }
}

/**
 * The place in a grid that an arrow key leads to from `index`; undefined where there is none. Below a place over the gap of
 * the last row is its last one.
 */
export const placeAfterKey = (
  key: string,
  index: number,
  { count, columns }: { count: number; columns: number },
): number | undefined => {
  const isIn = (place: number): number | undefined =>
    place >= 0 && place < count ? place : undefined
  switch (key) {
    case 'ArrowRight':
      return isIn(index + 1)
    case 'ArrowLeft':
      return isIn(index - 1)
    case 'ArrowUp':
      return isIn(index - columns)
    case 'ArrowDown': {
      const isAboveLastRow = Math.floor(index / columns) < Math.floor((count - 1) / columns)
      return isAboveLastRow ? Math.min(index + columns, count - 1) : undefined
    }
    default:
      return undefined
  }
}

/** The main link of the card that an arrow key leads to from the main link of another. */
export const cardAfterKey = (link: HTMLElement, key: string): HTMLElement | undefined => {
  const grid = link.closest('ul')
  if (!grid) return undefined
  const links = [...grid.querySelectorAll<HTMLElement>('h2 > a')]
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length
  const place = placeAfterKey(key, links.indexOf(link), { count: links.length, columns })
  return place === undefined ? undefined : links[place]
}

export type QuizList = { quizzes: Quiz[] }

/** The first editing step of a questionnaire (spec §2 « Dashboard »). */
export const editPath = (quiz: Pick<Quiz, 'id' | 'type'>): string =>
  `/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`

/** The server's own sentence about a refused call, to follow another; empty when there is none. */
export const reasonOf = (error: unknown): string =>
  error instanceof RefusedCall ? ` ${error.message}` : ''

/** The list with a new or changed quiz first: it is sorted by last change. */
export const withQuiz = ({ quizzes }: QuizList, quiz: Quiz): QuizList => ({
  quizzes: [quiz, ...quizzes.filter(({ id }) => id !== quiz.id)],
})

export const withoutQuiz = ({ quizzes }: QuizList, id: string): QuizList => ({
  quizzes: quizzes.filter((quiz) => quiz.id !== id),
})

/** The quiz after this one, which gets the focus when this one is removed. */
export const quizAfter = <Q extends Pick<Quiz, 'id'>>(
  quizzes: readonly Q[],
  id: string,
): Q | undefined => {
  const index = quizzes.findIndex((quiz) => quiz.id === id)
  return index < 0 ? undefined : quizzes[index + 1]
}
