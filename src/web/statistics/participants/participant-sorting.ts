import { cutText } from '#domain/common/text.ts'
import {
  NEWEST_FIRST,
  PARTICIPANT_SORTS,
  type ParticipantSort,
  SORT_ORDERS,
  type Sorting,
} from '#domain/statistics/participant-sort.ts'
import type { ParticipantList } from '#web/statistics/queries.ts'

/** The orders of each sort field, the default first. */
const ORDERS: Record<ParticipantSort, [Sorting['order'], label: string][]> = {
  date: [
    ['desc', 'Date, du plus récent au plus ancien'],
    ['asc', 'Date, du plus ancien au plus récent'],
  ],
  email: [
    ['asc', 'Email, de A à Z'],
    ['desc', 'Email, de Z à A'],
  ],
  result: [
    ['asc', 'Résultat, de A à Z'],
    ['desc', 'Résultat, de Z à A'],
  ],
  score: [
    ['desc', 'Score, du plus haut au plus bas'],
    ['asc', 'Score, du plus bas au plus haut'],
  ],
  delivery: [
    ['asc', 'Envois, à surveiller d’abord'],
    ['desc', 'Envois, arrivés d’abord'],
  ],
}

/** Returns the sort fields of a quiz: 'result' needs results, 'score' needs scores, the others are always available. */
export const listSortFields = ({
  figures,
  choices,
}: {
  figures: { scores: unknown } | undefined
  choices: { results: readonly unknown[] }
}): ParticipantSort[] =>
  PARTICIPANT_SORTS.filter((sort) => {
    if (sort === 'result') return choices.results.length > 0
    return sort !== 'score' || Boolean(figures?.scores)
  })

const nameOf = ({ sort, order }: Sorting): string => `${sort} ${order}`

/** Returns the options of a list that can be sorted by these fields. */
export const sortOptions = (
  sorts: readonly ParticipantSort[],
): { value: string; label: string }[] =>
  sorts.flatMap((sort) =>
    ORDERS[sort].map(([order, label]) => ({ value: nameOf({ sort, order }), label })),
  )

/** Returns the French name of a sorting. */
export const sortLabel = (sorting: Sorting): string =>
  ORDERS[sorting.sort].find(([order]) => order === sorting.order)?.[1] ?? ''

/** Returns true for the list that comes with the figures: newest first, without a search. */
export const isNewestFirst = ({ sort, order, search }: ParticipantList): boolean =>
  sort === NEWEST_FIRST.sort && order === NEWEST_FIRST.order && !search

/** Returns the default order of a field, or the reverse if the list has that order already. */
export const sortBy = (sort: ParticipantSort, current: Sorting): Sorting => {
  const [first, other] = ORDERS[sort].map(([order]) => ({ sort, order }))
  const isSorted = current.sort === sort && current.order === first?.order
  return (isSorted ? other : first) ?? NEWEST_FIRST
}

/** Largest length of a search in characters. */
export const MAX_SEARCH_LENGTH = 200

/** Returns the sorting and the search in the query of an address; newest first if the query has no valid sort. */
export const readList = (address: URLSearchParams): ParticipantList => {
  const sort = PARTICIPANT_SORTS.find((candidate) => candidate === address.get('sort'))
  const order = SORT_ORDERS.find((candidate) => candidate === address.get('order'))
  const search = cutText(address.get('search')?.trim() ?? '', MAX_SEARCH_LENGTH)
  return {
    ...(sort && order ? { sort, order } : NEWEST_FIRST),
    ...(search ? { search } : {}),
  }
}

/** Returns the query of an address with this sorting and search. */
export const replaceList = (
  address: URLSearchParams,
  { sort, order, search }: ParticipantList,
): URLSearchParams => {
  const written = new URLSearchParams(address)
  for (const name of ['sort', 'order', 'search']) written.delete(name)
  if (!isNewestFirst({ sort, order })) {
    written.set('sort', sort)
    written.set('order', order)
  }
  if (search) written.set('search', search)
  return written
}

/** Returns the sorting of a chosen option. */
export const sortingOf = (value: string): Sorting => {
  const [sort = '', order = ''] = value.split(' ')
  return readList(new URLSearchParams({ sort, order }))
}
