import { sql } from 'kysely'
import { LONGEST_AGE } from '#domain/delivery.ts'
import type { Db } from '#server/db/database.ts'
import type { ErasureOutcome } from '#server/integrations/providers/provider.ts'
import type { ClaimedErasure } from './claim-erasures.store.ts'
import { givenUpAt } from './settle.store.ts'
import { verdictOf } from './settlement.ts'

/**
 * Writes what became of an erasure: done, and whose it was is wiped with it; refused, it is kept for another try. One
 * whose lease another process has taken over writes nothing.
 */
export const settleErasure = async (
  db: Db,
  { erasure_id, lease_id, attempts }: ClaimedErasure,
  { outcome, now, chance }: { outcome: ErasureOutcome; now: Date; chance: number },
): Promise<void> => {
  const { status, next_in, is_attempt, code } =
    outcome.kind === 'erased'
      ? { status: 'done', next_in: null, is_attempt: true, code: outcome.code }
      : verdictOf(outcome, attempts, { chance })
  const next_at = sql`${now}::timestamptz + make_interval(secs => ${next_in})`
  await sql`
    with locked as (
      select id, case
          when ${status} = 'pending' and ${is_attempt} and ${next_at} > ${givenUpAt('erasures', now)} then 'refused'
          else ${status}
        end as becomes
      from erasures where id = ${erasure_id} and lease_id = ${lease_id} for update
    ), written as (
      update erasures as one
      set status = becomes, lease_id = null, lease_until = null, last_code = ${code},
        attempts = one.attempts + ${is_attempt}::boolean::integer,
        next_attempt_at = case when becomes = 'pending' then ${next_at} end,
        settled_at = case when becomes <> 'pending' then ${now}::timestamptz end,
        sealed_person = case when becomes <> 'done' then sealed_person end,
        vendor_contact_id = case when becomes <> 'done' then vendor_contact_id end
      from locked where one.id = locked.id
      returning one.*
    )
    insert into audit_events (at, event, outcome, actor_id, object_id, detail)
    select ${now}, 'erasure_settled', case status when 'done' then 'ok' else 'failed' end, user_id,
      id::text, concat_ws(' ', provider, kind, last_code)
    from written where status <> 'pending'
  `.execute(db)
}

/**
 * Sends those anew who came again with an address since its erasure was asked for: what a tool has just deleted was
 * all of them, and everything of before is called off.
 */
export const sendNewcomers = async (
  db: Db,
  {
    user_id,
    connection_id,
    email,
  }: Pick<ClaimedErasure, 'user_id' | 'connection_id'> & { email: string },
  now: Date,
): Promise<void> => {
  await sql`
    with newcomers as (
      select quiz_id, participant_uuid, connection_id from deliveries
      where connection_id = ${connection_id} and status in ('pending', 'delivered')
        and (quiz_id, participant_uuid) in (
          select quiz_id, participant_uuid from responses
          where quiz_id in (select id from quizzes where creator_id = ${user_id})
            and lower(email) = lower(${email})
        )
      order by 1, 2, 3 for update
    )
    update deliveries as one set status = 'pending', attempts = 0, completed_calls = null, settled_at = null,
      next_attempt_at = ${now}, give_up_at = ${now}::timestamptz + interval '${sql.raw(LONGEST_AGE)}'
    from newcomers
    where (one.quiz_id, one.participant_uuid, one.connection_id)
      = (newcomers.quiz_id, newcomers.participant_uuid, newcomers.connection_id)
  `.execute(db)
}
