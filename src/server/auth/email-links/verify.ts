import { audit } from '#server/audit/audit.ts'
import { readEmail } from '#server/auth/accounts/account-fields.ts'
import { readE164Digits } from '#server/auth/accounts/phone-number.ts'
import {
  findUserByEmail,
  findUserByPhone,
  markSignedInByMail,
} from '#server/auth/accounts/users.store.ts'
import { countAttempt } from '#server/auth/attempts.ts'
import { AuthError, otpExpired, validationFailed } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import type { VerifyBody } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import type { OneTimeType } from '#server/db/tables.ts'
import { deleteFlow } from './flow-states.store.ts'
import { isCodeOf, linkHash } from './make-token.ts'
import { findTokenOfLink, type OneTimeToken, tryCodes } from './one-time-tokens.store.ts'
import { redeem } from './redeem.ts'

/** Token types by protocol type. A magic link has a recovery token. */
const TYPES: Record<string, OneTimeType[]> = {
  signup: ['confirmation'],
  invite: ['confirmation'],
  magiclink: ['recovery'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
  email: ['confirmation', 'recovery'],
}
const PHONE_TYPES: Record<string, OneTimeType[]> = {
  sms: ['phone_confirmation'],
  phone_change: ['phone_change'],
}

/** Returns the token types of a protocol type. Throws 400 for unknown types. */
export const tokenTypesOf = (type: string): OneTimeType[] => {
  const types = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined
  if (!types) throw validationFailed('Invalid verification type')
  return types
}

/** Message after the first confirmation of a change of address. */
export const HALF_CHANGED =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email'

type Proof = { types: OneTimeType[] } & ({ link: string } | { sent_to: string; code: string })

/** Returns the normalised address. Throws 422 if it is invalid. */
const readAddress = (email: string): string => {
  try {
    return readEmail(email)
  } catch {
    throw new AuthError(
      422,
      'validation_failed',
      'Unable to validate email address: invalid format',
    )
  }
}

const readProof = ({ type, token, token_hash, email, phone }: VerifyBody): Proof => {
  if (!type) throw validationFailed('Verify requires a verification type')
  if (!token && !token_hash) throw validationFailed('Verify requires a token or a token hash')
  if (token && token_hash)
    throw validationFailed('Verify requires either a token or a token hash, not both')
  if (token_hash) {
    if (email || phone) throw validationFailed('Only the token_hash and type should be provided')
    return { types: tokenTypesOf(type), link: token_hash }
  }
  if ((email ? 1 : 0) + (phone ? 1 : 0) !== 1)
    throw validationFailed('Only an email address or phone number should be provided on verify')
  if (phone)
    return { types: phoneTokenTypesOf(type), sent_to: readE164Digits(phone), code: token ?? '' }
  return { types: tokenTypesOf(type), sent_to: readAddress(email ?? ''), code: token ?? '' }
}

const phoneTokenTypesOf = (type: string): OneTimeType[] => {
  const types = Object.hasOwn(PHONE_TYPES, type) ? PHONE_TYPES[type] : undefined
  if (!types) throw validationFailed('Invalid verification type')
  return types
}

/**
 * Counts an attempt for the address or number and returns the token of the code; undefined if the code is wrong. A new
 * mail does not reset the attempts. Throws 429 if the hourly limit is reached.
 */
const findTokenOfCode = async (
  services: Services,
  { sent_to, code, types }: { sent_to: string; code: string; types: OneTimeType[] },
): Promise<OneTimeToken | undefined> => {
  const { db, codeKey } = services
  const owner = (await findUserByEmail(db, sent_to)) ?? (await findUserByPhone(db, sent_to))
  const takeBack = await countAttempt(services, 'code', { user_id: owner?.id, name: sent_to })
  const tokens = await tryCodes(db, { relates_to: sent_to }, types)
  const found = tokens.find((token) => isCodeOf(codeKey, token, code))
  if (found) await takeBack(db)
  return found
}

/** Returns the token that matches a proof. Throws 403 `otp_expired`. */
const findToken = async (services: Services, proof: Proof): Promise<OneTimeToken> => {
  const found =
    'link' in proof
      ? await findTokenOfLink(services.db, linkHash(proof.link), proof.types)
      : await findTokenOfCode(services, proof)
  if (!found) throw otpExpired('link' in proof ? 'link' : 'code')
  return found
}

/** Session, or a message after the first of two confirmations of a change of address. */
export type VerifyReply = SessionJson | { msg: string; code: string }

/**
 * Exchanges a mailed code or the token hash of a link for a session, also in PKCE flows. The first of two confirmations
 * of a change of address returns a message instead.
 */
export const verify = async (services: Services, body: VerifyBody): Promise<VerifyReply> => {
  const proof = readProof(body)
  const token = await findToken(services, proof)
  const form = 'link' in proof ? 'link' : 'code'
  const verified = await inTransaction(services.db, async (db) => {
    const redeemed = await redeem({ ...services, db }, token, form)
    if (token.flow_id) await deleteFlow(db, token.flow_id)
    if (redeemed === 'half') return { msg: HALF_CHANGED, code: '200' }
    const user = await markSignedInByMail(db, redeemed.user.id)
    return startSession({ ...services, db }, user, 'otp')
  })
  services.mailer.wake()
  if ('user' in verified) audit('sign_in', { actor_id: token.user_id, detail: token.type })
  return verified
}
