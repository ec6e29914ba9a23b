import { sql } from 'kysely'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import { fieldNameOf } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import type { OpenConnection } from './providers/provider.ts'

type Field = { connection: Pick<OpenConnection, 'id' | 'user_id' | 'provider'>; field_name: string }

type LostField = { connection_id: string; quiz_id: string; since: string; is_result: boolean }

type Batch = { count: number; last: string | null }

const SEND_BATCH_SIZE = 5_000

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Schedules participants again whose values were sent into a missing field since its last check. Covers all quizzes
 * that write to the field, as the result or as a mapping. A repeated call continues after an interruption.
 */
export const resendLostValues = async (
  db: Db,
  { connection, field_name }: Field,
  now: Date,
): Promise<void> => {
  const { id: connection_id, user_id, provider } = connection
  const quizzes = await db
    .selectFrom('quiz_integrations')
    .innerJoin('all_quizzes', 'all_quizzes.id', 'quiz_id')
    .select(['quiz_id', 'field_key', 'provisioned_at', 'kit_custom_field', 'brevo_attribute_name'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('field_mappings')
          .select('field_mappings.id')
          .whereRef('field_mappings.quiz_id', '=', 'quiz_integrations.quiz_id')
          .whereRef('field_mappings.provider', '=', 'quiz_integrations.provider')
          .where(sql`lower(field_name)`, '=', field_name.toLowerCase())
          .where('field_mappings.field_key', 'is not', null)
          .where('refused_code', 'is', null),
      ).as('is_mapped'),
    )
    .where('creator_id', '=', user_id)
    .where('provider', '=', provider)
    .where('provisioned_at', 'is not', null)
    .execute()
  for (const { quiz_id, field_key, provisioned_at: since, is_mapped, ...names } of quizzes) {
    const is_result = field_key !== null && fieldNameOf(provider, names) === field_name
    if (since === null || !(is_result || is_mapped)) continue
    const lost = { connection_id, quiz_id, since, is_result: !is_mapped }
    let after: string | null = BEFORE_ALL
    while (after !== null) after = await resendBatch(db, lost, after, now)
  }
}

/**
 * Schedules one batch after a participant. Returns the last participant of the batch, or null at the end. A delivery on
 * its way to Brevo gets another lease, so that its outcome does not count and it is sent again after the lease. Brevo
 * drops the values of a missing field silently, unlike the other tools.
 */
const resendBatch = async (
  db: Db,
  { connection_id, quiz_id, since, is_result }: LostField,
  after: string,
  now: Date,
): Promise<string | null> => {
  const { rows } = await sql<Batch>`
    with lost_deliveries as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where quiz_id = ${quiz_id} and connection_id = ${connection_id}
        and participant_uuid > ${after} and (
          status = 'delivered' and settled_at >= ${since}::timestamptz
          or provider = 'brevo' and status = 'pending' and lease_until > ${now}
        )
        and (result_name is not null and not is_replaced or not ${is_result})
      order by 1, 2, 3 limit ${SEND_BATCH_SIZE} for update
    ), updated_deliveries as (
      update deliveries as delivery set status = 'pending', attempts = 0, completed_calls = null, last_code = null,
        settled_at = null, next_attempt_at = greatest(${now}, lease_until),
        lease_id = case when lease_until > ${now} then gen_random_uuid() end,
        give_up_at = ${now}::timestamptz + interval '${sql.raw(MAX_DELIVERY_AGE)}'
      from lost_deliveries
      where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
        = (lost_deliveries.quiz_id, lost_deliveries.participant_uuid, lost_deliveries.connection_id)
    )
    select count(*)::integer as count,
      (select participant_uuid from lost_deliveries order by participant_uuid desc limit 1) as last
    from lost_deliveries
  `.execute(db)
  const [batch] = rows
  return batch?.count === SEND_BATCH_SIZE ? batch.last : null
}
