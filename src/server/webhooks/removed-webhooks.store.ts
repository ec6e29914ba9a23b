import { sql } from 'kysely'
import { WEBHOOK } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'

const AT_ONCE = 5_000

/**
 * Settles what waits for webhooks that were removed: nobody will get it. A participant who came while theirs was being removed
 * may be written after that, so it is called again every hour.
 */
export const refuseForRemoved = async (db: Db): Promise<void> => {
  await sql`
    update erasures set status = 'refused', last_code = 'removed', next_attempt_at = null,
      lease_id = null, lease_until = null, settled_at = now(), sealed_person = null
    from integration_connections as removed
    where removed.id = connection_id and erasures.status = 'pending'
      and removed.provider = ${WEBHOOK} and removed.status = 'disconnected'
  `.execute(db)
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update deliveries set status = 'refused', last_code = 'removed', next_attempt_at = null,
        lease_id = null, lease_until = null, settled_at = now()
      where (quiz_id, participant_uuid, connection_id) in (
        select deliveries.quiz_id, participant_uuid, connection_id
        from integration_connections as removed
        join deliveries on connection_id = removed.id and deliveries.status = 'pending'
        where removed.provider = ${WEBHOOK} and removed.status = 'disconnected'
        limit ${AT_ONCE}
      )
    `.execute(db)
    if (numAffectedRows < AT_ONCE) return
  }
}

/** Forgets webhooks that were removed over a day ago and to which nothing was ever sent. */
export const forgetRemoved = async (db: Db): Promise<void> => {
  await sql`
    delete from integration_connections as removed
    where provider = ${WEBHOOK} and status = 'disconnected' and updated_at < now() - interval '1 day'
      and not exists (
        select from delivery_counts as kept
        where kept.quiz_id = removed.quiz_id and kept.connection_id = removed.id
      )
      and not exists (select from erasures where erasures.connection_id = removed.id)
  `.execute(db)
}
