import { sql } from 'kysely'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { dueDigest } from '#domain/deliveries/mail-digest.ts'
import type { Db } from '#server/db/database.ts'

const ZONE = sql<string>`coalesce(time_zone, ${DEFAULT_TIME_ZONE})`.as('time_zone')
/** Maximum number of results per quiz in one mail. */
const MAX_RESULTS_PER_QUIZ = 10

/**
 * Queues the due daily mails, by the time zone of each creator who wants one and had participants. Inserts one row
 * per creator and day, so that only one process queues a mail. Returns the number of queued mails.
 */
export const queueDigests = async (db: Db, now: Date): Promise<number> => {
  const zones = await db
    .selectFrom('quiz_mails')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_id')
    .leftJoin('creator_settings', 'user_id', 'creator_id')
    .select(ZONE)
    .distinct()
    .where('daily_since', 'is not', null)
    .execute()
  const due = zones.map(({ time_zone }) => ({ time_zone, ...dueDigest(now, time_zone) }))
  // Inserts the new digests, and finds the quizzes and the period of each. Counts their participants by result name.
  // Queues one mail per creator, with the most frequent results first.
  const { numAffectedRows = 0n } = await sql`
    with new_digests as (
      insert into mail_digests (user_id, day, until)
      select distinct creator_id, day, until
      from quiz_mails join quizzes on quizzes.id = quiz_id
        left join creator_settings on creator_settings.user_id = creator_id
        join jsonb_to_recordset(${JSON.stringify(due)}::jsonb)
          as due(time_zone text, day date, until timestamptz)
          on due.time_zone = coalesce(creator_settings.time_zone, ${DEFAULT_TIME_ZONE})
      where daily_since is not null
      order by 1
      on conflict do nothing
      returning user_id, until
    ), digest_quizzes as (
      select quiz_id, user_id, name, until, greatest(daily_since, coalesce(
        (
          select max(earlier_digest.until) from mail_digests as earlier_digest
          where earlier_digest.user_id = new_digests.user_id
        ),
        '-infinity'
      )) as since
      from new_digests join quizzes on creator_id = user_id join quiz_mails on quiz_id = quizzes.id
      where daily_since is not null
    ), position_counts as (
      select digest_quizzes.quiz_id, version, result_position, count(*) as count
      from digest_quizzes join responses on responses.quiz_id = digest_quizzes.quiz_id
        and created_at >= since and created_at < until and not is_anonymous
      group by 1, 2, 3
    ), results_by_name as (
      select quiz_id, result_position is null as is_without_result,
        snapshot -> 'results' -> result_position::integer ->> 'name' as name, sum(count) as count
      from position_counts join quiz_versions using (quiz_id, version)
      group by 1, 2, 3
    ), ranked_results as (
      select *, row_number() over (partition by quiz_id order by count desc, name) as rank
      from results_by_name
    ), quiz_totals as (
      select quiz_id, sum(count)::integer as nb_participants, coalesce(
        json_agg(
          json_build_object('name', name, 'nb_participants', count::integer) order by rank
        ) filter (where not is_without_result and rank <= ${MAX_RESULTS_PER_QUIZ}), '[]'
      ) as results
      from ranked_results group by 1
    )
    insert into mail_jobs (id, kind, email, user_id, details)
    select gen_random_uuid(), 'daily_digest', email, users.id, json_build_object('digest', json_agg(
      json_build_object(
        'quiz_id', quiz_id, 'name', name, 'nb_participants', nb_participants, 'results', results
      ) order by nb_participants desc, name, quiz_id
    ))
    from digest_quizzes join quiz_totals using (quiz_id) join users on users.id = user_id
    where email is not null
    group by users.id
  `.execute(db)
  return Number(numAffectedRows)
}

/** Deletes records of daily mails older than forty days, except the last of each creator. */
export const deleteOldDigests = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from mail_digests as old where day < ${now}::date - 40 and exists (
      select from mail_digests as newer where newer.user_id = old.user_id and newer.day > old.day
    )
  `.execute(db)
}
