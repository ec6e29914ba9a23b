import { isUtm, sortParameterNames } from '#domain/questionnaire/parameters.ts'
import { sumCounts } from './sum-counts.ts'

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

/** Returns the values of each parameter, UTM parameters first. Equally frequent values are sorted by text. */
export const sourcesOf = (counts: readonly ParameterCount[]): Source[] => {
  const byName = Map.groupBy(counts, ({ name }) => name)
  return sortParameterNames(byName.keys()).map((name) => {
    const all = byName.get(name) ?? []
    const nb_participants = sumCounts(all)
    const values = all
      .filter(({ value }) => value !== '')
      .map(({ value, count }) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MAX_VALUES)
    return { name, nb_participants, values, nb_others: nb_participants - sumCounts(values) }
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
      name,
      nb_participants,
      values: [],
      nb_others: nb_participants,
    }))
