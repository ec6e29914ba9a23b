import { cutText } from '#domain/common/text.ts'
import { audit } from '#server/audit/audit.ts'
import { readE164Digits } from '#server/auth/accounts/phone-number.ts'
import { lockUser } from '#server/auth/accounts/users.store.ts'
import {
  AuthError,
  factorNotFound,
  factorTypeDisabled,
  insufficientAal,
  validationFailed,
} from '#server/auth/auth-error.ts'
import type { Caller } from '#server/auth/identify-caller.ts'
import type { FactorBody, Text } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import type { Db } from '#server/db/database.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import {
  deleteAbandonedFactors,
  deleteFactor,
  type Factor,
  findFactor,
  insertFactor,
  listFactors,
  TYPES,
} from './factors.store.ts'
import { makeTotp } from './totp.ts'

/** Deletes a factor of the caller. Throws 422 if the factor is verified and the session has verified no factor. */
export const unenrollFactor = async (
  { db, mailer }: Services,
  { user, needs_factor }: Caller,
  id: string,
): Promise<{ id: string }> => {
  await inTransaction(db, async (transaction) => {
    const factor = await findFactor(transaction, { id, user_id: user.id })
    if (!factor || factor.factor_type === 'recovery_code') throw factorNotFound()
    if (factor.status === 'verified' && needs_factor) throw insufficientAal(422)
    await deleteFactor(transaction, { id, user_id: user.id })
    if (factor.status === 'verified' && user.email)
      await enqueueMail(transaction, {
        kind: 'factor_removed',
        email: user.email,
        user_id: user.id,
      })
  })
  mailer.wake()
  audit('factor_removed', { actor_id: user.id, object_id: id })
  return { id }
}

const MAX_FACTORS = 10
const MAX_NAME_LENGTH = 100

const checkFactorLimit = (factors: Factor[]): void => {
  if (factors.length >= MAX_FACTORS)
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    )
}

/** Deletes an unverified factor with this number; throws if a verified one exists. */
const checkPhone = async (db: Db, factors: Factor[], phone: string): Promise<void> => {
  const known = factors.find((factor) => factor.phone === phone)
  if (known?.status === 'verified')
    throw new AuthError(
      422,
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    )
  if (known) await db.deleteFrom('mfa_factors').where('id', '=', known.id).execute()
}

const nameTaken = (friendly_name: string): AuthError =>
  new AuthError(
    422,
    'mfa_factor_name_conflict',
    `A factor with the friendly name "${friendly_name}" for this user already exists`,
  )

const readType = ({ auth }: Services, factor_type: Text): (typeof TYPES)[number] => {
  const type = TYPES.find((candidate) => candidate === factor_type)
  if (!type) throw validationFailed('factor_type needs to be totp, phone, or webauthn')
  if (!auth.factors[type]) throw factorTypeDisabled(type, 'enroll')
  return type
}

/** Returns the stored fields of a new factor, and the fields of the answer with which the user sets it up. */
const prepareFactor = (
  services: Services,
  { user }: Caller,
  type: string,
  { issuer, phone }: FactorBody,
) => {
  if (type === 'phone') return { stored: { phone: readE164Digits(phone ?? '') }, shown: {} }
  if (type !== 'totp') return { stored: {}, shown: {} }
  const { sealed_secret, totp } = makeTotp(services, {
    user_id: user.id,
    issuer: issuer || new URL(services.public_url).host,
    label: user.email || user.phone || user.id,
  })
  return { stored: { sealed_secret }, shown: { totp } }
}

/**
 * Creates an unverified second factor. Throws 403 `insufficient_aal` if the session has not verified an existing factor,
 * 422 for a duplicate name or number, or too many factors.
 */
export const enrollFactor = async (services: Services, caller: Caller, body: FactorBody) => {
  const factor_type = readType(services, body.factor_type)
  const friendly_name = cutText(body.friendly_name ?? '', MAX_NAME_LENGTH)
  const { stored, shown } = prepareFactor(services, caller, factor_type, body)
  const phone = 'phone' in stored ? stored.phone : undefined
  return inTransaction(services.db, async (db) => {
    const user_id = caller.user.id
    await lockUser(db, user_id)
    await deleteAbandonedFactors(db, user_id)
    const factors = await listFactors(db, user_id)
    checkFactorLimit(factors)
    if (caller.needs_factor) throw insufficientAal(403)
    if (phone) await checkPhone(db, factors, phone)
    const factor = await insertFactor(db, { user_id, factor_type, friendly_name, ...stored })
    if (!factor) throw nameTaken(friendly_name)
    const { id } = factor
    return { id, type: factor_type, friendly_name, ...shown, ...(phone && { phone }) }
  })
}
