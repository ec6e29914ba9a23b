import type { Quiz } from '#domain/quiz.ts'

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
