import { sql } from 'kysely'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import { INITIAL_STATUS } from '#server/responses/consent.store.ts'

/**
 * Inserts missing deliveries and stores the figures of the check; returns the number of missing deliveries. Checks
 * recent participants of each forwarding: those since two days before the last check.
 */
export const reconcile = async (db: Db): Promise<number> => {
  const missing = await db.transaction().execute(writeMissing)
  await sql`
    delete from delivery_checks
    where not exists (select from all_quizzes where all_quizzes.id = delivery_checks.quiz_id)
  `.execute(db)
  return missing
}

const writeMissing = async (db: Db): Promise<number> => {
  // The lock blocks deletions, which would leave a delivery without its participant.
  await sql`
    select from quizzes where id in (select quiz_id from forwardings)
    order by id for key share
  `.execute(db)
  const { rows } = await sql<{ count: number }>`
    with destinations as (
      select forwardings.*, consent_mode,
        greatest(since, checked_at - interval '2 days') as checked_since
      from forwardings
      join quizzes on quizzes.id = forwardings.quiz_id
      left join delivery_checks as last_check using (quiz_id, connection_id)
      where since is not null
    ), expected_deliveries as (
      select destinations.*, participant_uuid, version, created_at, email, result_position,
        consent_version, email_confirmation,
        exists (
          select from deliveries as existing_delivery
          where existing_delivery.quiz_id = responses.quiz_id
            and existing_delivery.participant_uuid = responses.participant_uuid
            and existing_delivery.connection_id = destinations.connection_id
        ) as has_delivery
      from destinations
      join responses on responses.quiz_id = destinations.quiz_id and created_at > checked_since
        and not is_anonymous
    ), new_deliveries as (
      insert into deliveries (
        quiz_id, participant_uuid, provider, connection_id, status, result_name, created_at,
        next_attempt_at, give_up_at
      )
      select quiz_id, participant_uuid, provider, connection_id,
        ${sql.raw(INITIAL_STATUS)},
        snapshot -> 'results' -> result_position::integer ->> 'name', created_at, now(),
        now() + interval '${sql.raw(MAX_DELIVERY_AGE)}'
      from expected_deliveries join quiz_versions using (quiz_id, version)
      where not has_delivery
      order by quiz_id, participant_uuid, connection_id
      on conflict do nothing
      returning quiz_id, connection_id
    ), updated_checks as (
      insert into delivery_checks (quiz_id, connection_id, checked_at, nb_checked, nb_missing)
      select destinations.quiz_id, destinations.connection_id, now(),
        (
          select count(*) from expected_deliveries
          where (expected_deliveries.quiz_id, expected_deliveries.connection_id)
            = (destinations.quiz_id, destinations.connection_id)
        ),
        (
          select count(*) from new_deliveries
          where (new_deliveries.quiz_id, new_deliveries.connection_id)
            = (destinations.quiz_id, destinations.connection_id)
        )
      from destinations
      order by 1, 2
      on conflict (quiz_id, connection_id) do update set checked_at = excluded.checked_at,
        nb_checked = excluded.nb_checked, nb_missing = excluded.nb_missing
    )
    select count(*) from new_deliveries
  `.execute(db)
  return Number(rows[0]?.count ?? 0)
}
