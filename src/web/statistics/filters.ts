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

/** The query of an address with these filters in place of its own; what else it says stays. */
export const replaceFilters = (search: URLSearchParams, filters: Filters): URLSearchParams => {
  const others = [...search].filter(([name]) => !NAMES.some((filter) => filter === name))
  return new URLSearchParams([...others, ...Object.entries(writeFilters(filters))])
}

export const countFilters = (filters: Filters): number => Object.keys(writeFilters(filters)).length

/** Why no participant can match these dates; undefined when some can. */
export const datesError = ({ from, to }: Filters): string | undefined =>
  from && to && from > to ? 'La date de fin précède la date de début.' : undefined

/** What participants can be filtered by with a tap on it. */
export type Filtering = {
  /** Whether these filters hold what has this id, and how to add or remove it; undefined where it cannot filter. */
  by: (
    name: 'result' | 'answer',
    id: string | undefined,
    count: number,
  ) => { isOn: boolean; toggle: () => void } | undefined
}

/** Filters by what is tapped; what nobody has filters nothing. */
export const filteringOf = (filters: Filters, onChange: (filters: Filters) => void): Filtering => ({
  by: (name, id, count) => {
    const isOn = id !== undefined && filters[name] === id
    if (id === undefined || (count === 0 && !isOn)) return undefined
    return { isOn, toggle: () => onChange({ ...filters, [name]: isOn ? undefined : id }) }
  },
})
