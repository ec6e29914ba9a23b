import { sql } from 'kysely'
import { balanceOf, DELIVERY_STATUSES, type DeliveryStatus } from '#domain/delivery.ts'
import { PROVIDERS, type ProviderName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { LONGEST_AGE } from '#server/taking/first-delivery.ts'

type Counted = { provider: ProviderName; status: DeliveryStatus; count: number }

/** How many deliveries of each kind a creator has, in all of their quizzes, and which tools refuse the account. */
export const countAll = async (db: Db, creator_id: string) => {
  const { rows } = await sql<Counted>`
    select provider, delivery_counts.status, sum(count)::integer as count
    from delivery_counts join quizzes on quizzes.id = quiz_id
    where creator_id = ${creator_id} group by 1, 2
  `.execute(db)
  const refusing = await db
    .selectFrom('integration_connections')
    .select('provider')
    .where('user_id', '=', creator_id)
    .where('status', '=', 'needs_attention')
    .execute()
  return PROVIDERS.map((provider) => {
    const {
      nb_participants: _,
      not_forwarded: __,
      ...counts
    } = balanceOf(0, countsOf(rows, provider))
    const needs_attention = refusing.some((one) => one.provider === provider)
    return { provider, ...counts, needs_attention }
  })
}

const countsOf = (
  rows: readonly Counted[],
  provider: ProviderName,
): Partial<Record<DeliveryStatus, number>> =>
  Object.fromEntries(
    rows.filter((row) => row.provider === provider).map(({ status, count }) => [status, count]),
  )

type Check = { checked_at: string; nb_checked: number; nb_missing: number }
type Switched = {
  provider: ProviderName
  is_enabled: boolean
  connection: 'active' | 'needs_attention' | 'disconnected'
  status_reason: string | null
  checked_at: string | null
  nb_checked: number | null
  nb_missing: number | null
}

/** The balance of each tool that a quiz forwards to, or has forwarded to; its owner is known. */
export const readLedgers = async (
  db: Db,
  { quiz_id, nb_participants }: { quiz_id: string; nb_participants: number },
) => {
  const { rows: counts } = await sql<Counted>`
    select provider, status, count::integer as count from delivery_counts where quiz_id = ${quiz_id}
  `.execute(db)
  const { rows: switches } = await sql<Switched>`
    select named.provider, coalesce(enabled, false) as is_enabled,
      coalesce(connected.status, 'disconnected') as connection, status_reason,
      checked_at, nb_checked::integer as nb_checked, nb_missing::integer as nb_missing
    from unnest(${[...PROVIDERS]}::text[]) with ordinality as named(provider, place)
    join quizzes on quizzes.id = ${quiz_id}
    left join quiz_integrations as forwarded
      on forwarded.quiz_id = quizzes.id and forwarded.provider = named.provider
    left join integration_connections as connected
      on connected.user_id = quizzes.creator_id and connected.provider = named.provider
    left join delivery_checks as checked
      on checked.quiz_id = quizzes.id and checked.provider = named.provider
    order by place
  `.execute(db)
  return switches
    .filter(
      ({ provider, is_enabled }) => is_enabled || counts.some((row) => row.provider === provider),
    )
    .map(({ checked_at, nb_checked, nb_missing, ...switched }) => ({
      ...switched,
      balance: balanceOf(nb_participants, countsOf(counts, switched.provider)),
      check: checked_at === null ? null : ({ checked_at, nb_checked, nb_missing } as Check),
    }))
}

export type LedgerCursor = { exact_created_at: string; participant_uuid: string; provider: string }
export type LedgerRow = LedgerCursor & {
  provider: ProviderName
  email: string | null
  result_name: string | null
  status: DeliveryStatus
  created_at: string
  next_attempt_at: string | null
  attempts: number
  last_code: string | null
  consent_version: number | null
  is_replaced: boolean
}
type Asked = {
  quiz_id: string
  provider: ProviderName | undefined
  status: DeliveryStatus | undefined
  email: string | undefined
  after: LedgerCursor | undefined
  limit: number
}

const escaped = (text: string): string => text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')
/** Of one address there are few; a beginning of one letter finds the first of them. */
const MOST_FOUND = 500

/**
 * A page of deliveries, newest first. Each kind is read in the order of its index, or the people whose
 * address begins so are, so that a page costs as much in a large quiz as in a small one.
 */
export const listDeliveries = async (
  db: Db,
  { quiz_id, provider, status, email, after, limit }: Asked,
): Promise<LedgerRow[]> => {
  const statuses = status ? [status] : [...DELIVERY_STATUSES]
  const ofProvider = provider ? sql`and provider = ${provider}` : sql``
  const beyond = after
    ? sql`and (created_at, participant_uuid, provider) < (
        ${after.exact_created_at}::timestamptz, ${after.participant_uuid}::uuid, ${after.provider}
      )`
    : sql``
  const source = email
    ? sql`
      select deliveries.* from deliveries
      where quiz_id = ${quiz_id} and status = any(${statuses}::text[]) ${ofProvider} ${beyond}
        and participant_uuid in (
          select participant_uuid from responses
          where quiz_id = ${quiz_id} and lower(email) like ${`${escaped(email)}%`}
          order by created_at desc limit ${MOST_FOUND}
        )`
    : sql`
      select found.* from unnest(${statuses}::text[]) as wanted(status)
      cross join lateral (
        select * from deliveries
        where quiz_id = ${quiz_id} and deliveries.status = wanted.status ${ofProvider} ${beyond}
        order by created_at desc, participant_uuid desc, provider desc limit ${limit}
      ) as found`
  const { rows } = await sql<LedgerRow>`
    select listed.participant_uuid, listed.provider, responses.email, listed.result_name,
      listed.status, listed.created_at, listed.is_replaced, attempts, last_code,
      consent_version,
      case when status = 'pending' then next_attempt_at end as next_attempt_at,
      to_char(listed.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        as exact_created_at
    from (${source}) as listed join responses using (quiz_id, participant_uuid)
    order by listed.created_at desc, participant_uuid desc, listed.provider desc
    limit ${limit}
  `.execute(db)
  return rows
}

const RETRIED_AT_ONCE = 5_000

/** Has a refused delivery, or all of a tool, tried again, their time counted anew; gives how many. */
export const retryDeliveries = async (
  db: Db,
  at: { quiz_id: string; provider: ProviderName; participant_uuid: string | undefined },
): Promise<number> => {
  const one = at.participant_uuid
  const which = one
    ? sql`participant_uuid = ${one} and status in ('refused', 'pending')`
    : sql`status = 'refused'`
  let retried = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update deliveries
      set status = 'pending', attempts = 0, next_attempt_at = now(), settled_at = null,
        give_up_at = now() + interval '${sql.raw(LONGEST_AGE)}', last_code = null
      where (quiz_id, participant_uuid, provider) in (
        select quiz_id, participant_uuid, provider from deliveries
        where quiz_id = ${at.quiz_id} and provider = ${at.provider} and lease_id is null and ${which}
        limit ${RETRIED_AT_ONCE}
      )
    `.execute(db)
    retried += Number(numAffectedRows)
    if (one || numAffectedRows < RETRIED_AT_ONCE) return retried
  }
}
