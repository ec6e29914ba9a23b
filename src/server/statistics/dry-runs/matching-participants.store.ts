import { type RawBuilder, sql } from 'kysely'
import type { DryRunSubject } from '#domain/deliveries/dry-run.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import { replyPlaces } from '#domain/run/stored-replies.ts'
import type { AnsweredVersion } from '#domain/statistics/asked-questions.ts'
import { dimensionAppearances } from '#domain/statistics/dimension-figures.ts'
import type { Db } from '#server/db/database.ts'
import { isForwardable } from '#server/responses/consent.store.ts'
import type { View } from '#server/statistics/figures/read-view.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'

type ConsentMode = Parameters<typeof isForwardable>[0]

const allOf = (conditions: RawBuilder<boolean>[]): Condition =>
  sql<boolean>`(${sql.join(conditions, sql` and `)})`

const anyOf = (conditions: RawBuilder<boolean>[]): Condition =>
  conditions.length > 0 ? sql<boolean>`(${sql.join(conditions, sql` or `)})` : sql<boolean>`false`

/** Selects the participants who replied to a question, in each version that has the question. */
const hasReply = (versions: readonly AnsweredVersion[], question_id: string | null): Condition => {
  const conditions = versions.flatMap(({ version, snapshot }) =>
    replyPlaces(snapshot)
      .filter(({ question }) => question.id === question_id)
      .map(({ question, slot, text }) =>
        text === null || isChoice(question)
          ? sql<boolean>`(version = ${version} and choices[${sql.lit(slot + 1)}] >= 0)`
          : sql<boolean>`(version = ${version} and texts[${sql.lit(text + 1)}] <> '')`,
      ),
  )
  return anyOf(conditions)
}

/** Selects the participants who were shown a dimension, in each version that has the dimension. */
const hasPercent = (
  versions: readonly AnsweredVersion[],
  dimension_id: string | null,
): Condition => {
  const places = dimensionAppearances(versions).get(dimension_id ?? '') ?? []
  return anyOf(
    places.map(
      ({ version, rank }) =>
        sql<boolean>`(version = ${version} and dimension_percents[${sql.lit(rank)}] is not null)`,
    ),
  )
}

const hasMappedValue = (
  subject: Extract<DryRunSubject, { source: unknown }>,
  versions: readonly AnsweredVersion[],
): Condition => {
  if (subject.source === 'score') return sql<boolean>`score is not null`
  if (subject.source === 'result') return sql<boolean>`result_position is not null`
  if (subject.source === 'own_page')
    return sql<boolean>`exists (select from quizzes where quizzes.id = responses.quiz_id and keeps_page)`
  if (subject.source === 'measure') return sql<boolean>`measure_version is not null`
  if (subject.source === 'measure_day') return sql<boolean>`measure_version > 0`
  if (subject.source === 'dimension') return hasPercent(versions, subject.dimension_id ?? null)
  return hasReply(versions, subject.question_id)
}

/**
 * Returns the SQL condition of the participants whom a subject concerns and who can be forwarded. The view already
 * selects the participants of a rule.
 */
export const matchingCondition = (
  subject: DryRunSubject,
  { condition, answeredVersions }: Pick<View, 'condition' | 'answeredVersions'>,
  consent_mode: ConsentMode,
): Condition =>
  allOf([
    isForwardable(consent_mode),
    ...(condition ? [condition] : []),
    ...('source' in subject ? [hasMappedValue(subject, answeredVersions)] : []),
  ])

/** Counts the participants of a quiz that match a condition. */
export const countMatching = async (
  db: Db,
  quiz_id: string,
  condition: Condition,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from responses where quiz_id = ${quiz_id} and ${condition}
  `.execute(db)
  return rows[0]?.count ?? 0
}
