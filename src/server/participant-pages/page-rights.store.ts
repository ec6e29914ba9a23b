import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
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

/** Ends the deliveries of a participant that wait for an email tool or are being sent to one. */
const stopDeliveries = async (
  db: Db,
  quiz_id: string,
  isOwn: RawBuilder<unknown>,
): Promise<void> => {
  const isWaiting = sql`
    ${isOwn} and status in ('pending', 'awaiting_confirmation') and ${sql.raw(IS_TOOL_DELIVERY)}`
  await sql`select from deliveries where ${isWaiting} order by connection_id for update`.execute(db)
  // Rows are locked in the same order as in the settlement of deliveries.
  await sql`
    select from delivery_counts where quiz_id = ${quiz_id}
    order by quiz_id, connection_id, status for update
  `.execute(db)
  // A call in progress may still reach the tool. The row therefore gets `completed_calls`, so that erasures include the tool.
  await sql`
    update deliveries set status = 'no_consent', next_attempt_at = null,
      completed_calls = case when lease_id is null then completed_calls else coalesce(completed_calls, '{}') end,
      lease_id = null, lease_until = null, settled_at = now()
    where ${isWaiting}
  `.execute(db)
}
