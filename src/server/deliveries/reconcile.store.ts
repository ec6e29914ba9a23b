import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { FIRST_STATUS, LONGEST_AGE } from '#server/taking/first-delivery.ts'

/**
 * Checks, in every quiz that forwards, the participants since it does and since two days before the last
 * check; writes deliveries that are missing, stores the figures, and gives how many were missing: none, if
 * all is well.
 */
export const reconcile = async (db: Db): Promise<number> => {
  const missing = await db.transaction().execute(writeMissing)
  await sql`
    delete from delivery_checks
    where not exists (select from quizzes where quizzes.id = delivery_checks.quiz_id)
  `.execute(db)
  return missing
}

const writeMissing = async (db: Db): Promise<number> => {
  // Locks out deletions, which would leave a delivery without its participant.
  await sql`
    select from quizzes where id in (select quiz_id from quiz_integrations where enabled)
    order by id for key share
  `.execute(db)
  const { rows } = await sql<{ count: number }>`
    with forwarding as (
      select forwarded.quiz_id, forwarded.provider, consent_mode, connected.id as connection_id,
        greatest(enabled_since, checked_at - interval '2 days') as looked_from
      from quiz_integrations as forwarded
      join quizzes on quizzes.id = forwarded.quiz_id
      join integration_connections as connected
        on connected.user_id = quizzes.creator_id and connected.provider = forwarded.provider
      left join delivery_checks as checked
        on checked.quiz_id = forwarded.quiz_id and checked.provider = forwarded.provider
      where enabled and enabled_since is not null and connected.status <> 'disconnected'
    ), expected as (
      select forwarding.*, participant_uuid, version, created_at, email, result_position,
        consent_version,
        exists (
          select from deliveries as known
          where known.quiz_id = responses.quiz_id
            and known.participant_uuid = responses.participant_uuid
            and known.provider = forwarding.provider
        ) as is_there
      from forwarding
      join responses on responses.quiz_id = forwarding.quiz_id and created_at > looked_from
    ), written as (
      insert into deliveries (
        quiz_id, participant_uuid, provider, connection_id, status, result_name, created_at,
        next_attempt_at, give_up_at
      )
      select quiz_id, participant_uuid, provider, connection_id,
        ${sql.raw(FIRST_STATUS)},
        snapshot -> 'results' -> result_position::integer ->> 'name', created_at, now(),
        now() + interval '${sql.raw(LONGEST_AGE)}'
      from expected join quiz_versions using (quiz_id, version)
      where not is_there
      order by 1, 2, 3
      on conflict do nothing
      returning quiz_id, provider
    ), counted as (
      insert into delivery_checks (quiz_id, provider, checked_at, nb_checked, nb_missing)
      select forwarding.quiz_id, forwarding.provider, now(),
        (
          select count(*) from expected
          where (expected.quiz_id, expected.provider) = (forwarding.quiz_id, forwarding.provider)
        ),
        (
          select count(*) from written
          where (written.quiz_id, written.provider) = (forwarding.quiz_id, forwarding.provider)
        )
      from forwarding
      order by 1, 2
      on conflict (quiz_id, provider) do update set checked_at = excluded.checked_at,
        nb_checked = excluded.nb_checked, nb_missing = excluded.nb_missing
    )
    select count(*) from written
  `.execute(db)
  return Number(rows[0]?.count ?? 0)
}
