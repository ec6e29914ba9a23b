import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { AnswerPlace } from '#domain/statistics/filter-choices.ts'
import type { Db } from '#server/db/database.ts'
import { runEvery } from '#server/runtime/run-every.ts'

/** Minimum number of participants of a listed quiz; smaller quizzes are scanned fast enough. */
const MIN_PARTICIPANTS = 50_000
/**
 * Maximum number of participants with a rare answer. A scan of the newest participants finds more frequent
 * answers soon.
 */
const MAX_LISTED = 3_000
/**
 * Number of participants above which the list of an answer is deleted, because the answer will not become rare
 * again.
 */
const MAX_KEPT = 2 * MAX_LISTED
/** Maximum number of participants in a transaction. */
const MAX_STEP_SIZE = 50_000
/** Time after which every running submission has committed. */
const COMMIT_MARGIN = '1 minute'

/**
 * Returns the participants who gave a rare answer. Returns null if there are too many. Also returns null if the
 * list differs from `count`, the value of the counter, so that no participant is missing.
 */
export const findRareAnswers = async (
  db: Db,
  quiz_id: string,
  { places, count }: { places: readonly AnswerPlace[]; count: number },
): Promise<string[] | null> => {
  if (count > MAX_LISTED) return null
  const { rows } = await sql<{ participant_uuid: string }>`
    with places as (
      select * from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
        as place(version integer, first_slot smallint, last_slot smallint, answer_position smallint)
    ), progress as (
      select examined_until from rare_answer_progress where quiz_id = ${quiz_id}
    )
    select participant_uuid from places
    join rare_answers using (version, answer_position)
    where quiz_id = ${quiz_id} and rank = first_slot
    union all
    select participant_uuid from progress join responses on created_at >= examined_until
    join places on places.version = responses.version
      and answer_position = any(choices[first_slot:last_slot])
    where quiz_id = ${quiz_id}
  `.execute(db)
  return rows.length === count ? rows.map(({ participant_uuid }) => participant_uuid) : null
}

/** Lists the large quizzes with participants that are not listed yet. */
const listQuizzesToScan = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ quiz_id: string }>`
    select quiz_id from quiz_versions left join rare_answer_progress using (quiz_id)
    where examined_until is null or examined_until < now() - interval ${sql.lit(COMMIT_MARGIN)} * 2
    group by quiz_id having sum(nb_responses) >= ${MIN_PARTICIPANTS}
  `.execute(db)
  return rows.map(({ quiz_id }) => quiz_id)
}

/**
 * Lists the rare answers of the next participants of a quiz, oldest first. Returns true if there are more
 * participants, and false at once if another process is doing this work.
 */
export const indexNextRareAnswers = (db: Db, quiz_id: string): Promise<boolean> =>
  db.transaction().execute(async (step) => {
    // Waits for a running removal, which cannot see the rows that this transaction inserts for the participants
    // being deleted.
    await sql`select from quizzes where id = ${quiz_id} for key share`.execute(step)
    await sql`
      insert into rare_answer_progress values (${quiz_id}, '-infinity') on conflict do nothing
    `.execute(step)
    const progress = sql<{ examined_until: string; until: string; is_last: boolean }>`
      with progress as (
        select examined_until from rare_answer_progress where quiz_id = ${quiz_id} for update skip locked
      ), step as (
        select (
          select created_at from responses
          where quiz_id = ${quiz_id} and created_at > examined_until
            and created_at < now() - interval ${sql.lit(COMMIT_MARGIN)}
          order by created_at offset ${MAX_STEP_SIZE} limit 1
        ) as until from progress
      )
      select examined_until::text, coalesce(until, now() - interval ${sql.lit(COMMIT_MARGIN)})::text as until,
        until is null as is_last
      from progress, step
    `
    const [next] = (await progress.execute(step)).rows
    if (!next) return false
    await sql`
      with countable_answers as (
        select version, min(question.rank)::smallint as first, max(question.rank)::smallint as last,
          answer_position
        from choice_counts join version_questions as question using (quiz_id, version, question_position)
        where quiz_id = ${quiz_id} and is_choice and count between 1 and ${MAX_KEPT}
          and answer_position >= 0
        group by version, question_position, answer_position
      ), new_participants as (
        select version, participant_uuid, choices from responses
        where quiz_id = ${quiz_id}
          and created_at >= ${next.examined_until}::timestamptz and created_at < ${next.until}::timestamptz
      )
      insert into rare_answers (quiz_id, version, rank, answer_position, participant_uuid)
      select ${quiz_id}, countable_answers.version, countable_answers.first,
        countable_answers.answer_position, participant_uuid
      from new_participants join countable_answers on countable_answers.version = new_participants.version and (
        choices[first] = answer_position
        or last > first and answer_position = any(choices[first:last])
      )
      on conflict do nothing
    `.execute(step)
    await sql`
      delete from rare_answers as listed_answer using choice_counts as counter, version_questions as question
      where listed_answer.quiz_id = ${quiz_id} and counter.quiz_id = listed_answer.quiz_id
        and question.quiz_id = listed_answer.quiz_id and is_choice
        and counter.version = listed_answer.version and question.version = listed_answer.version
        and question.rank = listed_answer.rank and counter.question_position = question.question_position
        and counter.answer_position = listed_answer.answer_position and counter.count > ${MAX_KEPT}
    `.execute(step)
    await sql`
      update rare_answer_progress set examined_until = ${next.until}::timestamptz where quiz_id = ${quiz_id}
    `.execute(step)
    return !next.is_last
  })

const INTERVAL_MS = 60_000

/** Lists the rare answers of all participants since the last run, in steps with short locks. */
export const indexRareAnswers = async (db: Db, signal?: AbortSignal): Promise<void> => {
  for (const quiz_id of await listQuizzesToScan(db))
    while (!signal?.aborted && (await indexNextRareAnswers(db, quiz_id)));
}

/** Runs `indexRareAnswers` every minute. Returns a function that stops the schedule after the current step. */
export const scheduleRareAnswers = (
  db: Db,
  log: Pick<FastifyBaseLogger, 'warn'>,
): (() => Promise<void>) =>
  runEvery(INTERVAL_MS, (signal) => indexRareAnswers(db, signal), {
    onFailure: (error) => log.warn({ err: error }, 'rare answers could not be listed'),
  })
