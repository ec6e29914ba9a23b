import { sql } from 'kysely'
import type { ProviderName } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import { fieldNameOf } from '#domain/deliveries/integrations.ts'
import type { Db } from '#server/db/database.ts'
import type { Failure, OpenConnection, Provider } from './providers/provider.ts'
import { credential } from './providers/provider-requests.ts'
import { provisionQuizFields, type QuizFields } from './providers/provision-fields.ts'
import { loadFieldNeeds, writeFields } from './switches.store.ts'

type Field = { connection: Pick<OpenConnection, 'id' | 'user_id' | 'provider'>; field_name: string }
type LostField = { connection_id: string; quiz_id: string; since: string }
type Batch = { count: number; last: string | null }

const SEND_BATCH_SIZE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Schedules results again that were sent into a missing field since its last check. Covers all quizzes that use the
 * field. A repeated call continues after an interruption.
 */
const resendLostResults = async (
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
    while (after !== null)
      after = await resendBatch(db, { connection_id, quiz_id, since }, after, now)
  }
}

/** Schedules one batch after a participant. Returns the last participant of the batch, or null at the end. */
const resendBatch = async (
  db: Db,
  { connection_id, quiz_id, since }: LostField,
  after: string,
  now: Date,
): Promise<string | null> => {
  const { rows } = await sql<Batch>`
    with lost_deliveries as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where quiz_id = ${quiz_id} and connection_id = ${connection_id} and status = 'delivered'
        and participant_uuid > ${after} and settled_at >= ${since}::timestamptz
        and result_name is not null and not is_replaced
      order by 1, 2, 3 limit ${SEND_BATCH_SIZE} for update
    ), updated_deliveries as (
      update deliveries as delivery set status = 'pending', attempts = 0, completed_calls = null, last_code = null,
        settled_at = null, next_attempt_at = ${now},
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

type Dependencies = {
  db: Db
  use: (
    connection_id: string,
    act: (connection: OpenConnection, provider: Provider) => Promise<QuizFields | Failure>,
  ) => Promise<QuizFields | Failure>
  now?: () => Date
}

/**
 * Finds or creates the fields of a quiz and of these parameters, and stores their keys. Schedules results again that
 * were sent into a missing field.
 */
export type ProvisionQuiz = (
  key: { quiz_id: string; provider: ProviderName },
  parameters?: readonly string[],
  isLate?: OpenConnection['isLate'],
) => Promise<QuizFields | Failure>

/** Creates the provisioning function, which opens connections with `use`. */
export const createProvisionQuiz =
  ({ db, use, now = () => new Date() }: Dependencies): ProvisionQuiz =>
  async (key, parameters = [], isLate = undefined) => {
    const needs = await loadFieldNeeds(db, key)
    if (!needs) return credential('reconnect')
    const field_name = fieldNameOf(key.provider, needs)
    return use(needs.connection_id, async (opened, provider) => {
      const connection = { ...opened, ...(isLate && { isLate }) }
      const provisioned_at = now()
      const sendAgain = () => resendLostResults(db, { connection, field_name }, now())
      // Results are scheduled before the field is created, so that a killed process loses none of
      // them.
      const wanted = { field_name, parameters, beforeMaking: sendAgain }
      const fields = await provisionQuizFields(provider, connection, wanted)
      if (fields.kind !== 'provisioned') return fields
      // Results sent before the field was created are scheduled too.
      if (fields.is_new) await sendAgain()
      await writeFields(db, key, { ...fields, provisioned_at }, connection)
      return fields
    })
  }
