import {
  isParameterName,
  isUtm,
  parameterValue,
  readQuery,
  sortParameterNames,
} from '#domain/questionnaire/parameters.ts'

/** Number of participants with a value of a URL parameter; '' stands for rare values that are counted together. */
export type ParameterCount = { name: string; value: string; count: number }

/** Values of a URL parameter by number of participants. */
export type Source = {
  name: string
  /** Participants who have the parameter. */
  nb_participants: number
  /** Most frequent values, in descending order. */
  values: { value: string; count: number }[]
  /** Participants with another value. */
  nb_others: number
}

const MAX_VALUES = 20

const sumOf = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/** Returns the values of each parameter, UTM parameters first. Equally frequent values are sorted by text. */
export const sourcesOf = (counts: readonly ParameterCount[]): Source[] => {
  const byName = Map.groupBy(counts, ({ name }) => name)
  return sortParameterNames(byName.keys()).map((name) => {
    const all = byName.get(name) ?? []
    const nb_participants = sumOf(all)
    const values = all
      .filter(({ value }) => value !== '')
      .map(({ value, count }) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MAX_VALUES)
    return { name, nb_participants, values, nb_others: nb_participants - sumOf(values) }
  })
}

/**
 * Returns the sources that a shared link shows: the number of participants for each utm parameter, without its values.
 * Values are left out, because visitors can type any value, and other parameters may identify a person.
 */
export const sharedSources = (sources: readonly Source[], fewest: number): Source[] =>
  sources
    .filter(({ name, nb_participants }) => isUtm(name) && nb_participants >= fewest)
    .map(({ name, nb_participants }) => ({
      ...{ name, nb_participants, values: [], nb_others: nb_participants },
    }))

/** Maximum number of parameters in a filter. */
export const MAX_FILTER_PARAMETERS = 5

/**
 * Returns the parameters of a filter by name, each once and sorted; an empty value means participants without the
 * parameter.
 */
export const filteredParameters = (query = ''): [name: string, value: string][] =>
  [...new Map(readQuery(query))].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * Returns true if the text is a valid filter. A value must equal its stored form, because the database refuses a NUL
 * character.
 */
export const isParameterFilter = (query: string): boolean => {
  const asked = filteredParameters(query)
  return (
    asked.length <= MAX_FILTER_PARAMETERS &&
    asked.every(([name, value]) => isParameterName(name) && value === parameterValue(value))
  )
}
