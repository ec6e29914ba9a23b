import { sql } from 'kysely'
import { type ChannelName, PROVIDERS } from '#domain/common/vocabulary.ts'
import {
  balanceOf,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  MAX_DELIVERY_AGE,
} from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls, ConnectionStatus } from '#server/db/delivery-tables.ts'
import { IS_TOOL_DELIVERY } from '#server/responses/consent.store.ts'
import { filterByPerson } from '#server/statistics/selection/indexed-filters.store.ts'

type StatusCount = { provider: ChannelName; status: DeliveryStatus; count: number }

/**
 * Counts the deliveries of a creator by tool and status, over all quizzes. Also tells which tools refuse the account.
 */
export const countAll = async (db: Db, creator_id: string) => {
  const { rows } = await sql<StatusCount>`
    select provider, delivery_counts.status, sum(count)::integer as count
    from delivery_counts join quizzes on quizzes.id = quiz_id
    where creator_id = ${creator_id} group by 1, 2
  `.execute(db)
  const refusing = await db
    .selectFrom('integration_connections')
    .select('provider')
    .where('user_id', '=', creator_id)
    .where('status', '=', 'needs_attention')
    .where('quiz_id', 'is', null)
    .execute()
  return PROVIDERS.map((provider) => {
    const {
      nb_participants: _,
      not_forwarded: __,
      ...counts
    } = balanceOf(0, countsOf(rows.filter((row) => row.provider === provider)))
    const needs_attention = refusing.some((connection) => connection.provider === provider)
    return { provider, ...counts, needs_attention }
  })
}

const countsOf = (
  rows: readonly Pick<StatusCount, 'status' | 'count'>[],
): Partial<Record<DeliveryStatus, number>> =>
  Object.fromEntries(rows.map(({ status, count }) => [status, count]))

type Check = { checked_at: string; nb_checked: number; nb_missing: number }
type LedgerSwitch = {
  provider: ChannelName
  /** Null if the tool was never connected. */
  connection_id: string | null
  /** URL of a webhook; null for other channels. */
  url: string | null
  is_enabled: boolean
  connection: ConnectionStatus
  status_reason: string | null
  checked_at: string | null
  nb_checked: number | null
  nb_missing: number | null
}

/**
 * Returns the balance of each tool, webhook and mail that the quiz forwards to or has forwarded to. The caller has
 * checked who owns the quiz.
 */
export const readLedgers = async (
  db: Db,
  { quiz_id, nb_participants }: { quiz_id: string; nb_participants: number },
) => {
  const { rows: counts } = await sql<StatusCount & { connection_id: string }>`
    select provider, connection_id, status, count::integer as count from delivery_counts
    where quiz_id = ${quiz_id}
  `.execute(db)
  const { rows: switches } = await sql<LedgerSwitch>`
    select tool.provider, connection.id as connection_id, null as url,
      coalesce(enabled, false) as is_enabled,
      coalesce(connection.status, 'disconnected') as connection, status_reason,
      checked_at, nb_checked::integer as nb_checked, nb_missing::integer as nb_missing
    from unnest(${[...PROVIDERS]}::text[]) with ordinality as tool(provider, place)
    join quizzes on quizzes.id = ${quiz_id}
    left join quiz_integrations as integration
      on integration.quiz_id = quizzes.id and integration.provider = tool.provider
    left join integration_connections as connection
      on connection.user_id = quizzes.creator_id and connection.provider = tool.provider
    left join delivery_checks as last_check
      on last_check.quiz_id = quizzes.id and last_check.connection_id = connection.id
    order by place
  `.execute(db)
  const { rows: own_ones } = await sql<LedgerSwitch>`
    select provider, id as connection_id, url,
      status <> 'disconnected' and (provider <> 'confirmation' or (
        select confirms_email from quizzes where quizzes.id = ${quiz_id}
      )) as is_enabled,
      status as connection, status_reason, checked_at,
      nb_checked::integer as nb_checked, nb_missing::integer as nb_missing
    from integration_connections as connection
    left join webhooks on webhooks.connection_id = id
    left join delivery_checks as last_check
      on last_check.quiz_id = connection.quiz_id and last_check.connection_id = id
    where connection.quiz_id = ${quiz_id}
    order by created_at, id
  `.execute(db)
  return [...switches, ...own_ones].flatMap(
    ({ checked_at, nb_checked, nb_missing, ...switched }) => {
      const { connection_id, is_enabled } = switched
      const own = counts.filter((row) => row.connection_id === connection_id)
      if (!is_enabled && own.length === 0) return []
      const check = checked_at === null ? null : ({ checked_at, nb_checked, nb_missing } as Check)
      return { ...switched, balance: balanceOf(nb_participants, countsOf(own)), check }
    },
  )
}

/** Position in the list of deliveries. */
export type LedgerCursor = {
  exact_created_at: string
  participant_uuid: string
  connection_id: string
}
/** Delivery in the list of a quiz. */
export type LedgerRow = LedgerCursor & {
  provider: ChannelName
  /** URL of a webhook; null for other channels. */
  url: string | null
  /** True if the webhook was removed or the mail was switched off. */
  is_removed: boolean
  email: string | null
  first_name: string | null
  last_name: string | null
  result_name: string | null
  status: DeliveryStatus
  created_at: string
  next_attempt_at: string | null
  attempts: number
  last_code: string | null
  consent_version: number | null
  is_replaced: boolean
  completed_calls: CompletedCalls | null
}
type LedgerQuery = {
  quiz_id: string
  provider: ChannelName | undefined
  status: DeliveryStatus | undefined
  email: string | undefined
  after: LedgerCursor | undefined
  limit: number
}

/** Maximum number of participants found by their address or contact data. */
const MAX_FOUND_PARTICIPANTS = 500

/**
 * Returns a page of deliveries, newest first. Reads settled deliveries in index order, so that a page costs the same
 * in every quiz. Pending deliveries are read by connection and cost more if many are pending.
 */
export const listDeliveries = async (
  db: Db,
  { quiz_id, provider, status, email, after, limit }: LedgerQuery,
): Promise<LedgerRow[]> => {
  const statuses = status ? [status] : [...DELIVERY_STATUSES]
  const ofProvider = provider ? sql`and provider = ${provider}` : sql``
  const beyond = after
    ? sql`and (created_at, participant_uuid, connection_id) < (
        ${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid,
        ${after.connection_id}::uuid
      )`
    : sql``
  const newest = sql`order by created_at desc, participant_uuid desc, connection_id desc limit ${limit}`
  const person = email ? await filterByPerson(db, quiz_id, email) : undefined
  const source = person
    ? sql`
      select deliveries.* from deliveries
      where quiz_id = ${quiz_id} and status = any(${statuses}::text[]) ${ofProvider} ${beyond}
        and participant_uuid in (
          select participant_uuid from responses
          where quiz_id = ${quiz_id} and ${person.condition}
          order by created_at desc limit ${MAX_FOUND_PARTICIPANTS}
        )`
    : sql`
      select delivery.* from unnest(${statuses}::text[]) as requested(status)
      cross join lateral (
        select * from deliveries
        where quiz_id = ${quiz_id} and deliveries.status = requested.status
          and deliveries.status <> 'pending' ${ofProvider} ${beyond}
        ${newest}
      ) as delivery
      union all (
        select * from deliveries
        where quiz_id = ${quiz_id} and status = 'pending' and status = any(${statuses}::text[])
          and connection_id = any(array(
            select connection_id from delivery_counts
            where quiz_id = ${quiz_id} and status = 'pending'
          )) ${ofProvider} ${beyond}
        ${newest}
      )`
  const { rows } = await sql<LedgerRow>`
    select delivery.participant_uuid, delivery.provider, delivery.connection_id, url,
      connection.quiz_id is not null and connection.status = 'disconnected' as is_removed,
      responses.email, first_name, last_name, delivery.result_name,
      delivery.status, delivery.created_at, delivery.is_replaced, attempts, last_code,
      consent_version, completed_calls,
      case when delivery.status = 'pending' then next_attempt_at end as next_attempt_at,
      to_char(delivery.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        as exact_created_at
    from (${source}) as delivery join responses using (quiz_id, participant_uuid)
    left join integration_connections as connection on connection.id = delivery.connection_id
    left join webhooks on webhooks.connection_id = delivery.connection_id
    order by delivery.created_at desc, participant_uuid desc, delivery.connection_id desc
    limit ${limit}
  `.execute(db)
  return rows
}

const RETRY_BATCH_SIZE = 5_000

/**
 * Schedules refused deliveries for an immediate retry with a new time limit, and returns their number. Skips webhooks
 * that were removed and mails that were switched off.
 */
export const retryDeliveries = async (
  db: Db,
  at: {
    quiz_id: string
    provider: ChannelName
    /** Connection to retry; undefined for all connections of the channel. */
    connection_id: string | undefined
    participant_uuid: string | undefined
  },
): Promise<number> => {
  const one = at.participant_uuid
  const which = one
    ? sql`participant_uuid = ${one} and status in ('refused', 'pending')`
    : sql`status = 'refused'`
  const which_one = at.connection_id ? sql`and connection_id = ${at.connection_id}` : sql``
  let retried = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update deliveries
      set status = 'pending', attempts = 0, next_attempt_at = now(), settled_at = null,
        give_up_at = now() + interval '${sql.raw(MAX_DELIVERY_AGE)}', last_code = null
      where (quiz_id, participant_uuid, connection_id) in (
        select quiz_id, participant_uuid, connection_id from deliveries
        where quiz_id = ${at.quiz_id} and provider = ${at.provider} and lease_id is null and ${which}
          ${which_one} and (${sql.raw(IS_TOOL_DELIVERY)} or exists (
            select from integration_connections as connection
            where connection.id = connection_id and connection.status <> 'disconnected'
          ))
        order by participant_uuid, connection_id
        limit ${RETRY_BATCH_SIZE}
        -- Rows claimed or settled concurrently are checked again after the lock.
        for update
      )
    `.execute(db)
    retried += Number(numAffectedRows)
    if (one || numAffectedRows < RETRY_BATCH_SIZE) return retried
  }
}
