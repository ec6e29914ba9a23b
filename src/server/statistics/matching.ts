import { type RawBuilder, sql } from 'kysely'
import type { ParticipantFilters } from '#contract/filters.ts'
import type { TakenVersion } from '#domain/statistics.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { addressedTo } from './addresses.ts'

/** A condition on a row of `responses`, beside its quiz. */
export type Condition = RawBuilder<boolean>

/** Whether these filters leave anybody out. */
export const isFiltered = (filters: ParticipantFilters): boolean =>
  Object.values(filterValues(filters)).some((value) => value !== undefined && value !== '')

const filterValues = ({ email, result, answer, from, to }: ParticipantFilters) => ({
  email: email?.trim(),
  result,
  answer,
  from,
  to,
})

/**
 * The filters as a condition on `responses`; undefined when nobody is left out. 422 when the dates are
 * reversed, or when a result or an answer is none of these versions.
 */
export const conditionOf = async (
  db: Db,
  quiz_id: string,
  filters: ParticipantFilters,
  versions: readonly TakenVersion[],
): Promise<Condition | undefined> => {
  const { email, result, answer, from, to } = filterValues(filters)
  if (from && to && from > to) throw invalid('La date de fin précède la date de début', 'to')
  const conditions = [
    email ? await addressedTo(db, quiz_id, email) : [],
    from ? sql<boolean>`created_at >= ${from}::date::timestamp at time zone 'Europe/Paris'` : [],
    to ? sql<boolean>`created_at < (${to}::date + 1)::timestamp at time zone 'Europe/Paris'` : [],
    result ? anyOf(resultPlaces(versions, result), 'result') : [],
    answer ? anyOf(answerPlaces(versions, answer), 'answer') : [],
  ].flat()
  return conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` and `)})` : undefined
}

const anyOf = (places: RawBuilder<boolean>[], field: string): RawBuilder<boolean> => {
  if (places.length === 0) throw invalid('Ce choix ne fait pas partie du quiz', field)
  return sql<boolean>`(${sql.join(places, sql` or `)})`
}

/** One condition for each rank that the result has, so that an index finds it. */
const resultPlaces = (versions: readonly TakenVersion[], result: string) => {
  const ranks = Map.groupBy(
    versions.flatMap(({ version, snapshot }) =>
      snapshot.results.flatMap(({ id }, rank) => (id === result ? { version, rank } : [])),
    ),
    ({ rank }) => rank,
  )
  return [...ranks].map(([rank, of]) => {
    const numbers = of.map(({ version }) => version)
    return sql<boolean>`(result_position = ${rank} and version = any(${numbers}::integer[]))`
  })
}

const answerPlaces = (versions: readonly TakenVersion[], answer: string) =>
  versions.flatMap(({ version, snapshot }) =>
    snapshot.questions
      .filter(({ type }) => type === 'multiple_choice')
      .flatMap(({ answers }, place) =>
        answers.flatMap(({ id }, rank) =>
          id === answer
            ? sql<boolean>`(version = ${version} and choices[${sql.lit(place + 1)}] = ${rank})`
            : [],
        ),
      ),
  )
