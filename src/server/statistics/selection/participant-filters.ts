import { type RawBuilder, sql } from 'kysely'
import type { ParticipantFilters } from '#contract/figures.ts'
import { searchedEmail } from '#domain/common/addresses.ts'
import { momentsOfDays } from '#domain/common/time-zone.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import {
  type AnswerPlace,
  answerPlaces,
  createWordingFilter,
  filteredAnswers,
  filteredQuestion,
  idOfFilter,
  resultWordings,
} from '#domain/statistics/filter-choices.ts'
import { filteredParameters } from '#domain/statistics/sources.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { findQuestionIdsInVersions, wasEverPublished } from '#server/quizzes/versions.store.ts'
import { filterByAddress, named, type Selection } from './email-filters.store.ts'
import { filterByParameter } from './parameters.store.ts'
import { findRareAnswers } from './rare-answers.store.ts'
import {
  countBetween,
  countChosen,
  countEndedOn,
  type ResultPlace,
} from './selection-sizes.store.ts'

/** A condition on a row of `responses`, beside its quiz. */
export type Condition = RawBuilder<boolean>

/** Those of these versions, and of a selection if any: what is known of no other version cannot be told. */
export const restrictToVersions = (
  versions: readonly Pick<AnsweredVersion, 'version'>[],
  condition: Condition = sql<boolean>`true`,
): Condition => {
  const numbers = versions.map(({ version }) => version)
  return sql<boolean>`(version = any(${numbers}::integer[]) and ${condition})`
}

/** Whether these filters exclude any participant. */
export const isFiltered = (filters: ParticipantFilters): boolean =>
  Object.values(filterValues(filters)).some((value) => value !== undefined && value !== '')

const filterValues = ({ email, result, answer, parameters, from, to }: ParticipantFilters) => ({
  email: email && searchedEmail(email),
  result,
  answer,
  parameters,
  from,
  to,
})

/** 422: dates that leave no day. */
export const rejectReversedDates = ({ from, to }: ParticipantFilters): void => {
  if (from && to && from > to) throw invalid('La date de fin précède la date de début', 'to')
}

/**
 * Returns the filters as a condition on `responses`, and the most participants they may select; undefined when they
 * exclude none. Days are those of `time_zone`; `versions` are those with participants. 422 when the dates are reversed,
 * or when a result or an answer was never one of the quiz.
 */
export const buildSelection = async (
  db: Db,
  quiz_id: string,
  { filters, time_zone }: { filters: ParticipantFilters; time_zone: string },
  versions: readonly AnsweredVersion[],
): Promise<Selection | undefined> => {
  const { email, result, answer, parameters, ...days } = filterValues(filters)
  rejectReversedDates(filters)
  const { from, before } = momentsOfDays(days, time_zone)
  const results = result ? resultPlaces(versions, result) : []
  const answers = await answersByQuestion(db, quiz_id, { versions, answer })
  const isUntaken = result !== undefined && results.length === 0
  if (isUntaken && !(await wasEverPublished(db, quiz_id, 'result', idOfFilter(result))))
    throw invalid(NEVER_WAS, 'result')
  if (isUntaken || [...answers.values()].some((places) => places.length === 0)) return NONE
  const addressed = email ? await filterByAddress(db, quiz_id, email) : undefined
  const chosen = await choosing(db, quiz_id, answers)
  const came = await Promise.all(
    filteredParameters(parameters).map((one) => filterByParameter(db, quiz_id, one)),
  )
  const conditions = [
    addressed ? addressed.condition : [],
    from ? sql<boolean>`created_at >= ${from}::timestamptz` : [],
    before ? sql<boolean>`created_at < ${before}::timestamptz` : [],
    result ? endsOn(results) : [],
    chosen.conditions,
    came.map(({ condition }) => condition),
  ].flat()
  if (conditions.length === 0) return undefined
  const most = async (): Promise<number> =>
    Math.min(
      addressed ? await addressed.most() : Number.POSITIVE_INFINITY,
      result ? await countEndedOn(db, quiz_id, results) : Number.POSITIVE_INFINITY,
      chosen.most,
      ...(await Promise.all(came.map(({ most }) => most()))),
      await countBetween(db, quiz_id, { from, before }),
    )
  return { condition: sql<boolean>`(${sql.join(conditions, sql` and `)})`, most }
}

const NEVER_WAS = 'Ce choix ne fait pas partie du quiz'

/** The places of the answers to each question, by its id; none where no participant took a version that has them. */
const answersByQuestion = async (
  db: Db,
  quiz_id: string,
  { versions, answer }: { versions: readonly AnsweredVersion[]; answer: string | undefined },
): Promise<Map<string, AnswerPlace[]>> => {
  const asked = filteredAnswers(answer)
  const places = answerPlaces(versions, asked)
  const groups = new Map<string, AnswerPlace[]>(
    Map.groupBy(places, ({ question_id }) => question_id),
  )
  const taken = new Set(places.flatMap((place) => place.answers))
  const untaken = asked.filter((id) => !taken.has(id))
  const heldBy = (id: string): string => filteredQuestion(id) ?? idOfFilter(id)
  const questions = await findQuestionIdsInVersions(db, quiz_id, untaken.map(heldBy))
  for (const id of untaken) {
    const question_id = questions.get(heldBy(id))
    // A question is no answer.
    if (
      question_id === undefined ||
      (question_id === heldBy(id) && filteredQuestion(id) === undefined)
    )
      throw invalid(NEVER_WAS, 'answer')
    if (!groups.has(question_id)) groups.set(question_id, [])
  }
  return groups
}

/** Selects no participant: those of a version may have been deleted since. */
const NONE: Selection = { condition: sql<boolean>`false`, most: async () => 0 }

const anyOf = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`

const resultPlaces = (versions: readonly AnsweredVersion[], result: string): ResultPlace[] => {
  const isMeant = createWordingFilter(resultWordings(versions), result)
  return versions.flatMap(({ version, snapshot }) =>
    snapshot.results.flatMap(({ id, name: text }, result_position) =>
      isMeant({ id, text }) ? { version, result_position } : [],
    ),
  )
}

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

/**
 * The participants who gave, to each of these questions, one of these answers, and the most they may be: by id
 * those of the rarest, where they are few and listed.
 */
const choosing = async (
  db: Db,
  quiz_id: string,
  answers: ReadonlyMap<string, AnswerPlace[]>,
): Promise<{ conditions: RawBuilder<boolean>[]; most: number }> => {
  const places = [...answers.values()].flat()
  const counts =
    places.length > 0 ? await countChosen(db, quiz_id, places) : new Map<string, number>()
  const [rarest, ...others] = [...answers]
    .map(([question_id, places]) => ({ places, count: counts.get(question_id) ?? 0 }))
    .sort((a, b) => a.count - b.count)
  if (!rarest) return { conditions: [], most: Number.POSITIVE_INFINITY }
  const rare = await findRareAnswers(db, quiz_id, rarest)
  return {
    conditions: [
      rare ? named(rare) : chooses(rarest.places),
      ...others.map(({ places }) => chooses(places)),
    ],
    most: rarest.count,
  }
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
