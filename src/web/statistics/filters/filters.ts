import type { ParticipantFilters } from '#contract/participant-filters.ts'
import { UTM_NAMES, writeQuery } from '#domain/questionnaire/parameters.ts'
import {
  filteredIds,
  filteredParameters,
  MAX_FILTER_ANSWERS,
  MAX_FILTER_PARAMETERS,
  MAX_FILTER_TIERS,
} from '#domain/statistics/filter-choices.ts'
import {
  filteredPercents,
  type PercentFilter,
  writePercents,
} from '#domain/statistics/percent-filters.ts'

/** The filters of the participants; an absent filter does not apply. */
export type Filters = Partial<ParticipantFilters>

const NAMES = [
  'email',
  'result',
  'answer',
  'tier',
  'percent',
  'certificate',
  'confirmation',
  'campaign',
  'group',
  'parameters',
  'from',
  'to',
] as const

/** Reads the filters from the query of an address. */
export const readFilters = (search: URLSearchParams): Filters => {
  const values = NAMES.flatMap((name) => {
    const value = search.get(name)?.trim()
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(values) as Filters
}

/** Returns the query of an address with the filters. */
export const writeFilters = (filters: Filters): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = filters[name]
      return value ? [[name, value]] : []
    }),
  )

/** Replaces the filters in the query of an address and keeps the rest. */
export const replaceFilters = (search: URLSearchParams, filters: Filters): URLSearchParams => {
  const others = [...search].filter(([name]) => !NAMES.some((filter) => filter === name))
  return new URLSearchParams([...others, ...Object.entries(writeFilters(filters))])
}

/** Returns the number of active filters. */
export const countFilters = (filters: Filters): number => Object.keys(writeFilters(filters)).length

/** Returns an error if no participant can match these dates. */
export const datesError = ({ from, to }: Filters): string | undefined =>
  from && to && from > to ? 'La date de fin précède la date de début.' : undefined

/** Filter that holds several ids, with the maximum number of ids. */
export const ID_LIMITS = { answer: MAX_FILTER_ANSWERS, tier: MAX_FILTER_TIERS }
type IdFilter = keyof typeof ID_LIMITS

/** Returns the ids of the filtered replies or tiers. */
export const idsOf = (filters: Filters, name: IdFilter): string[] => filteredIds(filters[name])

/** Returns the filters with one reply or tier added or removed. */
export const setIdFilter = (
  filters: Filters,
  [name, id]: [name: IdFilter, id: string],
  isOn: boolean,
): Filters => {
  const others = idsOf(filters, name).filter((other_id) => other_id !== id)
  const ids = isOn ? [...others, id] : others
  return { ...filters, [name]: ids.join(',') || undefined }
}

/** A name and a value of a parameter in a filter; the value '' matches participants without the parameter. */
type Parameter = readonly [name: string, value: string]

/** Returns the filtered parameters. */
export const parametersOf = ({ parameters }: Filters): Parameter[] => filteredParameters(parameters)

/** Returns the filters with a value of a parameter set in place of any other value, or removed. */
export const setParameterFilter = (
  filters: Filters,
  [name, value]: Parameter,
  isOn: boolean,
): Filters => {
  const others = parametersOf(filters).filter(([other]) => other !== name)
  const all: Parameter[] = isOn ? [...others, [name, value]] : others
  return { ...filters, parameters: writeQuery(all) || undefined }
}

/** Returns the filters with a range of percents set in place of that of the same subject, or removed. */
export const setPercentFilter = (
  filters: Filters,
  range: PercentFilter,
  isOn: boolean,
): Filters => {
  const others = filteredPercents(filters.percent).filter(
    ({ subject }) => subject !== range.subject,
  )
  return { ...filters, percent: writePercents(isOn ? [...others, range] : others) || undefined }
}

/** State and toggle of the filters that a tap on a figure can change. */
export type FilterToggles = {
  /** Returns the filter of a result, a reply or a tier; undefined if participants cannot be filtered by it. */
  byChoice: (
    name: 'result' | IdFilter,
    id: string | undefined,
    count: number,
  ) => FilterToggle | undefined
  /** Returns the filter of a value of a parameter; undefined if participants cannot be filtered by it. */
  byParameter: (parameter: Parameter, count: number) => FilterToggle | undefined
}
type FilterToggle = { isOn: boolean; toggle: () => void }

/** Creates the toggles with which a press on a line filters. A line without participants, and an id above the limit, cannot filter. */
export const filterTogglesOf = (
  filters: Filters,
  onChange: (filters: Filters) => void,
): FilterToggles => ({
  byChoice: (name, id, count) => {
    if (id === undefined) return undefined
    const ids = name === 'result' ? [] : idsOf(filters, name)
    const isOn = name === 'result' ? filters.result === id : ids.includes(id)
    const isFull = name !== 'result' && ids.length >= ID_LIMITS[name]
    if (!isOn && (count === 0 || isFull)) return undefined
    return {
      isOn,
      toggle: () =>
        onChange(
          name === 'result'
            ? { ...filters, result: isOn ? undefined : id }
            : setIdFilter(filters, [name, id], !isOn),
        ),
    }
  },
  byParameter: (parameter, count) => {
    const [name, value] = parameter
    const filtered = parametersOf(filters)
    const known = filtered.find(([other]) => other === name)
    const isOn = known?.[1] === value
    if (!isOn && (count === 0 || (!known && filtered.length >= MAX_FILTER_PARAMETERS)))
      return undefined
    return { isOn, toggle: () => onChange(setParameterFilter(filters, parameter, !isOn)) }
  },
})

const PARAMETER_LABELS: Record<(typeof UTM_NAMES)[number], string> = {
  utm_source: 'Source',
  utm_medium: 'Support',
  utm_campaign: 'Campagne',
  utm_term: 'Mot-clé',
  utm_content: 'Contenu',
}

/** Returns the heading of a parameter: its meaning, if known, and its name in addresses. */
export const parameterTitle = (name: string): string => {
  const known = UTM_NAMES.find((utm) => utm === name)
  return known ? `${PARAMETER_LABELS[known]} (${name})` : name
}
