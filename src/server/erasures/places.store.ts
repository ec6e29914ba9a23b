import { sql } from 'kysely'
import type { ChannelName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'

/** A participant of a quiz. */
type Taking = { quiz_id: string; participant_uuid: string }

/**
 * Whether a delivery brought a participant there, or may have: an answer can be lost. One who was erased there is not
 * there any more.
 */
export const HAS_REACHED = `(
  deliveries.status in ('delivered', 'suppressed') or deliveries.attempts > 0
  or deliveries.lease_id is not null or deliveries.completed_calls is not null
) and deliveries.last_code is distinct from 'erased'`

/** The tools and webhooks of a creator, still connected, that participants were sent to. */
export const listPlaces = async (
  db: Db,
  { creator_id, takings }: { creator_id: string; takings: readonly Taking[] },
): Promise<{ connection_id: string; provider: ChannelName }[]> => {
  const { rows } = await sql<{ connection_id: string; provider: ChannelName }>`
    select distinct connection_id, deliveries.provider from deliveries
    join integration_connections as connected on connected.id = connection_id
    where (deliveries.quiz_id, participant_uuid) in (
        select quiz_id, participant_uuid from jsonb_to_recordset(${JSON.stringify(takings)}::jsonb)
          as taking(quiz_id uuid, participant_uuid uuid)
      )
      and connected.user_id = ${creator_id} and connected.status <> 'disconnected'
      and deliveries.provider not in ('mail', 'notice') and ${sql.raw(HAS_REACHED)}
    order by deliveries.provider, connection_id
  `.execute(db)
  return rows
}
