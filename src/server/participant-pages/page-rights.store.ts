import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { MAX_DELIVERY_AGE } from '#domain/deliveries/delivery.ts'
import {
  ERASURE_KINDS_OF,
  type ErasureChoices,
  type ErasureKind,
} from '#domain/deliveries/erasures.ts'
import type { PageActionKind } from '#domain/participant-pages/page-actions.ts'
import type { Db } from '#server/db/database.ts'
import { listReachedTools } from '#server/erasures/erasures.store.ts'
import { requestErasures } from '#server/erasures/request-erasures.store.ts'
import { IS_TOOL_DELIVERY } from '#server/responses/consent.store.ts'
import { RESPONSES_CHANNEL } from '#server/responses/response-events.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import { removeResponses } from '#server/statistics/participants/removal.store.ts'
import type { PageOwner } from './participant-pages.store.ts'

type Owner = Pick<PageOwner, 'quiz_id' | 'participant_uuid' | 'creator_id' | 'page_erases_contacts'>

/**
 * Returns one request for each tool that received the participant, if the creator chose to ask the tools too. A tool
 * that does not support the preferred kind gets the kind that it supports.
 */
const choicesOf = async (
  db: Db,
  { quiz_id, participant_uuid, creator_id, page_erases_contacts }: Owner,
  preferred: ErasureKind,
): Promise<ErasureChoices> => {
  if (!page_erases_contacts) return {}
  const participant_keys = [{ quiz_id, participant_uuid }]
  const reached = await listReachedTools(db, { creator_id, participant_keys })
  return Object.fromEntries(
    PROVIDERS.filter((provider) => reached.some((tool) => tool.provider === provider)).map(
      (provider) => {
        const kinds: readonly ErasureKind[] = ERASURE_KINDS_OF[provider]
        return [provider, kinds.includes(preferred) ? preferred : kinds[0]]
      },
    ),
  )
}

const noteAction = async (db: Db, quiz_id: string, kind: PageActionKind): Promise<void> => {
  await db.insertInto('page_actions').values({ id: randomUUIDv7(), quiz_id, kind }).execute()
}

/**
 * Erases a participant in the way of an erasure by the creator (docs/decisions/046). Also requests the erasure from the
 * tools if the creator chose so. Returns false if the participant was already erased.
 */
export const eraseParticipant = async (db: Db, vault: Vault, owner: Owner): Promise<boolean> => {
  const { quiz_id, participant_uuid, creator_id } = owner
  const participant_keys = [{ quiz_id, participant_uuid }]
  const count = await removeResponses(db, participant_keys, {
    before: async (removal) => {
      const choices = await choicesOf(removal, owner, 'delete')
      await requestErasures(removal, vault, {
        creator_id,
        participant_keys,
        choices,
        by_participant: true,
      })
    },
    after: (removal) => noteAction(removal, quiz_id, 'erased'),
  })
  return count > 0
}

/**
 * Withdraws the consent of a participant, who then counts as declined. Ends the deliveries to email tools, and asks the
 * tools to unsubscribe the person if the creator chose so. Returns false if there is no consent to withdraw.
 */
export const withdrawConsent = (db: Db, vault: Vault, owner: Owner): Promise<boolean> =>
  db.transaction().execute(async (change) => {
    const { quiz_id, participant_uuid, creator_id } = owner
    const isOwn = sql`quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}`
    await sql`select from all_quizzes where id = ${quiz_id} for update`.execute(change)
    const { rows } = await sql<{ consent_version: number | null }>`
      select consent_version from responses where ${isOwn} and email is not null for update
    `.execute(change)
    const [row] = rows
    if (!row || row.consent_version === 0) return false
    await sql`
      update responses set consent_version = 0, withdrawn_consent_version = consent_version,
        consent_withdrawn_at = now()
      where ${isOwn}
    `.execute(change)
    await moveConsentCount(change, quiz_id, row.consent_version)
    const participant_keys = [{ quiz_id, participant_uuid }]
    const choices = await choicesOf(change, owner, 'unsubscribe')
    // Requests wait for the leases of calls in progress, so that they must be stored before `stopDeliveries` ends the leases.
    await requestErasures(change, vault, {
      creator_id,
      participant_keys,
      choices,
      by_participant: true,
      keeps_participants: true,
    })
    await stopDeliveries(change, quiz_id, isOwn)
    await noteAction(change, quiz_id, 'withdrawn')
    await sql`select pg_notify(${RESPONSES_CHANNEL}, ${quiz_id})`.execute(change)
    return true
  })

/**
 * Withdraws the consent of a participant to measuring, who then counts as declined. Tools with a field for this consent
 * get the withdrawal. Returns false if there is no such consent to withdraw.
 */
export const withdrawMeasure = (
  db: Db,
  { quiz_id, participant_uuid }: Pick<Owner, 'quiz_id' | 'participant_uuid'>,
): Promise<boolean> =>
  db.transaction().execute(async (change) => {
    const isOwn = sql`quiz_id = ${quiz_id} and participant_uuid = ${participant_uuid}`
    await sql`select from all_quizzes where id = ${quiz_id} for update`.execute(change)
    const { numAffectedRows } = await sql`
      update responses set measure_version = 0, withdrawn_measure_version = measure_version,
        measure_withdrawn_at = now()
      where ${isOwn} and measure_version > 0
    `.execute(change)
    if (!numAffectedRows) return false
    await resendMeasure(change, quiz_id, isOwn)
    await noteAction(change, quiz_id, 'measure_withdrawn')
    await sql`select pg_notify(${RESPONSES_CHANNEL}, ${quiz_id})`.execute(change)
    return true
  })

/** Moves a participant from the counter of their former consent to the counter of declined participants. */
const moveConsentCount = async (db: Db, quiz_id: string, former: number | null): Promise<void> => {
  await sql`
    update consent_counts set count = count - 1
    where quiz_id = ${quiz_id} and consent_version = ${former}
  `.execute(db)
  await sql`
    insert into consent_counts as counter (quiz_id, consent_version, count) values (${quiz_id}, 0, 1)
    on conflict (quiz_id, consent_version) do update set count = counter.count + 1
  `.execute(db)
}

/** Locks deliveries of a participant and the counters of the quiz, in the order of the settlement of deliveries. */
const lockDeliveries = async (
  db: Db,
  quiz_id: string,
  isChanged: RawBuilder<unknown>,
): Promise<void> => {
  await sql`select from deliveries where ${isChanged} order by connection_id for update`.execute(db)
  await sql`
    select from delivery_counts where quiz_id = ${quiz_id}
    order by quiz_id, connection_id, status for update
  `.execute(db)
}

/** Ends the deliveries of a participant that wait for an email tool or are being sent to one. */
const stopDeliveries = async (
  db: Db,
  quiz_id: string,
  isOwn: RawBuilder<unknown>,
): Promise<void> => {
  const isWaiting = sql`
    ${isOwn} and status in ('pending', 'awaiting_confirmation') and ${sql.raw(IS_TOOL_DELIVERY)}`
  await lockDeliveries(db, quiz_id, isWaiting)
  // A call in progress may still reach the tool. The row therefore gets `completed_calls`, so that erasures include the tool.
  await sql`
    update deliveries set status = 'no_consent', next_attempt_at = null,
      completed_calls = case when lease_id is null then completed_calls else coalesce(completed_calls, '{}') end,
      lease_id = null, lease_until = null, settled_at = now()
    where ${isWaiting}
  `.execute(db)
}

/**
 * Sends the fields of a participant again to the tools that have a field for the consent to measuring. Completed calls keep
 * the labels, which are not given again. Tools that the creator switched off, and participants who refuse forwarding, get
 * nothing.
 */
const resendMeasure = async (
  db: Db,
  quiz_id: string,
  isOwn: RawBuilder<unknown>,
): Promise<void> => {
  const isMeasured = sql`
    ${isOwn} and status in ('pending', 'delivered') and ${sql.raw(IS_TOOL_DELIVERY)}
    and exists (
      select from field_mappings as mapping
      join quiz_integrations as integration using (quiz_id, provider)
      join integration_connections as connection on connection.id = deliveries.connection_id
      where mapping.quiz_id = deliveries.quiz_id and mapping.provider = deliveries.provider
        and mapping.source = 'measure' and enabled and connection.status <> 'disconnected'
    )
    and exists (
      select from responses
      where responses.quiz_id = deliveries.quiz_id
        and responses.participant_uuid = deliveries.participant_uuid
        and consent_version is distinct from 0
    )`
  await lockDeliveries(db, quiz_id, isMeasured)
  // A call in progress may write the former value. Its outcome is therefore dropped, and the next attempt begins after the
  // call has ended. Deliveries of the trash get their due time when the quiz is restored.
  await sql`
    update deliveries set
      next_attempt_at = case
        when exists (select from all_quizzes where id = ${quiz_id} and trashed_at is not null) then null
        when lease_id is not null then lease_until
        when status = 'pending' then next_attempt_at
        else now()
      end,
      give_up_at = case when status = 'pending' then give_up_at else now() + interval '${sql.raw(MAX_DELIVERY_AGE)}' end,
      attempts = case when status = 'pending' then attempts else 0 end,
      status = 'pending', settled_at = null, lease_id = null, lease_until = null,
      completed_calls = case
        when lease_id is null then completed_calls else coalesce(completed_calls, '{}')
      end - '{has_contact,written_fields}'::text[]
    where ${isMeasured}
  `.execute(db)
}
