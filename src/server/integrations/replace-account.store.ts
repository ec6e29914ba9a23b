import { sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { clearVendorIds } from '#server/quizzes/automations.store.ts'
import { clearMappingKeys } from '#server/quizzes/field-mappings.store.ts'

/** Account to be replaced, and its number of pending deliveries. */
export type ReplacedAccount = { vendor_email: string | null; nb_waiting: number }

/** Counts the pending deliveries of a connection. */
export const countWaitingDeliveries = async (db: Db, connection_id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from deliveries
    where connection_id = ${connection_id} and status = 'pending'
  `.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Deletes the field keys, label ids and completed calls of the previous account. Invalidates running leases. Refuses
 * the pending erasures if the new account is known to be another.
 */
export const resetAccountData = async (
  db: Db,
  {
    id,
    user_id,
    provider,
    is_other,
  }: { id: string; user_id: string; provider: ProviderName; is_other: boolean },
): Promise<void> => {
  await sql`
    update integration_connections set account_since = now() where id = ${id}
  `.execute(db)
  await sql`
    update quiz_integrations
    set field_key = null, provisioned_at = null, parameter_fields = '{}'
    from all_quizzes
    where all_quizzes.id = quiz_id and creator_id = ${user_id} and provider = ${provider}
  `.execute(db)
  await clearVendorIds(db, { user_id, provider })
  await clearMappingKeys(db, { user_id, provider })
  await sql`
    with started_deliveries as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where connection_id = ${id} and (completed_calls is not null or lease_id is not null)
        and (status = 'pending' or (
          status = 'refused' and quiz_id in (select id from all_quizzes where creator_id = ${user_id})
        ))
      order by 1, 2, 3 for update
    )
    update deliveries as delivery set completed_calls = null, lease_id = null, lease_until = null
    from started_deliveries
    where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
      = (started_deliveries.quiz_id, started_deliveries.participant_uuid, started_deliveries.connection_id)
  `.execute(db)
  // Erasures are locked after deliveries, in the same order as in the request of erasures.
  await sql`
    update erasures set vendor_contact_id = null, lease_id = null, lease_until = null,
      -- An erasure without an attempt waits for a running call with the previous account.
      next_attempt_at = case
        when attempts = 0 or status = 'refused' then next_attempt_at else least(next_attempt_at, now())
      end
    where connection_id = ${id} and status <> 'done'
  `.execute(db)
  if (is_other)
    await sql`
      update erasures set status = 'refused', last_code = 'other_account', sealed_person = null,
        vendor_contact_id = null, next_attempt_at = null, settled_at = now()
      where connection_id = ${id} and status <> 'done'
    `.execute(db)
}
