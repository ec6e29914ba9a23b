import { CONTACT_ROLES } from '#domain/common/vocabulary.ts'
import type { EventResponse } from '#domain/deliveries/webhook-event.ts'
import type { Db } from '#server/db/database.ts'
import type { StoredSecrets } from './webhook-message.ts'

/** URL and signing secrets of a webhook. */
export type Receiver = { url: string; secrets: StoredSecrets }
/** Delivery of a participant to a webhook. */
export type DeliveryKey = { quiz_id: string; participant_uuid: string; connection_id: string }

/** Returns the receiver of a delivery and the response to send; undefined if the participant or the webhook is gone. */
export const findSending = async (
  db: Db,
  { quiz_id, participant_uuid, connection_id }: DeliveryKey,
): Promise<(Receiver & { response: EventResponse; keeps_page: boolean }) | undefined> => {
  const row = await db
    .selectFrom('responses')
    .innerJoin('integration_connections as connection', 'connection.quiz_id', 'responses.quiz_id')
    .innerJoin('webhooks', 'connection_id', 'connection.id')
    .innerJoin('all_quizzes', 'all_quizzes.id', 'responses.quiz_id')
    .select(['keeps_page', 'connection.id', 'user_id', 'provider', 'key_version', 'sealed_secret'])
    .select(['url', 'sealed_previous', 'previous_until'])
    .select(['participant_uuid', 'version', 'responses.created_at', 'email', 'result_position'])
    .select(['score', 'consent_version', 'measure_version', 'elapsed_seconds', 'choices', 'texts'])
    .select(['responses.parameters', 'dimension_percents', 'email_confirmation'])
    .select(({ selectFrom }) =>
      selectFrom('email_confirmations')
        .select('confirmed_at')
        .whereRef('email_confirmations.quiz_id', '=', 'responses.quiz_id')
        .whereRef('email_confirmations.participant_uuid', '=', 'responses.participant_uuid')
        .as('email_confirmed_at'),
    )
    .select(CONTACT_ROLES)
    .where('responses.quiz_id', '=', quiz_id)
    .where('participant_uuid', '=', participant_uuid)
    .where('connection.id', '=', connection_id)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, user_id, provider, key_version, sealed_secret, url } = row
  const { sealed_previous, previous_until, keeps_page, ...response } = row
  const sealed = { sealed_secret, sealed_previous, previous_until }
  return { url, secrets: { id, user_id, provider, key_version, ...sealed }, response, keeps_page }
}

/** Returns a webhook of a quiz; undefined if the webhook was removed. */
export const findReceiver = async (
  db: Db,
  { quiz_id, connection_id }: Omit<DeliveryKey, 'participant_uuid'>,
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
