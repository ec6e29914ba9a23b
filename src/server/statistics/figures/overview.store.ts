import { sql } from 'kysely'
import { OVERVIEW_DAYS, type QuizOverview } from '#contract/statistics/statistics.ts'
import { localDay, startOfDay } from '#domain/common/time-zone.ts'
import { type ResultCount, resultShares, type VersionResults } from '#domain/statistics/figures.ts'
import { findTimeZone } from '#server/account/account.store.ts'
import type { Db } from '#server/db/database.ts'
import { listQuizzesWithChanges } from '#server/quizzes/publish-quiz.ts'
import { IS_TOOL_DELIVERY } from '#server/responses/consent.store.ts'

/** Counters of one quiz. */
type QuizCounts = Omit<QuizOverview, 'days' | 'results' | 'has_unpublished_changes'> & {
  /** Days with participants: number of days after the first day, and number of participants. */
  day_ranks: number[]
  day_counts: number[]
  versions: VersionResults[]
  results: ResultCount[]
}

/**
 * SQL condition for the creator's own quizzes. The condition makes one index scan, independent of the quizzes of other
 * creators.
 */
const OF_OWN = sql`quiz_id = any(array(select quiz_id from own_quizzes))`

/**
 * Reads the counters of all quizzes of a creator in one statement that reads each table once. As in
 * domain/statistics/visits.ts, the visits of a version are the largest count of its steps, and at least its
 * participants.
 */
const listQuizCounts = async (
  db: Db,
  {
    creator_id,
    time_zone,
    first_day,
  }: { creator_id: string; time_zone: string; first_day: string },
): Promise<QuizCounts[]> => {
  const { rows } = await sql<QuizCounts>`
    with own_quizzes as (
      select id as quiz_id from quizzes where creator_id = ${creator_id}
    ), version_visits as (
      select quiz_id, version, max(count) as count
      from visit_step_counts where ${OF_OWN} group by 1, 2
    ), quiz_totals as (
      select quiz_id, sum(nb_responses) as nb_participants,
        sum(greatest(nb_responses, version_visits.count)) as nb_opened,
        json_agg(json_build_object(
          'version', version, 'nb_responses', nb_responses,
          'snapshot', json_build_object('results', version_results.results)
        )) filter (where nb_responses > 0) as versions
      from quiz_versions join version_results using (quiz_id, version)
        left join version_visits using (quiz_id, version)
      where ${OF_OWN} group by 1
    ), result_totals as (
      select quiz_id, json_agg(json_build_object(
        'version', version, 'result_position', result_position, 'count', count
      )) as results
      from result_counts where ${OF_OWN} group by 1
    ), recent_days as (
      select quiz_id, array_agg(day - ${first_day}::date) as day_ranks,
        array_agg(count::integer) as day_counts
      from (
        select quiz_id, (quarter at time zone ${time_zone})::date as day, sum(count) as count
        from quarter_counts
        where ${OF_OWN} and quarter >= ${startOfDay(first_day, time_zone)}::timestamptz group by 1, 2
      ) as daily_counts group by 1
    ), delivery_totals as (
      select quiz_id, sum(count) as nb_delivered
      from delivery_counts
      where ${OF_OWN} and status = 'delivered' and ${sql.raw(IS_TOOL_DELIVERY)} group by 1
    )
    select quiz_id as id,
      coalesce(nb_participants, 0)::integer as nb_participants,
      coalesce(nb_opened, 0)::integer as nb_opened,
      coalesce(nb_delivered, 0)::integer as nb_delivered,
      coalesce(day_ranks, '{}') as day_ranks, coalesce(day_counts, '{}') as day_counts,
      coalesce(versions, '[]') as versions, coalesce(results, '[]') as results
    from own_quizzes left join quiz_totals using (quiz_id) left join result_totals using (quiz_id)
      left join recent_days using (quiz_id) left join delivery_totals using (quiz_id)
  `.execute(db)
  return rows
}

const DAY_MS = 86_400_000
const DAY_LENGTH = 'YYYY-MM-DD'.length

/**
 * Returns the main figures of every quiz of a creator, by days in their time zone. The figures equal those of
 * each quiz's statistics.
 */
export const readOverview = async (
  db: Db,
  creator_id: string,
  now = new Date(),
): Promise<QuizOverview[]> => {
  const time_zone = await findTimeZone(db, creator_id)
  const today = Date.parse(localDay(now, time_zone))
  const first_day = new Date(today - (OVERVIEW_DAYS - 1) * DAY_MS)
    .toISOString()
    .slice(0, DAY_LENGTH)
  const counted = await listQuizCounts(db, { creator_id, time_zone, first_day })
  const changed = await listQuizzesWithChanges(db, creator_id)
  return counted.map(({ day_ranks, day_counts, versions, results, ...quiz }) => {
    const days = Array.from({ length: OVERVIEW_DAYS }, () => 0)
    // The clock of the database may be ahead, so that there are participants of tomorrow.
    for (const [index, rank] of day_ranks.entries())
      if (rank < OVERVIEW_DAYS) days[rank] = (days[rank] ?? 0) + (day_counts[index] ?? 0)
    return {
      ...quiz,
      days,
      results: resultShares(versions, results),
      has_unpublished_changes: changed.has(quiz.id),
    }
  })
}
