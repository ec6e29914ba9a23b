import { RefusedCall } from '#contract/client/client.ts'
import { isSondage, type Quiz } from '#domain/questionnaire/quiz.ts'

/** Least number of quizzes for which the list has a search field. */
export const MIN_QUIZZES_FOR_SEARCH = 9

/** Number of cards at first, and added by each « Afficher plus ». */
export const MAX_INITIAL_CARDS = 60

/** Returns a text for comparison: without case and accents, with one kind of apostrophe and space. */
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

/** Returns the questionnaires whose name contains the text, in their order; all of them when the text is blank. */
export const searchQuizzes = <Q extends Pick<Quiz, 'name'>>(
  quizzes: readonly Q[],
  searched: string,
): Q[] => {
  const part = comparable(searched)
  return quizzes.filter(({ name }) => comparable(name).includes(part))
}

/** Returns the shortcut of a key pressed outside of any field; undefined with Ctrl, ⌘ or Alt. */
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

/** The sort orders of the list, the default first. */
export const SORTS = [
  { value: 'updated', label: 'Dernière modification' },
  { value: 'name', label: 'Nom' },
  { value: 'responses', label: 'Réponses' },
  { value: 'created', label: 'Création' },
] as const
/** A sort order of the list. */
export type Sort = (typeof SORTS)[number]['value']

type SortableQuiz = Pick<Quiz, 'name' | 'nb_responses' | 'created_at' | 'updated_at'>

const names = new Intl.Collator('fr', { numeric: true })
const BY: Record<Sort, (a: SortableQuiz, b: SortableQuiz) => number> = {
  updated: (a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at),
  name: (a, b) => names.compare(a.name, b.name),
  responses: (a, b) => b.nb_responses - a.nb_responses,
  created: (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at),
}

/** Returns the questionnaires in an order: newest, most or A first. Equal ones keep their order. */
export const sortQuizzes = <Q extends SortableQuiz>(quizzes: readonly Q[], sort: Sort): Q[] =>
  quizzes.toSorted(BY[sort])

const KEY = 'quizaine.dashboard-sort'

/** Returns the sort order saved on this device. */
export const readSort = (): Sort => {
  const [first] = SORTS
  try {
    const savedText = localStorage.getItem(KEY)
    return SORTS.find(({ value }) => value === savedText)?.value ?? first.value
  } catch {
    // Without storage the list has the default order.
    return first.value
  }
}

/** Saves the sort order on this device, if it has a storage. */
export const saveSort = (sort: Sort): void => {
  try {
    localStorage.setItem(KEY, sort)
  } catch (error) {
    console.warn('The order of the dashboard is not remembered', error)
  }
}

/**
 * Returns the index in a grid that an arrow key leads to from `index`; undefined if there is none. From above the gap
 * of the last row, ArrowDown leads to the last item.
 */
export const indexAfterKey = (
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

/** Returns the main link of the card that an arrow key leads to from another card's main link. */
export const findCardAfterKey = (link: HTMLElement, key: string): HTMLElement | undefined => {
  const grid = link.closest('ul')
  if (!grid) return undefined
  const links = [...grid.querySelectorAll<HTMLElement>('h2 > a')]
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length
  const place = indexAfterKey(key, links.indexOf(link), { count: links.length, columns })
  return place === undefined ? undefined : links[place]
}

/** The cached answer with the creator's quizzes. */
export type QuizList = { quizzes: Quiz[] }

/** Returns the path of the first editing step of a questionnaire (spec §2 « Dashboard »). */
export const editPath = (quiz: Pick<Quiz, 'id' | 'type'>): string =>
  `/quiz/${quiz.id}/${isSondage(quiz) ? 'questions' : 'results'}`

/** Returns the server's reason for a refused call, to append to a sentence; '' without a reason. */
export const refusalReason = (error: unknown): string =>
  error instanceof RefusedCall ? ` ${error.message}` : ''

/** Returns the list with a new or changed quiz first, because the list is sorted by last change. */
export const putQuizFirst = ({ quizzes }: QuizList, quiz: Quiz): QuizList => ({
  quizzes: [quiz, ...quizzes.filter(({ id }) => id !== quiz.id)],
})

/** Returns the list without a quiz. */
export const removeQuizFromList = ({ quizzes }: QuizList, id: string): QuizList => ({
  quizzes: quizzes.filter((quiz) => quiz.id !== id),
})

/** Returns the quiz after this one, which gets the focus when this one is removed. */
export const findQuizAfter = <Q extends Pick<Quiz, 'id'>>(
  quizzes: readonly Q[],
  id: string,
): Q | undefined => {
  const index = quizzes.findIndex((quiz) => quiz.id === id)
  return index < 0 ? undefined : quizzes[index + 1]
}
