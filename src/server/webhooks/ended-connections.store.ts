import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const BATCH_SIZE = 5_000

/**
 * Settles pending deliveries of removed webhooks and disabled mails, which will never be sent. Running deliveries
 * settle themselves. Called every hour, because concurrent responses may insert more.
 */
export const refuseDeliveriesOfEndedConnections = async (db: Db): Promise<void> => {
  await sql`
    update erasures set status = 'refused', last_code = 'removed', next_attempt_at = null,
      lease_id = null, lease_until = null, settled_at = now(), sealed_person = null
    from integration_connections as ended
    where ended.id = connection_id and erasures.status = 'pending'
      and ended.quiz_id is not null and ended.status = 'disconnected'
  `.execute(db)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update deliveries set status = 'refused', next_attempt_at = null,
        last_code = case provider when 'webhook' then 'removed' else 'switched_off' end,
        lease_id = null, lease_until = null, settled_at = now()
      where (quiz_id, participant_uuid, connection_id) in (
        select deliveries.quiz_id, participant_uuid, connection_id
        from integration_connections as ended
        join deliveries on connection_id = ended.id and deliveries.status = 'pending'
        where ended.quiz_id is not null and ended.status = 'disconnected'
          and (lease_id is null or lease_until <= now())
        order by deliveries.quiz_id, participant_uuid, connection_id
        limit ${BATCH_SIZE}
        -- Rows claimed or settled concurrently are checked again after the lock.
        for update of deliveries
      )
    `.execute(db)
    if (numAffectedRows < BATCH_SIZE) return
  }
}

/** Deletes connections that ended more than a day ago and have no deliveries. */
export const deleteEndedConnections = async (db: Db): Promise<void> => {
  await sql`
    delete from integration_connections as ended
    where quiz_id is not null and status = 'disconnected'
      and updated_at < now() - interval '1 day'
      and not exists (
        select from delivery_counts as kept
        where kept.quiz_id = ended.quiz_id and kept.connection_id = ended.id
      )
      and not exists (select from erasures where erasures.connection_id = ended.id)
  `.execute(db)
}
