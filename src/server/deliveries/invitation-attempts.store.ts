import { sql } from 'kysely'
import { nextReminder } from '#domain/campaigns/schedule.ts'
import { DEFAULT_TIME_ZONE } from '#domain/common/time-zone.ts'
import { INVITATION, type OutboxChannel } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import type { Db } from '#server/db/database.ts'
import { prepared } from '#server/db/kysely-pool.ts'
import type { DeliveryOutcome } from '#server/integrations/providers/provider.ts'
import { CREATOR_TIME_ZONE } from '#server/published-versions/quiz-limits.ts'
import { type ClaimContext, readyLimiters } from './claim-deliveries.store.ts'
import { decideAfterFailure } from './settlement.ts'

/** Maximum number of due mails of one campaign that a claim reads. */
const MAX_DUE_PER_CAMPAIGN = 10

/** Mail of an invitation that this process has claimed under a lease, with the data on which the next mail depends. */
export type ClaimedInvitation = {
  quiz_id: string
  invitation_id: string
  campaign_id: string
  connection_id: string
  provider: Extract<OutboxChannel, 'invitation'>
  user_id: string
  lease_id: string
  /** 0 for the invitation, then the number of the reminder. */
  step: number
  attempts: number
  /** Original due time of a mail, so that a claimed mail that was not attempted keeps its place. */
  due_at: string
  is_counted: boolean
  is_mailed: boolean
  /** Time of the invitation mail; null until it has left. */
  invited_at: string | null
  reminder_days: number[]
  ends_at: string
  time_zone: string
  /** True if the attempt is a probe of a connection that was refused. */
  is_probe: boolean
  /** Generation of the connection. */
  generation: number
}

/**
 * Claims due mails of running campaigns whose quiz takes replies, within the rate limits of deliveries. Creators take
 * turns, and so do the campaigns of a creator.
 */
export const claimInvitations = async (
  db: Db,
  claiming: ClaimContext,
): Promise<ClaimedInvitation[]> => {
  const { now, lease_cutoff = now, limit } = claiming
  const shares = claiming.shares.filter(({ provider }) => provider === INVITATION)
  if (limit <= 0 || shares.length === 0) return []
  const isRunning = sql`campaign.status = 'running' and starts_at <= ${now} and ends_at > ${now}
    and quizzes.status = 'Publié' and (opens_at is null or opens_at <= ${now})
    and (closes_at is null or closes_at > ${now})`
  const { rows } = await sql<ClaimedInvitation>`${prepared('claim-invitations')}
    with due_connections as (
      select connection.id as connection_id, min(first_due.next_attempt_at) as due_at
      from campaigns as campaign
      join quizzes on quizzes.id = campaign.quiz_id
      join integration_connections as connection
        on connection.user_id = quizzes.creator_id and connection.provider = ${INVITATION}
      cross join lateral (
        select next_attempt_at from invitations
        where invitations.quiz_id = campaign.quiz_id and campaign_id = campaign.id
          and next_attempt_at is not null
        order by next_attempt_at limit 1
      ) as first_due
      where ${isRunning}
      group by 1
    ), ready_limiters as (
      ${readyLimiters({ ...claiming, shares }, sql`true`)}
      order by creator_place, last_claimed_at
      limit ${limit}
      for update of bucket skip locked
    ), candidates as (
      select due_invitation.*, connection_id, user_id, nb_underway, share, per_creator, lease_s, is_probe,
        generation, reminder_days, ends_at, last_claimed_at, available, calls,
        coalesce(${sql.raw(CREATOR_TIME_ZONE)}, ${DEFAULT_TIME_ZONE}) as time_zone,
        row_number() over (partition by campaign.id order by due_at) as turn
      from ready_limiters
      join quizzes on quizzes.creator_id = ready_limiters.user_id
      join campaigns as campaign on campaign.quiz_id = quizzes.id and ${isRunning}
      cross join lateral (
        select quiz_id, id as invitation_id, campaign_id, next_attempt_at as due_at
        from invitations
        where invitations.quiz_id = campaign.quiz_id and campaign_id = campaign.id
          and next_attempt_at <= ${now} and (lease_id is null or lease_until <= ${lease_cutoff})
        order by next_attempt_at
        limit ${MAX_DUE_PER_CAMPAIGN}
        for update skip locked
      ) as due_invitation
    ), ranked_candidates as (
      select *, row_number() over (partition by connection_id order by turn, due_at) as place
      from candidates
    ), selected_candidates as (
      select *, row_number() over (order by place, last_claimed_at) as rank
      from ranked_candidates
      where place <= least(
        floor(available / calls), case when is_probe then 1 else per_creator - nb_underway end
      )
    ), claimed_invitations as (
      update invitations as invitation
      set lease_id = coalesce(${claiming.lease_id ?? null}::uuid, gen_random_uuid()),
        lease_until = ${now}::timestamptz + make_interval(secs => lease_s),
        next_attempt_at = ${now}::timestamptz + make_interval(secs => lease_s)
      from selected_candidates
      where (invitation.quiz_id, invitation.id)
          = (selected_candidates.quiz_id, selected_candidates.invitation_id)
        and rank <= least(share, ${limit})
      returning invitation.quiz_id, invitation.id as invitation_id, invitation.campaign_id, lease_id, step,
        attempts, is_counted, is_mailed, sent_at[1] as invited_at, connection_id, user_id, due_at,
        reminder_days, ends_at, time_zone, is_probe, generation
    ), charged_limiters as (
      update rate_limit_buckets as bucket
      set last_claimed_at = ${now}, refilled_at = ${now},
        tokens = ready_limiters.available - ready_limiters.calls * claims.count,
        held_until = case when ready_limiters.is_probe
          then ${now}::timestamptz + make_interval(secs => ready_limiters.lease_s)
          else bucket.held_until
        end
      from ready_limiters cross join lateral (
        select count(*) from claimed_invitations
        where claimed_invitations.connection_id = ready_limiters.connection_id
      ) as claims
      where bucket.connection_id = ready_limiters.connection_id and claims.count > 0
    )
    select claimed_invitations.*, ${INVITATION}::text as provider from claimed_invitations
  `.execute(db)
  return rows
}

/** Stored result of an attempt. A null `next_in` and no next mail end the mails of an invitation. */
type Settled = {
  /** Time of the mail; null if it did not leave. */
  sent_at: Date | null
  /** Seconds until the mail is attempted again; null if it is settled. */
  next_in: number | null
  is_attempt: boolean
  code: string | null
  refusal: 'unsubscribed' | null
  /** True if no mail reaches the address. */
  has_failed: boolean
}

const settledOf = (
  claimed: ClaimedInvitation,
  outcome: DeliveryOutcome,
  { now, chance }: { now: Date; chance: number },
): Settled => {
  const settled = {
    sent_at: null,
    next_in: null,
    is_attempt: true,
    code: null,
    refusal: null,
    has_failed: false,
  }
  if (outcome.kind === 'delivered') return { ...settled, sent_at: now }
  if (outcome.kind === 'suppressed')
    return { ...settled, refusal: outcome.reason === 'unsubscribed' ? outcome.reason : null }
  const { status, next_in, is_attempt, code } = decideAfterFailure(outcome, claimed.attempts, {
    chance,
  })
  return { ...settled, next_in, is_attempt, code, has_failed: status === 'refused' }
}

/**
 * Stores the outcome of a mail and schedules the next one. Writes nothing if another process has claimed the expired
 * lease. A reminder that failed for the maximum age is skipped; an invitation then counts as an address that fails.
 */
export const settleInvitation = async (
  db: Db,
  claimed: ClaimedInvitation,
  { outcome, ...at }: { outcome: DeliveryOutcome; now: Date; chance: number },
): Promise<void> => {
  const { quiz_id, invitation_id, lease_id, step, due_at } = claimed
  const { now } = at
  const { sent_at, next_in, is_attempt, code, refusal, has_failed } = settledOf(
    claimed,
    outcome,
    at,
  )
  const invited_at = claimed.invited_at ?? now.toISOString()
  const next =
    outcome.kind === 'suppressed' ? undefined : nextReminder(claimed, { step, invited_at, now })
  const retried_at = is_attempt
    ? sql`${now}::timestamptz + make_interval(secs => ${next_in})`
    : sql`${due_at}::timestamptz`
  const is_counted = outcome.completed_calls.is_counted === true
  await sql`
    with locked_invitation as (
      select quiz_id, id, ${next_in}::float8 is null as is_settled,
        coalesce(
          ${next_in}::float8 is not null and ${is_attempt} and ${retried_at} > give_up_at, false
        ) as is_too_old
      from invitations
      where quiz_id = ${quiz_id} and id = ${invitation_id} and lease_id = ${lease_id}
      for update
    ), decided_invitation as (
      select quiz_id, id, is_settled or is_too_old as is_over,
        ${has_failed} or (is_too_old and ${step === 0}) as has_failed
      from locked_invitation
    )
    update invitations as invitation
    set lease_id = null, lease_until = null, last_code = ${code},
      sent_at[${step + 1}] = case when ${sent_at !== null} then ${sent_at}::timestamptz
        else invitation.sent_at[${step + 1}] end,
      failed_code = case when decided_invitation.has_failed then ${code} else failed_code end,
      refused_at = case when ${refusal !== null} then coalesce(refused_at, ${now}) else refused_at end,
      refusal = case when ${refusal !== null} then coalesce(refusal, ${refusal}) else refusal end,
      step = case when is_over then ${next?.step ?? step} else step end,
      next_attempt_at = case
        when replied_at is not null or refused_at is not null or decided_invitation.has_failed
          or ${outcome.kind === 'suppressed'} then null
        when is_over then ${next?.due_at ?? null}::timestamptz
        else ${retried_at}
      end,
      attempts = case when is_over then 0 else attempts + ${is_attempt}::boolean::integer end,
      give_up_at = case when is_over then null
        when ${is_attempt} then coalesce(
          give_up_at, ${now}::timestamptz + interval '${sql.raw(MAX_DELIVERY_AGE)}'
        ) else give_up_at end,
      is_counted = not is_over and (is_counted or ${is_counted}), is_mailed = false
    from decided_invitation
    where (invitation.quiz_id, invitation.id) = (decided_invitation.quiz_id, decided_invitation.id)
  `.execute(db)
}
