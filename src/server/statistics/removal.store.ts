import { sql } from 'kysely'
import { MOST_SECONDS } from '#domain/durations.ts'
import type { Db } from '#server/db/database.ts'
import { RESPONSES_CHANNEL } from './arrivals.ts'

/** Who took what. */
export type Taking = { quiz_id: string; participant_uuid: string }

/**
 * Deletes participants and takes them out of every counter, all or nothing; gives how many there were.
 * Texts that nobody gives any more are deleted with them, and what was to be sent to email tools. Their quizzes are locked against submissions,
 * which lock them in the same order, so that neither meets the other half-way.
 */
export const removeResponses = async (db: Db, takings: readonly Taking[]): Promise<number> => {
  if (takings.length === 0) return 0
  const quiz_ids = [...new Set(takings.map(({ quiz_id }) => quiz_id))]
  return db.transaction().execute(async (removal) => {
    await sql`
      select from quizzes where id = any(${quiz_ids}::uuid[]) order by id for update
    `.execute(removal)
    const { rows } = await sql<{ count: number }>`
      with asked as (
        select * from version_questions where quiz_id = any(${quiz_ids}::uuid[])
      ), gone as (
        delete from responses
        where (quiz_id, participant_uuid) in (
          select * from jsonb_to_recordset(${JSON.stringify(takings)}::jsonb)
            as taking(quiz_id uuid, participant_uuid uuid)
        )
        returning *
      ), participants as (
        update quiz_versions as kept set
          nb_responses = nb_responses - lost.count, nb_removed = nb_removed + lost.count
        from (select quiz_id, version, count(*) from gone group by 1, 2) as lost
        where (kept.quiz_id, kept.version) = (lost.quiz_id, lost.version)
      ), chosen as (
        update choice_counts as kept set count = kept.count - lost.count
        from (
          select quiz_id, version, question_position, answer, count(*) from gone
          cross join lateral unnest(choices) with ordinality as choice(answer, rank)
          join asked using (quiz_id, version, rank) where is_choice
          group by 1, 2, 3, 4
        ) as lost
        where (kept.quiz_id, kept.version, kept.question_position, kept.answer_position)
          = (lost.quiz_id, lost.version, lost.question_position, lost.answer)
      ), typed as (
        update text_counts as kept set count = kept.count - lost.count
        from (
          select quiz_id, question_id, sha256(convert_to(text, 'UTF8')) as digest, count(*) from gone
          cross join lateral unnest(texts) with ordinality as typed(text, rank)
          join asked using (quiz_id, version, rank) where not is_choice
          group by 1, 2, 3
        ) as lost
        where (kept.quiz_id, kept.question_id, kept.digest)
          = (lost.quiz_id, lost.question_id, lost.digest)
      ), listed as (
        delete from rare_answers as kept using (
          select gone.quiz_id, gone.version, rank, answer, participant_uuid
          from gone cross join lateral unnest(choices) with ordinality as choice(answer, rank)
        ) as lost
        where (kept.quiz_id, kept.version, kept.rank, kept.answer_position, kept.participant_uuid)
          = (lost.quiz_id, lost.version, lost.rank, lost.answer, lost.participant_uuid)
      ), ended as (
        update result_counts as kept set count = kept.count - lost.count
        from (select quiz_id, version, result_position, count(*) from gone group by 1, 2, 3) as lost
        where (kept.quiz_id, kept.version, kept.result_position)
          = (lost.quiz_id, lost.version, lost.result_position)
      ), scored as (
        update score_counts as kept set count = kept.count - lost.count
        from (select quiz_id, score, count(*) from gone group by 1, 2) as lost
        where (kept.quiz_id, kept.score) = (lost.quiz_id, lost.score)
      ), consented as (
        update consent_counts as kept set count = kept.count - lost.count
        from (select quiz_id, consent_version, count(*) from gone group by 1, 2) as lost
        where (kept.quiz_id, kept.consent_version) = (lost.quiz_id, lost.consent_version)
      ), dated as (
        update day_counts as kept set count = kept.count - lost.count
        from (
          select quiz_id, version, (created_at at time zone 'Europe/Paris')::date as day, count(*)
          from gone group by 1, 2, 3
        ) as lost
        where (kept.quiz_id, kept.version, kept.day) = (lost.quiz_id, lost.version, lost.day)
      ), timed as (
        update duration_counts as kept set count = kept.count - lost.count
        from (
          select quiz_id, least(elapsed_seconds, ${sql.lit(MOST_SECONDS)}) as seconds, count(*)
          from gone group by 1, 2
        ) as lost
        where (kept.quiz_id, kept.seconds) = (lost.quiz_id, lost.seconds)
      ), visited as (
        -- They came to every step, most likely on the day that they finished.
        update visit_counts as kept set count = greatest(kept.count - lost.count, 0)
        from (
          select quiz_id, version, (created_at at time zone 'Europe/Paris')::date as day, count(*)
          from gone group by 1, 2, 3
        ) as lost
        where (kept.quiz_id, kept.version, kept.day) = (lost.quiz_id, lost.version, lost.day)
      )
      select count(*) from gone
    `.execute(removal)
    await sql`
      delete from text_counts where (quiz_id, question_id) in (
        select quiz_id, question_id from version_questions
        where quiz_id = any(${quiz_ids}::uuid[]) and not is_choice
      ) and count = 0
    `.execute(removal)
    // Heard once this is committed: open statistics count again.
    await sql`
      select pg_notify(${RESPONSES_CHANNEL}, quiz_id) from unnest(${quiz_ids}::text[]) as quiz_id
    `.execute(removal)
    return rows[0]?.count ?? 0
  })
}
