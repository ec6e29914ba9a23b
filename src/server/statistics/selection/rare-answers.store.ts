import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { AnswerPlace } from '#domain/statistics/filter-choices.ts'
import type { Db } from '#server/db/database.ts'
import { every } from '#server/runtime/every.ts'

/** With fewer participants a scan of all is fast enough. */
const FEWEST_PARTICIPANTS = 50_000
/** An answer given more often is found soon among the newest. */
const MOST_LISTED = 3_000
/** From this number on the list is dropped: the answer will not be rare again. */
const FAR_TOO_MANY = 2 * MOST_LISTED
/** Participants of one transaction. */
const LARGEST_STEP = 50_000
/** After this time a submission under way is committed. */
const MARGIN = '1 minute'

/**
 * The participants who gave a rare answer, whose number is in the kept counters; null when there are too
 * many, or when the list and the participants since are not exactly as many, so that none is left out.
 */
export const findRareAnswers = async (
  db: Db,
  quiz_id: string,
  { places, count }: { places: readonly AnswerPlace[]; count: number },
): Promise<string[] | null> => {
  if (count > MOST_LISTED) return null
  const { rows } = await sql<{ participant_uuid: string }>`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(places)}::jsonb)
        as asked(version integer, first_slot smallint, last_slot smallint, answer_position smallint)
    ), mark as (
      select examined_until from rare_answer_progress where quiz_id = ${quiz_id}
    )
    select participant_uuid from asked
    join rare_answers using (version, answer_position)
    where quiz_id = ${quiz_id} and rank = first_slot
    union all
    select participant_uuid from mark join responses on created_at >= examined_until
    join asked on asked.version = responses.version
      and answer_position = any(choices[first_slot:last_slot])
    where quiz_id = ${quiz_id}
  `.execute(db)
  return rows.length === count ? rows.map(({ participant_uuid }) => participant_uuid) : null
}

/** Large quizzes with participants that are not listed yet. */
const listQuizzesToScan = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ quiz_id: string }>`
    select quiz_id from quiz_versions left join rare_answer_progress using (quiz_id)
    where examined_until is null or examined_until < now() - interval ${sql.lit(MARGIN)} * 2
    group by quiz_id having sum(nb_responses) >= ${FEWEST_PARTICIPANTS}
  `.execute(db)
  return rows.map(({ quiz_id }) => quiz_id)
}

/**
 * Lists the rare answers of the next participants of a quiz, in the order they came; gives whether there
 * are more. Nothing, while another process does the same.
 */
export const listNextRareAnswers = (db: Db, quiz_id: string): Promise<boolean> =>
  db.transaction().execute(async (step) => {
    // Waits for a removal under way: it cannot see what this transaction lists of the participants that it deletes.
    await sql`select from quizzes where id = ${quiz_id} for key share`.execute(step)
    await sql`
      insert into rare_answer_progress values (${quiz_id}, '-infinity') on conflict do nothing
    `.execute(step)
    const mark = sql<{ examined_until: string; until: string; is_last: boolean }>`
      with mark as (
        select examined_until from rare_answer_progress where quiz_id = ${quiz_id} for update skip locked
      ), next as (
        select (
          select created_at from responses
          where quiz_id = ${quiz_id} and created_at > examined_until
            and created_at < now() - interval ${sql.lit(MARGIN)}
          order by created_at offset ${LARGEST_STEP} limit 1
        ) as until from mark
      )
      select examined_until::text, coalesce(until, now() - interval ${sql.lit(MARGIN)})::text as until,
        until is null as is_last
      from mark, next
    `
    const [next] = (await mark.execute(step)).rows
    if (!next) return false
    await sql`
      with rare as (
        select version, min(asked.rank)::smallint as first, max(asked.rank)::smallint as last,
          answer_position
        from choice_counts join version_questions as asked using (quiz_id, version, question_position)
        where quiz_id = ${quiz_id} and is_choice and count between 1 and ${FAR_TOO_MANY}
          and answer_position >= 0
        group by version, question_position, answer_position
      ), came as (
        select version, participant_uuid, choices from responses
        where quiz_id = ${quiz_id}
          and created_at >= ${next.examined_until}::timestamptz and created_at < ${next.until}::timestamptz
      )
      insert into rare_answers (quiz_id, version, rank, answer_position, participant_uuid)
      select ${quiz_id}, rare.version, rare.first, rare.answer_position, participant_uuid
      from came join rare on rare.version = came.version and (
        choices[first] = answer_position
        or last > first and answer_position = any(choices[first:last])
      )
      on conflict do nothing
    `.execute(step)
    await sql`
      delete from rare_answers as listed using choice_counts as kept, version_questions as asked
      where listed.quiz_id = ${quiz_id} and kept.quiz_id = listed.quiz_id
        and asked.quiz_id = listed.quiz_id and is_choice
        and kept.version = listed.version and asked.version = listed.version
        and asked.rank = listed.rank and kept.question_position = asked.question_position
        and kept.answer_position = listed.answer_position and kept.count > ${FAR_TOO_MANY}
    `.execute(step)
    await sql`
      update rare_answer_progress set examined_until = ${next.until}::timestamptz where quiz_id = ${quiz_id}
    `.execute(step)
    return !next.is_last
  })

const EVERY_MS = 60_000

/** Lists the rare answers of the participants since the last run, in steps with short locks. */
export const listRareAnswers = async (db: Db, signal?: AbortSignal): Promise<void> => {
  for (const quiz_id of await listQuizzesToScan(db))
    while (!signal?.aborted && (await listNextRareAnswers(db, quiz_id)));
}

/** Runs it every minute. Gives how to stop, which waits for the step under way. */
export const scheduleRareAnswers = (
  db: Db,
  log: Pick<FastifyBaseLogger, 'warn'>,
): (() => Promise<void>) =>
  every(EVERY_MS, (signal) => listRareAnswers(db, signal), {
    onFailure: (error) => log.warn({ err: error }, 'rare answers were not listed'),
  })
