import type { FastifyInstance } from 'fastify'
import { api } from '#contract/api.ts'
import type { ShownSender } from '#contract/forwarding/mail-senders.ts'
import { audit } from '#server/audit/audit.ts'
import {
  deleteReplyAddress,
  findPendingAddress,
  listReplyAddresses,
} from '#server/auth/reply-addresses/reply-addresses.store.ts'
import type { ReplyCodes } from '#server/auth/reply-addresses/reply-codes.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, notFound } from '#server/http/edge/errors.ts'
import { mount } from '#server/http/edge/mount.ts'
import { networkKey } from '#server/http/edge/rate-limits.ts'
import { refuseStaleFields } from '#server/http/edge/refuse-stale-fields.ts'
import {
  findProvenEmail,
  findSender,
  lockSender,
  requireKnownChoice,
  saveSender,
} from './mail-sender.store.ts'

type Dependencies = {
  db: Db
  /** Undefined if another service holds the accounts. */
  replyCodes: ReplyCodes | undefined
  /** Name and address of the installation. */
  mail_from: { name: string; address: string }
}

/** Mounts contract/forwarding/mail-senders.ts. */
export const registerMailSenders = (
  app: FastifyInstance,
  { db, replyCodes, mail_from }: Dependencies,
): void => {
  const loadShown = async (user_id: string): Promise<{ sender: ShownSender }> => ({
    sender: {
      ...(await findSender(db, user_id)),
      account_email: await findProvenEmail(db, user_id),
      addresses: await listReplyAddresses(db, user_id),
      pending_email: await findPendingAddress(db, user_id),
      can_add: replyCodes !== undefined,
      from_name: mail_from.name,
      from_address: mail_from.address,
    },
  })
  const requireCodes = (): ReplyCodes => {
    if (replyCodes) return replyCodes
    throw conflict('no_codes', 'Ce site ne peut pas confirmer d’autre adresse')
  }

  mount(app, api.mailSender, {
    get: async (_input, { id }) => loadShown(id),

    set: async ({ body }, { id, session_id }) => {
      const { replaces, ...changes } = body
      await db.transaction().execute(async (writing) => {
        const stored = await lockSender(writing, id)
        refuseStaleFields(stored, replaces)
        await requireKnownChoice(writing, id, changes.reply_to)
        await saveSender(writing, id, changes)
      })
      audit('sender_changed', { actor_id: id, session_id })
      return loadShown(id)
    },

    addAddress: async ({ body: { email } }, { id: user_id, session_id }, { ip }) => {
      await requireCodes().request({ user_id, session_id, network: networkKey(ip), email })
      // The code is stored when the mail is written, so that the answer names the address itself.
      const { sender } = await loadShown(user_id)
      return { sender: { ...sender, pending_email: sender.pending_email ?? email } }
    },

    confirmAddress: async ({ body }, { id: user_id, session_id }, { ip }) => {
      await requireCodes().confirm({ user_id, session_id, network: networkKey(ip), ...body })
      return loadShown(user_id)
    },

    removeAddress: async ({ id: address_id }, { id: user_id, session_id }) => {
      const isRemoved = await db
        .transaction()
        .execute((removing) => deleteReplyAddress(removing, { user_id, address_id }))
      if (!isRemoved) throw notFound('Adresse introuvable')
      audit('reply_address_removed', { actor_id: user_id, session_id })
      return loadShown(user_id)
    },
  })
}
