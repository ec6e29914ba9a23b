import { createHmac, randomInt } from 'node:crypto'
import { audit } from '#server/audit/audit.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import { AuthError, factorNotFound, insufficientAal, wrongCode } from '#server/auth/auth-error.ts'
import type { SessionJson } from '#server/auth/auth-json.ts'
import type { Caller } from '#server/auth/identify-caller.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import {
  consumeRecoveryCode,
  countCodes,
  deleteFactor,
  type Factor,
  findRecoveryFactor,
  insertFactor,
  listFactors,
  putCodes,
} from './factors.store.ts'
import { upgradeToAal2 } from './upgrade-session.ts'
import { withCountedAttempt } from './verify-factor.ts'

const CODES_PER_ACCOUNT = 10
const CODE_LENGTH = 16
/** Alphabet without ambiguous characters. A code of 16 of these 31 characters has 79 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const makeCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

const hashOf = ({ factorKey }: Services, user_id: string, code: string): Buffer =>
  createHmac('sha256', factorKey)
    .update(`recovery ${user_id} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
    .digest()

const replaceCodes = async (services: Services, db: Db, { id, user_id, friendly_name }: Factor) => {
  const codes = Array.from({ length: CODES_PER_ACCOUNT }, makeCode)
  await putCodes(
    db,
    id,
    codes.map((code) => hashOf(services, user_id, code)),
  )
  audit('recovery_codes_made', { actor_id: user_id })
  return {
    id,
    type: 'recovery_code',
    friendly_name: friendly_name || undefined,
    total: CODES_PER_ACCOUNT,
    codes,
  }
}

const noOtherFactor = (): AuthError =>
  new AuthError(
    422,
    'mfa_recovery_codes_sole_factor',
    'Recovery codes require another verified factor',
  )

/** Returns the number of remaining recovery codes. Throws 404 if there are none. */
export const recoveryCodesStatus = async ({ db }: Services, { user }: Caller) => {
  const factor = await findRecoveryFactor(db, user.id)
  if (!factor) throw factorNotFound()
  return { id: factor.id, type: 'recovery_code', ...(await countCodes(db, factor.id)) }
}

/**
 * Creates recovery codes and returns them. Throws 403 for a session that lacks the second factor, and 422 if the account
 * has codes, or no verified factor.
 */
export const makeRecoveryCodes = (
  services: Services,
  { user, needs_factor }: Caller,
  friendly_name: string,
) =>
  inTransaction(services.db, async (db) => {
    await lockUser(db, user.id)
    if (needs_factor) throw insufficientAal(403)
    const factors = await listFactors(db, user.id)
    if (factors.some(({ factor_type }) => factor_type === 'recovery_code'))
      throw new AuthError(422, 'mfa_verified_factor_exists', 'Recovery codes already exist')
    if (!factors.some(({ status }) => status === 'verified')) throw noOtherFactor()
    const factor = await insertFactor(db, {
      user_id: user.id,
      factor_type: 'recovery_code',
      status: 'verified',
      friendly_name,
    })
    if (!factor) throw noOtherFactor()
    return replaceCodes(services, db, factor)
  })

/** Replaces the recovery codes of the caller and returns the new ones. */
export const replaceRecoveryCodes = (services: Services, { user, needs_factor }: Caller) =>
  inTransaction(services.db, async (db) => {
    await lockUser(db, user.id)
    const factor = await findRecoveryFactor(db, user.id)
    if (!factor) throw factorNotFound()
    if (needs_factor) throw insufficientAal(403)
    return replaceCodes(services, db, factor)
  })

/** Deletes the recovery codes of the caller. */
export const removeRecoveryCodes = async (
  { db }: Services,
  { user, needs_factor }: Caller,
): Promise<{ id: string }> => {
  const factor = await findRecoveryFactor(db, user.id)
  if (!factor) throw factorNotFound()
  if (needs_factor) throw insufficientAal(422)
  await inTransaction(db, (inside) => deleteFactor(inside, factor))
  return { id: factor.id }
}

const locked = (seconds: number | undefined): AuthError =>
  new AuthError(429, 'mfa_recovery_codes_locked', 'Too many failed attempts', {
    ...(seconds !== undefined && { retry_after: seconds }),
  })

/** Throws a 429 error with the error code of recovery codes instead. Rethrows other errors. */
const asLocked = (error: unknown): never => {
  throw error instanceof AuthError && error.status === 429 ? locked(error.retry_after) : error
}

/** Verifies a recovery code instead of a factor and raises the session to aal2. Throws 422 `mfa_verification_failed`. */
export const verifyRecoveryCode = async (
  services: Services,
  caller: Caller,
  code: string,
): Promise<SessionJson> => {
  const { user, bearer } = caller
  const consumeCode = () =>
    inTransaction(services.db, async (db) => {
      await lockUser(db, user.id)
      const factor = await findRecoveryFactor(db, user.id)
      if (!factor || !(await consumeRecoveryCode(db, factor.id, hashOf(services, user.id, code))))
        return undefined
      const verification = { method: 'mfa/recovery_code', factor_id: factor.id }
      return upgradeToAal2({ ...services, db }, bearer, verification)
    })
  const session = await withCountedAttempt(services, caller, consumeCode).catch(asLocked)
  if (!session) {
    audit('factor_refused', {
      actor_id: user.id,
      session_id: bearer.session_id,
      outcome: 'refused',
      detail: 'recovery_code',
    })
    throw wrongCode('Invalid recovery code entered')
  }
  audit('recovery_code_used', { actor_id: user.id, session_id: bearer.session_id })
  return session
}
