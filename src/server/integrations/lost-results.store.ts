import { sql } from 'kysely'
import { LONGEST_AGE } from '#domain/delivery.ts'
import { fieldNameOf } from '#domain/integrations.ts'
import type { Db } from '#server/db/database.ts'
import type { OpenConnection } from './providers/provider.ts'

type Field = { connection: Pick<OpenConnection, 'id' | 'user_id' | 'provider'>; field_name: string }
type Lost = { connection_id: string; quiz_id: string; since: string }
type Batch = { count: number; last: string | null }

const SENT_AT_ONCE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Has the results sent once more that went into a field that is gone: of every quiz that writes into it, those since it
 * was last seen for that quiz. Repeatable; what it was stopped at waits for the next call.
 */
export const sendLostAgain = async (
  db: Db,
  { connection, field_name }: Field,
  now: Date,
): Promise<void> => {
  const { id: connection_id, user_id, provider } = connection
  const quizzes = await db
    .selectFrom('quiz_integrations')
    .innerJoin('quizzes', 'quizzes.id', 'quiz_id')
    .select(['quiz_id', 'provisioned_at', 'kit_custom_field', 'brevo_attribute_name'])
    .where('creator_id', '=', user_id)
    .where('provider', '=', provider)
    .where('field_key', 'is not', null)
    .execute()
  for (const { quiz_id, provisioned_at: since, ...names } of quizzes) {
    if (since === null || fieldNameOf(provider, names) !== field_name) continue
    let after: string | null = BEFORE_ALL
    while (after !== null) after = await sendSome(db, { connection_id, quiz_id, since }, after, now)
  }
}

/** Some of them after a participant; gives after whom it goes on, null at the end. */
const sendSome = async (
  db: Db,
  { connection_id, quiz_id, since }: Lost,
  after: string,
  now: Date,
): Promise<string | null> => {
  const { rows } = await sql<Batch>`
    with lost as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where quiz_id = ${quiz_id} and connection_id = ${connection_id} and status = 'delivered'
        and participant_uuid > ${after} and settled_at >= ${since}::timestamptz
        and result_name is not null and not is_replaced
      order by 1, 2, 3 limit ${SENT_AT_ONCE} for update
    ), sent as (
      update deliveries as one set status = 'pending', attempts = 0, completed_calls = null, last_code = null,
        settled_at = null, next_attempt_at = ${now},
        give_up_at = ${now}::timestamptz + interval '${sql.raw(LONGEST_AGE)}'
      from lost
      where (one.quiz_id, one.participant_uuid, one.connection_id)
        = (lost.quiz_id, lost.participant_uuid, lost.connection_id)
    )
    select count(*)::integer as count,
      (select participant_uuid from lost order by participant_uuid desc limit 1) as last
    from lost
  `.execute(db)
  const [batch] = rows
  return batch?.count === SENT_AT_ONCE ? batch.last : null
}
