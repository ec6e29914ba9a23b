import type { ParticipantFilters } from '#contract/filters.ts'

/** What the participants on the screen have in common; absent: no matter. */
export type Filters = Partial<ParticipantFilters>

const NAMES = ['email', 'result', 'answer', 'from', 'to'] as const

/** The filters that an address names. */
export const readFilters = (search: URLSearchParams): Filters => {
  const filters: Filters = {}
  for (const name of NAMES) {
    const value = search.get(name)?.trim()
    if (value) filters[name] = value
  }
  return filters
}

/** The same as the end of an address. */
export const writeFilters = (filters: Filters): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name]
      return value ? [[name, value]] : []
    }),
  )

export const countFilters = (filters: Filters): number => Object.keys(writeFilters(filters)).length

/** Why these dates leave nobody; undefined when they may leave somebody. */
export const datesError = ({ from, to }: Filters): string | undefined =>
  from && to && from > to ? 'La date de fin précède la date de début.' : undefined
