import { isTool } from '#domain/common/vocabulary.ts'
import type { Db } from '#server/db/database.ts'
import { openPerson } from '#server/erasures/request-erasures.store.ts'
import type { ErasureOutcome } from '#server/integrations/providers/provider.ts'
import { permanent } from '#server/integrations/providers/provider-requests.ts'
import type { Vault } from '#server/runtime/sealing.ts'
import type { SendErasureNotice } from '#server/webhooks/send-webhook.ts'
import { type ClaimedErasure, resendReturningParticipants } from './erasure-attempts.store.ts'
import { type Tools, withConnection } from './send-delivery.ts'

/** Requests an erasure from one tool, or notifies one webhook. Returns network failures instead of throwing. */
export type SendErasure = (claimed: ClaimedErasure, now: Date) => Promise<ErasureOutcome>

type Dependencies = {
  db: Db
  vault: Vault
  tools: Pick<Tools, 'open' | 'providers'>
  sendErased: SendErasureNotice
}

/** Creates the function that erases persons at email tools and notifies webhooks (docs/decisions/046). */
export const createSendErasure =
  ({ db, vault, tools, sendErased }: Dependencies): SendErasure =>
  async (claimed, now) => {
    const { erasure_id: id, connection_id, provider, kind, quiz_ids, attempts, is_probe } = claimed
    const person = openPerson(vault, { ...claimed, id }, claimed.sealed_person)
    if (!person) return permanent('unreadable_person')
    if (kind === 'event' || provider === 'webhook') {
      const [quiz_id] = quiz_ids
      if (quiz_id === undefined || !('participant_uuid' in person)) return permanent('internal')
      const { participant_uuid } = person
      const erased_at = claimed.created_at
      const attempt = { attempts, is_probe }
      return sendErased({ quiz_id, participant_uuid, connection_id, ...attempt, erased_at })
    }
    if (!('email' in person) || !isTool(provider)) return permanent('internal')
    const { email } = person
    const { vendor_contact_id } = claimed
    const outcome = await withConnection<ErasureOutcome>(tools.open, connection_id, (connection) =>
      tools.providers[provider].erase(connection, { email, vendor_contact_id }, kind),
    )
    if (outcome.kind === 'erased' && kind === 'delete')
      await resendReturningParticipants(db, { ...claimed, email }, now)
    return outcome
  }
