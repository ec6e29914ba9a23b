import { sql } from 'kysely'
import { UNSEEN } from '#domain/run/stored-replies.ts'
import {
  COUNTER_FAMILIES,
  countRows,
  FAMILIES,
  PARTICIPANTS,
  sourcesOf,
} from '#server/db/counter-families.ts'
import type { Db } from '#server/db/database.ts'
import { RESPONSES_CHANNEL } from '#server/responses/response-events.ts'
import type { Condition } from '#server/statistics/selection/participant-filters.ts'

/** Key of a participant. */
export type ParticipantKey = { quiz_id: string; participant_uuid: string }

type Removal = {
  /** Further work in the transaction, before the participants are deleted. */
  before?: (removal: Db) => Promise<void>
  /** Condition that participants must still meet after their quiz is locked. */
  condition?: Condition
}

const SOURCES = sourcesOf('gone', 'asked')

/** SQL that subtracts the deleted participants from each counter. */
const UNCOUNTED = FAMILIES.map(([figure, family]) => {
  const key = ['quiz_id', ...Object.keys(family.key)]
  const columnsOf = (row: string): string => key.map((column) => `${row}.${column}`).join(', ')
  return `uncounted_${figure} as (
  update ${family.table} as kept set count = kept.count - lost.count
  from (${countRows(family, SOURCES)}) as lost
  where (${columnsOf('kept')}) = (${columnsOf('lost')})
)`
}).join(', ')

/**
 * Deletes participants, their deliveries and their share of every counter atomically, and returns their number.
 * Texts and parameters that no other participant gave are deleted too. Quizzes are locked in the same order as
 * for submissions, so that no deadlock arises.
 */
export const removeResponses = async (
  db: Db,
  takings: readonly ParticipantKey[],
  { before, condition = sql<boolean>`true` }: Removal = {},
): Promise<number> => {
  if (takings.length === 0) return 0
  const quiz_ids = [...new Set(takings.map(({ quiz_id }) => quiz_id))]
  return db.transaction().execute(async (removal) => {
    await sql`
      select from quizzes where id = any(${quiz_ids}::uuid[]) order by id for update
    `.execute(removal)
    await before?.(removal)
    const { rows } = await sql<{ count: number }>`
      with asked as (
        select * from version_questions where quiz_id = any(${quiz_ids}::uuid[])
      ), first_slots as (
        select quiz_id, version, question_position, min(rank) as rank from asked
        where is_choice group by 1, 2, 3
      ), gone as (
        delete from responses
        where (quiz_id, participant_uuid) in (
          select * from jsonb_to_recordset(${JSON.stringify(takings)}::jsonb)
            as taking(quiz_id uuid, participant_uuid uuid)
        ) and ${condition}
        returning *
      ), participants as (
        update quiz_versions as kept set
          nb_responses = nb_responses - lost.count, nb_deleted = nb_deleted + lost.count
        from (${sql.raw(countRows(PARTICIPANTS, SOURCES))}) as lost
        where (kept.quiz_id, kept.version) = (lost.quiz_id, lost.version)
      ), ${sql.raw(UNCOUNTED)}, listed as (
        delete from rare_answers as kept using (
          select quiz_id, version, slots.rank, answer, participant_uuid
          from gone cross join lateral unnest(choices) with ordinality as choice(answer, rank)
          join asked using (quiz_id, version, rank)
          join first_slots as slots using (quiz_id, version, question_position)
          where is_choice
        ) as lost
        where (kept.quiz_id, kept.version, kept.rank, kept.answer_position, kept.participant_uuid)
          = (lost.quiz_id, lost.version, lost.rank, lost.answer, lost.participant_uuid)
      ), left_out as (
        select quiz_id, version, quarter, step, count(*) from (
          select distinct quiz_id, version, participant_uuid,
            ${sql.raw(COUNTER_FAMILIES.days.key.quarter)} as quarter,
            (snapshot -> 'questions' -> question_position::integer ->> 'page_number')::integer + 1 as step
          from gone cross join lateral unnest(choices) with ordinality as choice(answer, rank)
          join asked using (quiz_id, version, rank)
          join quiz_versions using (quiz_id, version)
          where is_choice and answer = ${sql.lit(UNSEEN)}
        ) as unseen
        group by 1, 2, 3, 4
      ), visited as (
        -- Participants came to every step except skipped pages, at most half a day before or after their submission.
        select lost.quiz_id, lost.version, lost.quarter, step, sum(kept.count) as count,
          lost.count - coalesce((
            select count from left_out
            where (left_out.quiz_id, left_out.version, left_out.quarter, left_out.step)
              = (lost.quiz_id, lost.version, lost.quarter, kept.step)
          ), 0) as nb_lost
        from (${sql.raw(countRows(COUNTER_FAMILIES.days, SOURCES))}) as lost
        join visit_counts as kept on kept.quiz_id = lost.quiz_id and kept.version = lost.version
          and kept.quarter between lost.quarter - interval '12 hours' and lost.quarter + interval '12 hours'
        group by 1, 2, 3, 4, lost.count
      ), unvisited as (
        insert into visit_counts (quiz_id, version, quarter, step, count)
        select quiz_id, version, quarter, step, -least(count, nb_lost) from visited
        where count > 0 and nb_lost > 0
        order by 1, 2, 3, 4
        on conflict (quiz_id, version, quarter, step)
        do update set count = visit_counts.count + excluded.count
      )
      select count(*) from gone
    `.execute(removal)
    await sql`
      delete from text_counts where (quiz_id, question_id) in (
        select quiz_id, question_id from version_questions
        where quiz_id = any(${quiz_ids}::uuid[]) and not is_choice
      ) and count = 0
    `.execute(removal)
    await sql`
      delete from parameter_counts where quiz_id = any(${quiz_ids}::uuid[]) and count = 0
    `.execute(removal)
    // The notification is sent at the commit and refreshes open statistics.
    await sql`
      select pg_notify(${RESPONSES_CHANNEL}, quiz_id) from unnest(${quiz_ids}::text[]) as quiz_id
    `.execute(removal)
    return rows[0]?.count ?? 0
  })
}
