import { sql } from 'kysely'
import type { ProviderName } from '#domain/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import type { Steps } from '#server/db/outbox-tables.ts'
import type { Pace } from './pace.ts'

/** A delivery that this process, and nobody else, is to try now. */
export type Claimed = {
  quiz_id: string
  participant_uuid: string
  provider: ProviderName
  connection_id: string
  lease_id: string
  attempts: number
  email: string
  result_name: string | null
  /** A newer result of the same person is there, or on its way. */
  is_replaced: boolean
  steps: Steps
  /** Whether it tries out a connection that was refused. */
  is_probe: boolean
}

export type Claiming = {
  now: Date
  /** What each tool bears. */
  paces: Record<ProviderName, Pace>
  /** The tools that may be called. */
  providers: readonly ProviderName[]
  most: number
}

/** By then another process takes over what this one has not settled. */
const LEASE = sql`interval '60 seconds'`

/** Each connection that something waits for, by one look into the index each. */
const waiting = sql`
  waiting(connection_id, due_at) as (
    (
      select connection_id, next_attempt_at from deliveries where status = 'pending'
      order by connection_id, next_attempt_at limit 1
    )
    union all
    select next.* from waiting cross join lateral (
      select connection_id, next_attempt_at from deliveries
      where status = 'pending' and connection_id > waiting.connection_id
      order by connection_id, next_attempt_at limit 1
    ) as next
  )`

/** Gives a lane to each connection that something waits for and that has none. */
export const openLanes = async (db: Db, now: Date): Promise<void> => {
  await sql`
    with recursive ${waiting}
    insert into delivery_lanes (connection_id, tokens, filled_at, served_at)
    select connection_id, 1, ${now}::timestamptz, ${now}::timestamptz from waiting
    where not exists (
      select from delivery_lanes as lane where lane.connection_id = waiting.connection_id
    )
    order by 1
    on conflict do nothing
  `.execute(db)
}

/**
 * Takes what is due, the connections in turn and each within its pace, so that nobody waits for another's
 * thousands. Of one person at one connection one delivery is under way at a time. A connection that needs
 * its creator is left alone, but for one try an hour where it may have mended by itself.
 */
export const claimDue = async (
  db: Db,
  { now, paces, providers, most }: Claiming,
): Promise<Claimed[]> => {
  if (most <= 0 || providers.length === 0) return []
  const limits = JSON.stringify(providers.map((provider) => ({ provider, ...paces[provider] })))
  const { rows } = await sql<Claimed>`
    with recursive ${waiting}, ready as (
      select lane.*, pace.calls, pace.parallel,
        least(
          pace.burst, tokens + pace.per_second * extract(epoch from ${now}::timestamptz - filled_at)
        ) as available,
        connected.status <> 'active' as is_probe
      from waiting
      join delivery_lanes as lane using (connection_id)
      join integration_connections as connected on connected.id = connection_id
      join jsonb_to_recordset(${limits}::jsonb) as pace(
        provider text, per_second real, burst real, parallel integer, calls real
      ) using (provider)
      where due_at <= ${now}
        and (paused_until is null or paused_until <= ${now})
        and (held_until is null or held_until <= ${now} or (
          blocked_since is not null and connected.status = 'active'
        ))
        and (connected.status = 'active' or (
          connected.status = 'needs_attention' and held_until <= ${now}
        ))
      order by served_at
      limit ${most}
      for update of lane skip locked
    ), picked as (
      select found.*, served_at,
        row_number() over (partition by found.connection_id order by next_attempt_at) as turn
      from ready cross join lateral (
        select quiz_id, participant_uuid, provider, connection_id, attempts, result_name, steps,
          created_at, next_attempt_at
        from deliveries
        where deliveries.connection_id = ready.connection_id and status = 'pending'
          and next_attempt_at <= ${now}
        order by next_attempt_at
        limit greatest(0, least(
          floor(available / calls),
          case when is_probe then 1 else parallel end - (
            select count(*) from deliveries as busy
            where busy.connection_id = ready.connection_id and busy.lease_id is not null
              and busy.lease_until > ${now}
          )
        ))
        for update skip locked
      ) as found
    ), addressed as (
      select picked.*, email, row_number() over (
        partition by connection_id, lower(email) order by picked.created_at, participant_uuid
      ) as place
      from picked join responses using (quiz_id, participant_uuid)
    ), chosen as (
      select * from addressed
      where place = 1 and not exists (
        select from deliveries as busy
        join responses as other using (quiz_id, participant_uuid)
        where busy.connection_id = addressed.connection_id and busy.lease_id is not null
          and busy.lease_until > ${now} and lower(other.email) = lower(addressed.email)
      )
      order by turn, served_at
      limit ${most}
    ), leased as (
      update deliveries as one
      set lease_id = gen_random_uuid(), lease_until = ${now}::timestamptz + ${LEASE},
        next_attempt_at = ${now}::timestamptz + ${LEASE}
      from chosen
      where (one.quiz_id, one.participant_uuid, one.provider)
        = (chosen.quiz_id, chosen.participant_uuid, chosen.provider)
      returning one.*, chosen.email
    ), served as (
      update delivery_lanes as lane
      set served_at = case when taken.count > 0 then ${now}::timestamptz else lane.served_at end,
        filled_at = ${now}, tokens = ready.available - ready.calls * taken.count
      from ready cross join lateral (
        select count(*) from leased where leased.connection_id = ready.connection_id
      ) as taken
      where lane.connection_id = ready.connection_id
    )
    select quiz_id, participant_uuid, provider, connection_id, lease_id, attempts, email, result_name,
      coalesce(steps, '{}') as steps,
      (select is_probe from ready where ready.connection_id = leased.connection_id) as is_probe,
      exists (
        select from responses as newer
        join deliveries as next using (quiz_id, participant_uuid)
        where newer.quiz_id = leased.quiz_id and lower(newer.email) = lower(leased.email)
          and next.provider = leased.provider and next.status in ('pending', 'delivered', 'suppressed')
          and (newer.created_at, newer.participant_uuid)
            > (leased.created_at, leased.participant_uuid)
      ) as is_replaced
    from leased
  `.execute(db)
  return rows
}
