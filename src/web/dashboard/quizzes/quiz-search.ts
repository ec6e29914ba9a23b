import { comparableText } from '#domain/common/comparable-text.ts'
import type { Quiz } from '#domain/questionnaire/quiz.ts'

/** Least number of quizzes for which the list has a search field. */
export const MIN_QUIZZES_FOR_SEARCH = 9

/** Number of cards at first, and added by each « Afficher plus ». */
export const MAX_INITIAL_CARDS = 60

/** Returns the questionnaires whose name contains the text, in their order; all of them when the text is blank. */
export const searchQuizzes = <Q extends Pick<Quiz, 'name'>>(
  quizzes: readonly Q[],
  searched: string,
): Q[] => {
  const part = comparableText(searched)
  return quizzes.filter(({ name }) => comparableText(name).includes(part))
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
    // The list has the default order if the storage is not allowed.
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
