import { cutText } from '#domain/common/text.ts'
import {
  NEWEST_FIRST,
  PARTICIPANT_SORTS,
  type ParticipantSort,
  SORT_ORDERS,
  type Sorting,
} from '#domain/statistics/participant-sort.ts'
import type { ParticipantList } from '#web/statistics/queries.ts'

/** The orders that a list is offered in, by what it is sorted by; the first is the one to begin with. */
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

/** What the participants of a quiz differ by, and can be sorted by. */
export const participantSorts = ({
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

/** The choices of a list that can be sorted by these. */
export const sortOptions = (
  sorts: readonly ParticipantSort[],
): { value: string; label: string }[] =>
  sorts.flatMap((sort) =>
    ORDERS[sort].map(([order, label]) => ({ value: nameOf({ sort, order }), label })),
  )

/** The sorting in words. */
export const sortLabel = (sorting: Sorting): string =>
  ORDERS[sorting.sort].find(([order]) => order === sorting.order)?.[1] ?? ''

export const isNewestFirst = ({ sort, order, search }: ParticipantList): boolean =>
  sort === NEWEST_FIRST.sort && order === NEWEST_FIRST.order && !search

/** What a sort by this begins with, or the other way round where the list is sorted so already. */
export const sortBy = (sort: ParticipantSort, current: Sorting): Sorting => {
  const [first, other] = ORDERS[sort].map(([order]) => ({ sort, order }))
  const isSorted = current.sort === sort && current.order === first?.order
  return (isSorted ? other : first) ?? NEWEST_FIRST
}

export const MAX_SEARCH_LENGTH = 200

/** How the query of an address has its list sorted and searched; newest first where it says nothing known. */
export const readList = (address: URLSearchParams): ParticipantList => {
  const sort = PARTICIPANT_SORTS.find((one) => one === address.get('sort'))
  const order = SORT_ORDERS.find((one) => one === address.get('order'))
  const search = cutText(address.get('search')?.trim() ?? '', MAX_SEARCH_LENGTH)
  return {
    ...(sort && order ? { sort, order } : NEWEST_FIRST),
    ...(search ? { search } : {}),
  }
}

/** The query of an address with this list in place of its own. */
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

/** The sorting of a chosen option. */
export const sortingOf = (value: string): Sorting => {
  const [sort = '', order = ''] = value.split(' ')
  return readList(new URLSearchParams({ sort, order }))
}
