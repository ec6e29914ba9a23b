import { type RawBuilder, sql } from 'kysely'
import type { ParticipantFilters } from '#contract/participant-filters.ts'
import { emailSearchTerm } from '#domain/common/addresses.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import {
  type AnswerPlace,
  answerPlaces,
  createWordingFilter,
  filteredIds,
  filteredParameters,
  filteredQuestion,
  idOfFilter,
  momentsOfDays,
  resultWordings,
} from '#domain/statistics/filter-choices.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { findQuestionIdsInVersions, wasEverPublished } from '#server/quizzes/versions.store.ts'
import { filterByCampaign } from './campaign-filter.store.ts'
import { filterByConfirmation } from './confirmation-filter.ts'
import {
  filterByParameter,
  filterByPerson,
  hasParticipantId,
  type Selection,
} from './indexed-filters.store.ts'
import { filterByCertificate, filterByPercents } from './percent-filters.ts'
import { findRareAnswers } from './rare-answers.store.ts'
import {
  countBetween,
  countChosen,
  countEndedOn,
  type ResultPlace,
} from './selection-sizes.store.ts'
import { filterByTiers } from './tier-filters.ts'

/** SQL condition on a row of `responses`, in addition to its quiz. */
export type Condition = RawBuilder<boolean>

/**
 * Restricts a condition to participants of these versions, because the replies of other versions cannot be
 * displayed.
 */
export const restrictToVersions = (
  versions: readonly Pick<AnsweredVersion, 'version'>[],
  condition: Condition = sql<boolean>`true`,
): Condition => {
  const numbers = versions.map(({ version }) => version)
  return sql<boolean>`(version = any(${numbers}::integer[]) and ${condition})`
}

/** Returns true if the filters exclude any participant. */
export const isFiltered = (filters: ParticipantFilters): boolean =>
  Object.values(filterValues(filters)).some((value) => value !== undefined && value !== '')

const filterValues = (filters: ParticipantFilters) => {
  const { email, result, answer, tier, percent, certificate, parameters, from, to } = filters
  const { confirmation, campaign, group } = filters
  return {
    email: email && emailSearchTerm(email),
    result,
    answer,
    tier,
    percent,
    certificate,
    confirmation,
    campaign,
    group,
    parameters,
    from,
    to,
  }
}

/** Throws a 422 if the first date is after the last. */
export const rejectReversedDates = ({ from, to }: ParticipantFilters): void => {
  if (from && to && from > to) throw invalid('La date de fin précède la date de début', 'to')
}

/**
 * Returns the SQL condition of the filters and an upper bound of its matches; undefined without filters. Days
 * are in `time_zone`; `versions` are the versions with participants. Throws a 422 for reversed dates and for
 * unknown results, answers, tiers or percents.
 */
export const buildSelection = async (
  db: Db,
  quiz_id: string,
  { filters, time_zone }: { filters: ParticipantFilters; time_zone: string },
  versions: readonly AnsweredVersion[],
): Promise<Selection | undefined> => {
  const values = filterValues(filters)
  const { email, result, answer, tier, percent, certificate, confirmation, ...others } = values
  const { parameters, campaign, group, ...days } = others
  rejectReversedDates(filters)
  const { from, before } = momentsOfDays(days, time_zone)
  const results = result ? resultPlaces(versions, result) : []
  const answers = await answersByQuestion(db, quiz_id, { versions, answer })
  const further = [
    ...(await filterByTiers(db, quiz_id, { versions, tier })),
    ...filterByPercents(db, quiz_id, { versions, percent }),
    ...filterByCertificate(db, quiz_id, certificate),
    ...filterByConfirmation(db, quiz_id, confirmation),
    ...filterByCampaign(db, quiz_id, { campaign, group }),
  ]
  const isUntaken = result !== undefined && results.length === 0
  if (isUntaken && !(await wasEverPublished(db, quiz_id, 'result', idOfFilter(result))))
    throw invalid(NOT_OF_THIS_QUIZ, 'result')
  if (isUntaken || [...answers.values()].some((places) => places.length === 0)) return NONE
  const addressed = email ? await filterByPerson(db, quiz_id, email) : undefined
  const chosen = await selectByAnswers(db, quiz_id, answers)
  const parameter_conditions = await Promise.all(
    filteredParameters(parameters).map((parameter) => filterByParameter(db, quiz_id, parameter)),
  )
  const conditions = [
    addressed ? addressed.condition : [],
    from ? sql<boolean>`created_at >= ${from}::timestamptz` : [],
    before ? sql<boolean>`created_at < ${before}::timestamptz` : [],
    result ? hasResult(results) : [],
    chosen.conditions,
    [...parameter_conditions, ...further].map(({ condition }) => condition),
  ].flat()
  if (conditions.length === 0) return undefined
  const upperBound = async (): Promise<number> =>
    Math.min(
      addressed ? await addressed.upperBound() : Number.POSITIVE_INFINITY,
      result ? await countEndedOn(db, quiz_id, results) : Number.POSITIVE_INFINITY,
      chosen.upperBound,
      ...(await Promise.all(
        [...parameter_conditions, ...further].map(({ upperBound }) => upperBound()),
      )),
      await countBetween(db, quiz_id, { from, before }),
    )
  return { condition: sql<boolean>`(${sql.join(conditions, sql` and `)})`, upperBound }
}

const NOT_OF_THIS_QUIZ = 'Ce résultat ou cette réponse ne fait pas partie du questionnaire'

/**
 * Returns the places of the filtered answers, by question. A question without places matches no participant,
 * because its answers belong to no version with participants.
 */
const answersByQuestion = async (
  db: Db,
  quiz_id: string,
  { versions, answer }: { versions: readonly AnsweredVersion[]; answer: string | undefined },
): Promise<Map<string, AnswerPlace[]>> => {
  const answer_ids = filteredIds(answer)
  const places = answerPlaces(versions, answer_ids)
  const groups = new Map<string, AnswerPlace[]>(
    Map.groupBy(places, ({ question_id }) => question_id),
  )
  const offered_ids = new Set(places.flatMap((place) => place.answers))
  const unoffered_ids = answer_ids.filter((id) => !offered_ids.has(id))
  const heldBy = (id: string): string => filteredQuestion(id) ?? idOfFilter(id)
  const questions = await findQuestionIdsInVersions(db, quiz_id, unoffered_ids.map(heldBy))
  for (const id of unoffered_ids) {
    const question_id = questions.get(heldBy(id))
    // The id of a question is not a valid answer.
    if (
      question_id === undefined ||
      (question_id === heldBy(id) && filteredQuestion(id) === undefined)
    )
      throw invalid(NOT_OF_THIS_QUIZ, 'answer')
    if (!groups.has(question_id)) groups.set(question_id, [])
  }
  return groups
}

/** Selection without participants, for a version whose participants were all deleted. */
const NONE: Selection = { condition: sql<boolean>`false`, upperBound: async () => 0 }

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

/** Returns one condition per rank of the result, so that an index can be used. */
const hasResult = (places: ResultPlace[]): RawBuilder<boolean> => {
  const ranks = Map.groupBy(places, ({ result_position }) => result_position)
  return anyOf(
    [...ranks].map(([rank, answers]) => {
      const numbers = answers.map(({ version }) => version)
      return sql<boolean>`(result_position = ${rank} and version = any(${numbers}::integer[]))`
    }),
  )
}

/**
 * Returns the conditions of the filtered answers and an upper bound of their matches. Participants with the
 * rarest answer are selected by id if the answer is rare.
 */
const selectByAnswers = async (
  db: Db,
  quiz_id: string,
  answers: ReadonlyMap<string, AnswerPlace[]>,
): Promise<{ conditions: RawBuilder<boolean>[]; upperBound: number }> => {
  const places = [...answers.values()].flat()
  const counts =
    places.length > 0 ? await countChosen(db, quiz_id, places) : new Map<string, number>()
  const [rarest, ...others] = [...answers]
    .map(([question_id, places]) => ({ places, count: counts.get(question_id) ?? 0 }))
    .sort((a, b) => a.count - b.count)
  if (!rarest) return { conditions: [], upperBound: Number.POSITIVE_INFINITY }
  const rare = await findRareAnswers(db, quiz_id, rarest)
  return {
    conditions: [
      rare ? hasParticipantId(rare) : hasAnswer(rarest.places),
      ...others.map(({ places }) => hasAnswer(places)),
    ],
    upperBound: rarest.count,
  }
}

const hasAnswer = (places: AnswerPlace[]): RawBuilder<boolean> =>
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
