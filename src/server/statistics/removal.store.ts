import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/**
 * Deletes participants of one quiz and takes them out of every counter, all or nothing; gives how many
 * there were. Texts that nobody gives any more are deleted with them. The quiz is locked against its
 * submissions, which lock it too, so that neither meets the other half-way.
 */
export const removeResponses = (
  db: Db,
  quiz_id: string,
  participant_uuids: readonly string[],
): Promise<number> =>
  db.transaction().execute(async (removal) => {
    await sql`select from quizzes where id = ${quiz_id} for update`.execute(removal)
    const { rows } = await sql<{ count: number }>`
      with gone as (
        delete from responses
        where quiz_id = ${quiz_id} and participant_uuid = any(${participant_uuids}::uuid[])
        returning *
      ), participants as (
        update quiz_versions set nb_responses = nb_responses - lost.count
        from (select version, count(*) from gone group by 1) as lost
        where quiz_versions.quiz_id = ${quiz_id} and quiz_versions.version = lost.version
      ), chosen as (
        update choice_counts set count = choice_counts.count - lost.count
        from (
          select version, question_position, answer, count(*) from gone
          cross join lateral unnest(choices) with ordinality as choice(answer, rank)
          join version_questions using (quiz_id, version, rank) where is_choice
          group by 1, 2, 3
        ) as lost
        where choice_counts.quiz_id = ${quiz_id} and choice_counts.version = lost.version
          and choice_counts.question_position = lost.question_position
          and choice_counts.answer_position = lost.answer
      ), typed as (
        update text_counts set count = text_counts.count - lost.count
        from (
          select question_id, sha256(convert_to(text, 'UTF8')) as digest, count(*) from gone
          cross join lateral unnest(texts) with ordinality as typed(text, rank)
          join version_questions using (quiz_id, version, rank) where not is_choice
          group by 1, 2
        ) as lost
        where text_counts.quiz_id = ${quiz_id} and text_counts.question_id = lost.question_id
          and text_counts.digest = lost.digest
      ), ended as (
        update result_counts set count = result_counts.count - lost.count
        from (select version, result_position, count(*) from gone group by 1, 2) as lost
        where result_counts.quiz_id = ${quiz_id} and result_counts.version = lost.version
          and result_counts.result_position = lost.result_position
      ), scored as (
        update score_counts set count = score_counts.count - lost.count
        from (select score, count(*) from gone group by 1) as lost
        where score_counts.quiz_id = ${quiz_id} and score_counts.score = lost.score
      ), dated as (
        update day_counts set count = day_counts.count - lost.count
        from (
          select (created_at at time zone 'Europe/Paris')::date as day, count(*) from gone group by 1
        ) as lost
        where day_counts.quiz_id = ${quiz_id} and day_counts.day = lost.day
      )
      select count(*) from gone
    `.execute(removal)
    await sql`
      delete from text_counts where quiz_id = ${quiz_id} and count = 0 and question_id in (
        select question_id from version_questions where quiz_id = ${quiz_id} and not is_choice
      )
    `.execute(removal)
    return rows[0]?.count ?? 0
  })
