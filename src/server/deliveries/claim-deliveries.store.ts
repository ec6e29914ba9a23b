import { type RawBuilder, sql } from 'kysely'
import type { ChannelName, OutboxChannel } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { prepared } from '#server/db/kysely-pool.ts'
import { IS_TOOL_DELIVERY } from '#server/responses/consent.store.ts'
import type { ChannelRateLimit } from './channel-rate-limits.ts'

/**
 * Delivery that this process has claimed under a lease. No other process attempts the delivery before the lease ends.
 */
export type ClaimedDelivery = {
  quiz_id: string
  participant_uuid: string
  provider: ChannelName
  connection_id: string
  /** Creator who owns the connection. */
  user_id: string
  lease_id: string
  attempts: number
  /** Original due time, which orders the deliveries of a connection. */
  due_at: string
  /**
   * Email address of the participant; null if no address was given. Only webhooks and mails to creators get such
   * participants.
   */
  email: string | null
  result_name: string | null
  /** True if a newer response of the same person was delivered to this connection or is pending there. */
  is_replaced: boolean
  completed_calls: CompletedCalls
  /** True if the attempt is a probe of a connection that was refused. */
  is_probe: boolean
  /** Generation of the connection's secret and address. */
  generation: number
}

/** Usable channel, with its maximum number of deliveries in total and per creator. */
export type Share = { provider: OutboxChannel; share: number; per_creator: number }

/** Number of deliveries and erasures that this process has under way for a creator in a channel. */
export type CreatorLoad = { user_id: string; provider: OutboxChannel; nb_underway: number }

/** Limits and state of this process that apply to a claim. */
export type ClaimContext = {
  now: Date
  /** Leases of other workers that end before this time have expired (`DatabaseClock`); `now` by default. */
  lease_cutoff?: Date
  /** Rate limit per connection for each channel. */
  rateLimits: Record<OutboxChannel, ChannelRateLimit>
  shares: readonly Share[]
  limit: number
  /** Id of the leases; by default each lease gets one of its own. */
  lease_id?: string
  underway?: readonly CreatorLoad[]
  /** Webhook connections that get no delivery (`blocked`) or a single probe (`probed`), because their receivers fail. */
  blocked?: readonly string[]
  probed?: readonly string[]
}

/** SQL table of the connections with pending deliveries. Reads one index entry for each connection. */
const dueConnections = sql`
  due_connections(connection_id, due_at) as (
    (
      select connection_id, next_attempt_at from deliveries where status = 'pending'
      order by connection_id, next_attempt_at limit 1
    )
    union all
    select next_connection.* from due_connections cross join lateral (
      select connection_id, next_attempt_at from deliveries
      where status = 'pending' and connection_id > due_connections.connection_id
      order by connection_id, next_attempt_at limit 1
    ) as next_connection
  )`

/**
 * Selects the usable rate limiters of `due_connections(connection_id, due_at)` with their available tokens. A
 * connection that needs its creator is included only if a probe is due. `nb_underway` counts the running calls of this
 * process for the same creator and channel.
 */
const usableLimiters = (
  { now, rateLimits, shares, underway = [], blocked = [], probed = [] }: ClaimContext,
  only: RawBuilder<unknown>,
  creators?: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const limits = JSON.stringify(
    shares.map((share) => ({ ...share, ...rateLimits[share.provider] })),
  )
  return sql`
    select bucket.*, connection.provider as channel, connection.user_id, pace.calls, pace.share,
      pace.per_creator, pace.lease_s,
      coalesce(creator_load.nb_underway, 0) as nb_underway,
      case when connection_id = any(${[...probed]}::uuid[]) then 1 else pace.parallel end as parallel,
      least(
        pace.burst, tokens + pace.per_second * extract(epoch from ${now}::timestamptz - refilled_at)
      ) as available,
      connection.status <> 'active' as is_probe, connection.generation
      ${creators ? sql`, creator_place` : sql``}
    from due_connections
    join rate_limit_buckets as bucket using (connection_id)
    join integration_connections as connection on connection.id = connection_id
    join jsonb_to_recordset(${limits}::jsonb) as pace(
      provider text, share integer, per_creator integer, per_second real, burst real,
      parallel integer, calls real, lease_s integer
    ) using (provider)
    left join jsonb_to_recordset(${JSON.stringify(underway)}::jsonb) as creator_load(
      user_id uuid, provider text, nb_underway integer
    ) on creator_load.user_id = connection.user_id and creator_load.provider = connection.provider
    ${creators ?? sql``}
    where due_at <= ${now} and connection_id <> all(${[...blocked]}::uuid[])
      and (paused_until is null or paused_until <= ${now})
      and (held_until is null or held_until <= ${now} or (
        blocked_since is not null and connection.status = 'active'
      ))
      and (connection.status = 'active' or (
        connection.status = 'needs_attention' and held_until <= ${now}
      ))
      ${creators ? sql`and creator_place <= per_creator` : sql``}
      and ${only}`
}

/**
 * Selects the usable rate limiters that satisfy the condition `only`, with the position of each in the round of
 * creators. Creators with fewer running deliveries come first, and the connections of one creator take turns. Leaves
 * out connections beyond the share of their creator.
 */
export const readyLimiters = (
  claiming: ClaimContext,
  only: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  usableLimiters(
    claiming,
    only,
    sql`join (
      select connection_id, nb_underway + row_number() over (
        partition by user_id, channel order by last_claimed_at
      ) as creator_place
      from (${usableLimiters(claiming, only)}) as usable_limiters
    ) as creators using (connection_id)`,
  )

/**
 * Creates the missing rate limiters (rows of `rate_limit_buckets`) of connections with pending deliveries or
 * erasures, and of those for invitations.
 */
export const openLimiters = async (db: Db, now: Date): Promise<void> => {
  await sql`${prepared('open-limiters')}
    with recursive ${dueConnections}
    insert into rate_limit_buckets (connection_id, tokens, refilled_at, last_claimed_at)
    select connection_id, 1, ${now}::timestamptz, ${now}::timestamptz
    from (
      select connection_id from due_connections
      union select connection_id from erasures where status = 'pending'
      union select id from integration_connections where provider = 'invitation'
    ) as connections
    where not exists (
      select from rate_limit_buckets as bucket where bucket.connection_id = connections.connection_id
    )
    order by 1
    on conflict do nothing
  `.execute(db)
}

/**
 * Claims due deliveries within the rate limit of each connection, in turns between creators and between their
 * connections. Each address has at most one running delivery per connection. Skips connections with a due or running
 * erasure, and connections that need their creator unless a probe is due. Skips quizzes in the trash.
 */
export const claimDue = async (db: Db, claiming: ClaimContext): Promise<ClaimedDelivery[]> => {
  const { now, lease_cutoff = now, shares, limit } = claiming
  if (limit <= 0 || shares.length === 0) return []
  const isWithoutErasure = sql`not exists (
    select from erasures
    where erasures.connection_id = due_connections.connection_id and erasures.status = 'pending'
      and (erasures.next_attempt_at <= ${now} or erasures.lease_until > ${lease_cutoff})
  )`
  const { rows } = await sql<
    Omit<ClaimedDelivery, 'completed_calls'> & { completed_calls: CompletedCalls | null }
  >`${prepared('claim-deliveries')}
    with recursive ${dueConnections}, ready_limiters as (
      ${readyLimiters(claiming, isWithoutErasure)}
      order by creator_place, last_claimed_at
      limit ${limit}
      for update of bucket skip locked
    ), candidates as (
      select due_delivery.*, last_claimed_at, share, per_creator, user_id, nb_underway, lease_s,
        row_number() over (partition by due_delivery.connection_id order by next_attempt_at) as turn
      from ready_limiters cross join lateral (
        select quiz_id, participant_uuid, provider, connection_id, attempts, result_name, completed_calls,
          created_at, next_attempt_at
        from deliveries
        where deliveries.connection_id = ready_limiters.connection_id and status = 'pending'
          and next_attempt_at <= ${now} and (lease_id is null or lease_until <= ${lease_cutoff})
          and not exists (
            select from all_quizzes where all_quizzes.id = deliveries.quiz_id and trashed_at is not null
          )
        order by next_attempt_at
        limit greatest(0, least(
          floor(available / calls),
          case when is_probe then 1 else parallel end - (
            select count(*) from deliveries as running_delivery
            where running_delivery.connection_id = ready_limiters.connection_id
              and running_delivery.lease_id is not null and running_delivery.lease_until > ${lease_cutoff}
          )
        ))
        for update skip locked
      ) as due_delivery
    ), candidates_with_email as (
      select candidates.*, email, row_number() over (
        partition by connection_id, coalesce(lower(email), participant_uuid::text)
        order by candidates.created_at, participant_uuid
      ) as place
      from candidates join responses using (quiz_id, participant_uuid)
    ), idle_candidates as (
      select *, nb_underway + row_number() over (
        partition by provider, user_id order by turn, last_claimed_at
      ) as creator_turn
      from candidates_with_email
      where place = 1 and not exists (
        select from deliveries as running_delivery
        join responses as running_response using (quiz_id, participant_uuid)
        where running_delivery.connection_id = candidates_with_email.connection_id
          and running_delivery.lease_id is not null and running_delivery.lease_until > ${lease_cutoff}
          and lower(running_response.email) = lower(candidates_with_email.email)
      )
    ), ranked_candidates as (
      select *, row_number() over (
        partition by provider order by creator_turn, turn, last_claimed_at
      ) as rank
      from idle_candidates where creator_turn <= per_creator
    ), selected_candidates as (
      select * from ranked_candidates where rank <= share
      order by creator_turn, turn, last_claimed_at limit ${limit}
    ), claimed_deliveries as (
      update deliveries as delivery
      set lease_id = coalesce(${claiming.lease_id ?? null}::uuid, gen_random_uuid()),
        lease_until = ${now}::timestamptz + make_interval(secs => lease_s),
        next_attempt_at = ${now}::timestamptz + make_interval(secs => lease_s)
      from selected_candidates
      where (delivery.quiz_id, delivery.participant_uuid, delivery.connection_id)
        = (selected_candidates.quiz_id, selected_candidates.participant_uuid,
          selected_candidates.connection_id)
      returning delivery.*, selected_candidates.email, selected_candidates.next_attempt_at as due_at
    ), charged_limiters as (
      update rate_limit_buckets as bucket
      set last_claimed_at = case when claims.count > 0 then ${now}::timestamptz else bucket.last_claimed_at end,
        refilled_at = ${now}, tokens = ready_limiters.available - ready_limiters.calls * claims.count,
        -- Another probe waits until this one has ended.
        held_until = case when ready_limiters.is_probe and claims.count > 0
          then ${now}::timestamptz + make_interval(secs => ready_limiters.lease_s) else bucket.held_until
        end
      from ready_limiters cross join lateral (
        select count(*) from claimed_deliveries where claimed_deliveries.connection_id = ready_limiters.connection_id
      ) as claims
      where bucket.connection_id = ready_limiters.connection_id
    )
    select quiz_id, participant_uuid, claimed_deliveries.provider, connection_id, ready_limiters.user_id, lease_id,
      attempts, email,
      due_at, result_name, completed_calls, ready_limiters.is_probe, ready_limiters.generation,
      ${sql.raw(IS_TOOL_DELIVERY)} and exists (
        select from responses as newer_response
        join deliveries as newer_delivery using (quiz_id, participant_uuid)
        where newer_response.quiz_id = claimed_deliveries.quiz_id
          and lower(newer_response.email) = lower(claimed_deliveries.email)
          and newer_delivery.connection_id = claimed_deliveries.connection_id
          and newer_delivery.status in ('pending', 'delivered', 'suppressed')
          and (newer_response.created_at, newer_response.participant_uuid)
            > (claimed_deliveries.created_at, claimed_deliveries.participant_uuid)
      ) as is_replaced
    from claimed_deliveries join ready_limiters using (connection_id)
  `.execute(db)
  return rows.map((row) => ({ ...row, completed_calls: row.completed_calls ?? {} }))
}
