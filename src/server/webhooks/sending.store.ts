import { type EventResponse, eventOf, type WebhookEvent } from '#domain/webhook-event.ts'
import type { Db } from '#server/db/database.ts'
import { findKeptVersion } from '#server/quizzes/version-memory.ts'
import type { StoredSecrets } from './secrets.ts'

/** Where a webhook is, and what signs for it. */
export type Receiver = { url: string; secrets: StoredSecrets }
export type Sending = Receiver & { event: WebhookEvent }
type Key = { quiz_id: string; participant_uuid: string; connection_id: string }

/** Gives how to load what is sent of a participant, and where; undefined when one of the two is gone. */
export const createSendings = (db: Db) => {
  return async (key: Key): Promise<Sending | undefined> => {
    const row = await findSending(db, key)
    const snapshot = row && (await findKeptVersion(db, key.quiz_id, row.response.version))
    if (!row || !snapshot) return undefined
    const { url, secrets, response } = row
    return { url, secrets, event: eventOf(snapshot, { quiz_id: key.quiz_id, response }) }
  }
}

const findSending = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id }: Key,
): Promise<{ url: string; secrets: StoredSecrets; response: EventResponse } | undefined> => {
  const row = await db
    .selectFrom('responses')
    .innerJoin('integration_connections as connected', 'connected.quiz_id', 'responses.quiz_id')
    .innerJoin('webhooks', 'connection_id', 'connected.id')
    .select(['connected.id', 'user_id', 'provider', 'key_version', 'sealed_secret'])
    .select(['url', 'sealed_previous', 'previous_until'])
    .select(['participant_uuid', 'version', 'responses.created_at', 'email', 'result_position'])
    .select(['score', 'consent_version', 'elapsed_seconds', 'choices', 'texts'])
    .select('parameters')
    .where('responses.quiz_id', '=', quiz_id)
    .where('participant_uuid', '=', participant_uuid)
    .where('connected.id', '=', connection_id)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, user_id, provider, key_version, sealed_secret, url } = row
  const { sealed_previous, previous_until, ...response } = row
  const sealed = { sealed_secret, sealed_previous, previous_until }
  return { url, secrets: { id, user_id, provider, key_version, ...sealed }, response }
}

/** A webhook of a quiz; undefined when it is gone. */
export const findReceiver = async (
  db: Db,
  { quiz_id, connection_id }: Omit<Key, 'participant_uuid'>,
): Promise<Receiver | undefined> => {
  const row = await db
    .selectFrom('integration_connections')
    .innerJoin('webhooks', 'connection_id', 'id')
    .select(['id', 'user_id', 'provider', 'key_version', 'sealed_secret'])
    .select(['url', 'sealed_previous', 'previous_until'])
    .where('quiz_id', '=', quiz_id)
    .where('id', '=', connection_id)
    .where('status', '<>', 'disconnected')
    .executeTakeFirst()
  if (!row) return undefined
  const { url, ...secrets } = row
  return { url, secrets }
}
