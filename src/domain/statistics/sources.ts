import {
  isParameterName,
  isUtm,
  orderedNames,
  parameterValue,
  readQuery,
} from '#domain/questionnaire/parameters.ts'

/** How many participants came with a value of a parameter; '' stands for those that are counted together. */
export type ParameterCount = { name: string; value: string; count: number }

/** With which values of a parameter participants came. */
export type Source = {
  name: string
  /** Those who came with any. */
  nb_participants: number
  /** The most frequent ones, most frequent first. */
  values: { value: string; count: number }[]
  /** Those who came with another. */
  nb_others: number
}

const MOST_SHOWN = 20

const sumOf = (counts: readonly { count: number }[]): number =>
  counts.reduce((sum, { count }) => sum + count, 0)

/** The values of each parameter, where participants come from first; equally frequent ones by their text. */
export const sourcesOf = (counts: readonly ParameterCount[]): Source[] => {
  const byName = Map.groupBy(counts, ({ name }) => name)
  return orderedNames(byName.keys()).map((name) => {
    const all = byName.get(name) ?? []
    const nb_participants = sumOf(all)
    const values = all
      .filter(({ value }) => value !== '')
      .map(({ value, count }) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST_SHOWN)
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

/** How many parameters participants can be filtered by at once. */
export const MAX_FILTER_PARAMETERS = 5

/** What the filter `parameters` asks for, each name once, in one order; an empty value is of those without. */
export const filteredParameters = (query = ''): [name: string, value: string][] =>
  [...new Map(readQuery(query))].sort(([a], [b]) => (a < b ? -1 : 1))

/** Whether the text can be that filter: a value is as it would be stored, as the database takes no other (a NUL). */
export const isParameterFilter = (query: string): boolean => {
  const asked = filteredParameters(query)
  return (
    asked.length <= MAX_FILTER_PARAMETERS &&
    asked.every(([name, value]) => isParameterName(name) && value === parameterValue(value))
  )
}
