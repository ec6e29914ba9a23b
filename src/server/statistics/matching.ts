import { type RawBuilder, sql } from 'kysely'
import type { ParticipantFilters } from '#contract/filters.ts'
import type { TakenVersion } from '#domain/asked-questions.ts'
import { type AnswerPlace, answerPlaces, filteredQuestion } from '#domain/filter-choices.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { wasEver } from '#server/quizzes/versions.store.ts'
import { addressedTo, named, type Selection } from './addresses.ts'
import { findRare } from './rare-answers.store.ts'
import { chosenBy, endedOn, mostBetween, type ResultPlace } from './selection-sizes.store.ts'

/** A condition on a row of `responses`, beside its quiz. */
export type Condition = RawBuilder<boolean>

/** Whether these filters exclude any participant. */
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
 * The filters as a condition on `responses`, and the most participants they may select; undefined when they
 * exclude none. `versions` are those with participants. 422 when the dates are reversed, or when a result or
 * an answer was never one of the quiz.
 */
export const selectionOf = async (
  db: Db,
  quiz_id: string,
  filters: ParticipantFilters,
  versions: readonly TakenVersion[],
): Promise<Selection | undefined> => {
  const { email, result, answer, from, to } = filterValues(filters)
  if (from && to && from > to) throw invalid('La date de fin précède la date de début', 'to')
  const results = result ? resultPlaces(versions, result) : []
  const answers = answer ? answerPlaces(versions, answer) : []
  const untaken = [
    ...(result && results.length === 0
      ? [{ field: 'result', kind: 'result', id: result } as const]
      : []),
    ...(answer && answers.length === 0 ? [untakenAnswer(answer)] : []),
  ]
  for (const { field, kind, id } of untaken)
    if (!(await wasEver(db, quiz_id, kind, id)))
      throw invalid('Ce choix ne fait pas partie du quiz', field)
  if (untaken.length > 0) return NONE
  const addressed = email ? await addressedTo(db, quiz_id, email) : undefined
  const chosen = answer ? await chosenBy(db, quiz_id, answers) : Number.POSITIVE_INFINITY
  const gave = answer ? await giving(db, quiz_id, { places: answers, count: chosen }) : []
  const conditions = [
    addressed ? addressed.condition : [],
    from ? sql<boolean>`created_at >= ${from}::date::timestamp at time zone 'Europe/Paris'` : [],
    to ? sql<boolean>`created_at < (${to}::date + 1)::timestamp at time zone 'Europe/Paris'` : [],
    result ? endsOn(results) : [],
    gave,
  ].flat()
  if (conditions.length === 0) return undefined
  const most = async (): Promise<number> =>
    Math.min(
      addressed ? await addressed.most() : Number.POSITIVE_INFINITY,
      result ? await endedOn(db, quiz_id, results) : Number.POSITIVE_INFINITY,
      chosen,
      await mostBetween(db, quiz_id, { from, to }),
    )
  return { condition: sql<boolean>`(${sql.join(conditions, sql` and `)})`, most }
}

/** What a version must hold for this answer to be one of the quiz. */
const untakenAnswer = (answer: string) => {
  const question_id = filteredQuestion(answer)
  return question_id === undefined
    ? ({ field: 'answer', kind: 'answer', id: answer } as const)
    : ({ field: 'answer', kind: 'question', id: question_id } as const)
}

/** Selects no participant: those of a version may have been deleted since. */
const NONE: Selection = { condition: sql<boolean>`false`, most: async () => 0 }

const anyOf = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`

const resultPlaces = (versions: readonly TakenVersion[], result: string): ResultPlace[] =>
  versions.flatMap(({ version, snapshot }) =>
    snapshot.results.flatMap(({ id }, result_position) =>
      id === result ? { version, result_position } : [],
    ),
  )

/** One condition for each rank that the result has, so that an index finds it. */
const endsOn = (places: ResultPlace[]): RawBuilder<boolean> => {
  const ranks = Map.groupBy(places, ({ result_position }) => result_position)
  return anyOf(
    [...ranks].map(([rank, of]) => {
      const numbers = of.map(({ version }) => version)
      return sql<boolean>`(result_position = ${rank} and version = any(${numbers}::integer[]))`
    }),
  )
}

/** The participants who gave an answer: by id where they are few, and listed. */
const giving = async (
  db: Db,
  quiz_id: string,
  { places, count }: { places: AnswerPlace[]; count: number },
): Promise<RawBuilder<boolean>> => {
  const rare = await findRare(db, quiz_id, { places, count })
  return rare ? named(rare) : chooses(places)
}

const chooses = (places: AnswerPlace[]): RawBuilder<boolean> =>
  anyOf(
    places.map(
      ({ version, answer_position, first_slot: first, last_slot: last }) =>
        sql<boolean>`(version = ${version} and ${
          first === last
            ? sql`choices[${sql.lit(first)}] = ${answer_position}`
            : sql`${answer_position} = any(choices[${sql.lit(first)}:${sql.lit(last)}])`
        })`,
    ),
  )
