import type { ParticipantFilters } from '#contract/filters.ts'

/** The filters of the participants; an absent one does not filter. */
export type Filters = Partial<ParticipantFilters>

const NAMES = ['email', 'result', 'answer', 'from', 'to'] as const

/** Reads the filters from the query of an address. */
export const readFilters = (search: URLSearchParams): Filters => {
  const filters: Filters = {}
  for (const name of NAMES) {
    const value = search.get(name)?.trim()
    if (value) filters[name] = value
  }
  return filters
}

/** The filters as the query of an address. */
export const writeFilters = (filters: Filters): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name]
      return value ? [[name, value]] : []
    }),
  )

export const countFilters = (filters: Filters): number => Object.keys(writeFilters(filters)).length

/** Why no participant can match these dates; undefined when some can. */
export const datesError = ({ from, to }: Filters): string | undefined =>
  from && to && from > to ? 'La date de fin précède la date de début.' : undefined
