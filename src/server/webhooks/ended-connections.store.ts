import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

const AT_ONCE = 5_000

/**
 * Settles what waits for webhooks that were removed and mails that were switched off: it will never be sent. A delivery that is
 * under way at this moment may arrive, and its own try says so. A participant who came meanwhile may be written after that, and
 * a try may fail, so it is called again every hour.
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
        limit ${AT_ONCE}
        -- What is claimed or settled at the same moment is looked at again as it is then.
        for update of deliveries
      )
    `.execute(db)
    if (numAffectedRows < AT_ONCE) return
  }
}

/** Forgets those that ended over a day ago and sent nothing ever. */
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
