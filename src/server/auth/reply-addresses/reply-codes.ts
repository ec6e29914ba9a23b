import { canonicalEmail } from '#domain/common/addresses.ts'
import { MAX_REPLY_ADDRESSES } from '#domain/mail-senders/reply-to.ts'
import { audit } from '#server/audit/audit.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import { countAttempt } from '#server/auth/attempts.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { isCodeOf } from '#server/auth/email-links/make-token.ts'
import { consumeToken, tryCodes } from '#server/auth/email-links/one-time-tokens.store.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { conflict, invalid, tooMany } from '#server/http/edge/errors.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { insertReplyAddress, listReplyAddresses } from './reply-addresses.store.ts'

/** Caller who adds a reply address: account, session and network. */
type AddressRequest = {
  user_id: string
  session_id: string | undefined
  network: string
  /** Address as it was typed. */
  email: string
}

/** Codes that prove that a reply address belongs to the creator. */
export type ReplyCodes = {
  /** Mails a code to an address. Throws 422 for an unusable address, 409 beyond the maximum, 429 beyond a limit. */
  request: (request: AddressRequest) => Promise<void>
  /** Stores the address if the code is right. Throws 422 otherwise, 429 after too many codes. */
  confirm: (request: AddressRequest & { code: string }) => Promise<void>
}

const readAddress = (typed: string): string => {
  const email = canonicalEmail(typed)
  if (email === null) throw invalid('Adresse attendue de la forme nom@exemple.fr', 'email')
  return email
}

/** Throws if an account has this address, or as many addresses as an account may have. */
const requireNewAddress = async (db: Db, user_id: string, email: string): Promise<void> => {
  const addresses = await listReplyAddresses(db, user_id)
  if (addresses.some((address) => address.email === email))
    throw invalid('Cette adresse est déjà dans la liste', 'email')
  if (addresses.length >= MAX_REPLY_ADDRESSES)
    throw conflict(
      'too_many_addresses',
      `Un compte a ${MAX_REPLY_ADDRESSES} adresses pour les réponses au plus : retirez celles qui ne servent plus`,
    )
}

/** Runs a step of the auth service, and converts its refusal by a limit to one of the product API. */
const withApiErrors = async <T>(message: string, step: () => Promise<T>): Promise<T> => {
  try {
    return await step()
  } catch (error) {
    if (error instanceof AuthError && error.status === 429)
      throw tooMany(error.retry_after ?? 60, message)
    throw error
  }
}

/** Creates the codes for reply addresses. They have the limits, lifetime and hashes of other mailed codes. */
export const createReplyCodes = (services: Services): ReplyCodes => ({
  request: async ({ user_id, network, email: typed }) => {
    const { db } = services
    const email = readAddress(typed)
    await requireNewAddress(db, user_id, email)
    await withApiErrors('Un code vient de partir : patientez avant d’en demander un autre', () =>
      services.mailRateLimit.check({
        kind: 'reply_address',
        pause_key: user_id,
        recipient: email,
        network,
      }),
    )
    await enqueueMail(db, { kind: 'reply_address', email, user_id })
    services.mailer.wake()
  },

  confirm: async ({ user_id, session_id, network, email: typed, code }) => {
    const email = readAddress(typed)
    const uncountAttempt = await withApiErrors('Trop de codes essayés : réessayez plus tard', () =>
      countAttempt({ ...services, network }, 'code', { user_id, session_id }),
    )
    const tokens = await tryCodes(services.db, { user_id }, ['reply_address'])
    const token = tokens.find(
      (candidate) =>
        candidate.relates_to === email && isCodeOf(services.codeKey, candidate, code.trim()),
    )
    if (!token) throw invalid('Ce code est faux ou n’est plus valable', 'code')
    await uncountAttempt(services.db)
    await inTransaction(services.db, async (db) => {
      // The lock prevents two parallel calls from exceeding the maximum.
      await lockUser(db, user_id)
      await requireNewAddress(db, user_id, email)
      if (!(await consumeToken(db, token)))
        throw invalid('Ce code est faux ou n’est plus valable', 'code')
      await insertReplyAddress(db, { user_id, email })
    })
    audit('reply_address_added', { actor_id: user_id, session_id, email })
  },
})
