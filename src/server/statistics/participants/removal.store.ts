import { sql } from 'kysely'
import { NOT_VISITED } from '#domain/run/stored-replies.ts'
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
  /** Further work in the transaction, after participants were deleted; not called if none was. */
  after?: (removal: Db) => Promise<void>
  /** Condition that participants must still meet after their quiz is locked. */
  condition?: Condition
}

const SOURCES = sourcesOf('deleted_participants', 'quiz_questions')

/** SQL that subtracts the deleted participants from each counter. */
const SUBTRACT_COUNTS = FAMILIES.map(([figure, family]) => {
  const key = ['quiz_id', ...Object.keys(family.key)]
  const columnsOf = (row: string): string => key.map((column) => `${row}.${column}`).join(', ')
  return `subtracted_${figure} as (
  update ${family.table} as counter set count = counter.count - removed.count
  from (${countRows(family, SOURCES)}) as removed
  where (${columnsOf('counter')}) = (${columnsOf('removed')})
)`
}).join(', ')

/**
 * Deletes participants, their deliveries and their share of every counter atomically, and returns their number.
 * Texts and parameters that no other participant gave are deleted too. Quizzes are locked in the same order as
 * for submissions, so that no deadlock arises.
 */
export const removeResponses = async (
  db: Db,
  participant_keys: readonly ParticipantKey[],
  { before, after, condition = sql<boolean>`true` }: Removal = {},
): Promise<number> => {
  if (participant_keys.length === 0) return 0
  const quiz_ids = [...new Set(participant_keys.map(({ quiz_id }) => quiz_id))]
  return db.transaction().execute(async (removal) => {
    await sql`
      select from all_quizzes where id = any(${quiz_ids}::uuid[]) order by id for update
    `.execute(removal)
    await before?.(removal)
    const { rows } = await sql<{ count: number }>`
      with quiz_questions as (
        select * from version_questions where quiz_id = any(${quiz_ids}::uuid[])
      ), first_slots as (
        select quiz_id, version, question_position, min(rank) as rank from quiz_questions
        where is_choice group by 1, 2, 3
      ), deleted_participants as (
        delete from responses
        where (quiz_id, participant_uuid) in (
          select * from jsonb_to_recordset(${JSON.stringify(participant_keys)}::jsonb)
            as participant_key(quiz_id uuid, participant_uuid uuid)
        ) and ${condition}
        returning *
      ), updated_versions as (
        update quiz_versions as counter set
          nb_responses = nb_responses - removed.count, nb_deleted = nb_deleted + removed.count
        from (${sql.raw(countRows(PARTICIPANTS, SOURCES))}) as removed
        where (counter.quiz_id, counter.version) = (removed.quiz_id, removed.version)
      ), ${sql.raw(SUBTRACT_COUNTS)}, deleted_rare_answers as (
        delete from rare_answers as listed_answer using (
          select quiz_id, version, slots.rank, answer, participant_uuid
          from deleted_participants cross join lateral unnest(choices) with ordinality as choice(answer, rank)
          join quiz_questions using (quiz_id, version, rank)
          join first_slots as slots using (quiz_id, version, question_position)
          where is_choice
        ) as removed_answer
        where (
          listed_answer.quiz_id, listed_answer.version, listed_answer.rank,
          listed_answer.answer_position, listed_answer.participant_uuid
        ) = (
          removed_answer.quiz_id, removed_answer.version, removed_answer.rank,
          removed_answer.answer, removed_answer.participant_uuid
        )
      ), skipped_steps as (
        select quiz_id, version, quarter, step, count(*) from (
          select distinct quiz_id, version, participant_uuid,
            ${sql.raw(COUNTER_FAMILIES.days.key.quarter)} as quarter,
            (snapshot -> 'questions' -> question_position::integer ->> 'page_number')::integer + 1 as step
          from deleted_participants cross join lateral unnest(choices) with ordinality as choice(answer, rank)
          join quiz_questions using (quiz_id, version, rank)
          join quiz_versions using (quiz_id, version)
          where is_choice and answer = ${sql.lit(NOT_VISITED)}
        ) as skipped_questions
        group by 1, 2, 3, 4
      ), removed_visits as (
        -- Participants reached every step except skipped pages, at most half a day before or after their submission.
        select removed.quiz_id, removed.version, removed.quarter, step, sum(counter.count) as count,
          removed.count - coalesce((
            select count from skipped_steps
            where (skipped_steps.quiz_id, skipped_steps.version, skipped_steps.quarter, skipped_steps.step)
              = (removed.quiz_id, removed.version, removed.quarter, counter.step)
          ), 0) as nb_removed
        from (${sql.raw(countRows(COUNTER_FAMILIES.days, SOURCES))}) as removed
        join visit_counts as counter
          on counter.quiz_id = removed.quiz_id and counter.version = removed.version
          and counter.quarter between removed.quarter - interval '12 hours'
            and removed.quarter + interval '12 hours'
        group by 1, 2, 3, 4, removed.count
      ), updated_visits as (
        insert into visit_counts (quiz_id, version, quarter, step, count)
        select quiz_id, version, quarter, step, -least(count, nb_removed) from removed_visits
        where count > 0 and nb_removed > 0
        order by 1, 2, 3, 4
        on conflict (quiz_id, version, quarter, step)
        do update set count = visit_counts.count + excluded.count
      )
      select count(*) from deleted_participants
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
    const count = rows[0]?.count ?? 0
    if (count > 0) await after?.(removal)
    return count
  })
}
