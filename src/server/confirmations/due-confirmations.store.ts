import { type RawBuilder, sql } from 'kysely'
import { CONFIRMATION_DAYS, REMINDER_HOURS } from '#domain/confirmations/confirmation.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import { CONFIRMATION_TIME } from '#server/responses/consent.store.ts'
import { expireConfirmations } from './confirmations.store.ts'

const BATCH_SIZE = 1_000
const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S
/**
 * Longest time in seconds that one run adds to the clock of confirmations. Runs are an hour apart, so that longer times
 * are jumps of the clock or hours in which no process ran.
 */
const MAX_STEP_S = 2 * HOUR_S

/**
 * Advances the clock of confirmations by the time since the last run. A jump of the database's clock back adds nothing,
 * and a jump forward adds at most MAX_STEP_S, so that no confirmation ends early.
 */
const advanceClock = async (db: Db): Promise<void> => {
  await sql`
    insert into confirmation_clock as clock (read_at) values (now())
    on conflict (id) do update set read_at = excluded.read_at,
      elapsed_s = clock.elapsed_s
        + least(greatest(extract(epoch from excluded.read_at - clock.read_at), 0), ${MAX_STEP_S})::bigint
  `.execute(db)
}

/** SQL condition: the confirmation has been awaited for these seconds. */
const hasWaited = (seconds: number): RawBuilder<boolean> => sql<boolean>`
  confirmed_at is null and expired_at is null and waits_since_s <= ${sql.raw(CONFIRMATION_TIME)} - ${seconds}`

/**
 * Schedules one batch of reminders: the delivery of the first mail becomes due again. `reminded_at` is set in the same
 * statement, so that no participant gets a second reminder. Participants who withdrew their consent get none.
 */
const remindBatch = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    with due_deliveries as (
      select delivery.quiz_id, delivery.participant_uuid, delivery.connection_id
      from email_confirmations as confirmation
      join responses using (quiz_id, participant_uuid)
      join deliveries as delivery on delivery.quiz_id = confirmation.quiz_id
        and delivery.participant_uuid = confirmation.participant_uuid and delivery.provider = 'confirmation'
      where ${hasWaited(REMINDER_HOURS * HOUR_S)} and reminded_at is null
        and responses.consent_version is distinct from 0 and delivery.status = 'delivered'
      order by 1, 2, 3 limit ${BATCH_SIZE} for update of delivery
    ), reminded_confirmations as (
      update email_confirmations as confirmation set reminded_at = now() from due_deliveries
      where (confirmation.quiz_id, confirmation.participant_uuid)
        = (due_deliveries.quiz_id, due_deliveries.participant_uuid) and reminded_at is null
      returning due_deliveries.*
    ), updated_deliveries as (
      update deliveries as delivery
      set status = 'pending', attempts = 0, next_attempt_at = now(), settled_at = null, last_code = null,
        give_up_at = now() + interval '${sql.raw(MAX_DELIVERY_AGE)}', completed_calls = '{"is_reminder": true}'
      from reminded_confirmations as reminded
      where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
        = (reminded.quiz_id, reminded.participant_uuid, reminded.connection_id)
    )
    select count(*)::integer as count from reminded_confirmations
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Ends one batch of confirmations that were awaited too long, and returns the number of ended ones. */
const expireBatch = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ quiz_id: string; participant_uuids: string[] }>`
    select quiz_id, array_agg(participant_uuid::text order by participant_uuid) as participant_uuids
    from (
      select quiz_id, participant_uuid from email_confirmations
      where ${hasWaited(CONFIRMATION_DAYS * DAY_S)} order by waits_since_s limit ${BATCH_SIZE}
    ) as due_confirmations
    group by quiz_id order by quiz_id
  `.execute(db)
  let nb_expired = 0
  for (const due of rows) nb_expired += await expireConfirmations(db, due)
  return nb_expired
}

/**
 * Advances the clock of confirmations, schedules due reminders and ends expired confirmations. Called every hour by
 * every process. Returns true if deliveries became due.
 */
export const settleDueConfirmations = async (db: Db): Promise<boolean> => {
  await advanceClock(db)
  let nb_due = 0
  for (const settleBatch of [remindBatch, expireBatch])
    for (;;) {
      const count = await settleBatch(db)
      nb_due += count
      if (count < BATCH_SIZE) break
    }
  return nb_due > 0
}
