import { cutText } from '#domain/cut-text.ts'
import { AuthError, validationFailed } from '#server/auth/auth-error.ts'
import type { Caller } from '#server/auth/authenticate.ts'
import type { FactorBody, Text } from '#server/auth/bodies.ts'
import { readPhone } from '#server/auth/phone-number.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { lockUser } from '#server/auth/users.store.ts'
import type { Db } from '#server/db/database.ts'
import { factorTypeOff, insufficientAal } from './factor-errors.ts'
import {
  deleteAbandonedFactors,
  type Factor,
  insertFactor,
  listFactors,
  TYPES,
} from './factors.store.ts'
import { makeTotp } from './totp.ts'

const MOST_FACTORS = 10
const LONGEST_NAME = 100

const checkRoom = (factors: Factor[]): void => {
  if (factors.length >= MOST_FACTORS)
    throw new AuthError(
      422,
      'too_many_enrolled_mfa_factors',
      'Maximum number of verified factors reached, unenroll to continue',
    )
}

/** An unverified factor of the number makes room; a verified one is what is asked for already. */
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
  if (!auth.factors[type]) throw factorTypeOff(type, 'enroll')
  return type
}

/** What is stored of a new factor, and what its owner sets it up with. */
const begin = (
  services: Services,
  { user }: Caller,
  type: string,
  { issuer, phone }: FactorBody,
) => {
  if (type === 'phone') return { stored: { phone: readPhone(phone ?? '') }, shown: {} }
  if (type !== 'totp') return { stored: {}, shown: {} }
  const { sealed_secret, totp } = makeTotp(services, {
    user_id: user.id,
    issuer: issuer || new URL(services.public_url).host,
    label: user.email || user.phone || user.id,
  })
  return { stored: { sealed_secret }, shown: { totp } }
}

/**
 * Begins a second factor, which counts once it was verified. 403 `insufficient_aal` when the account has
 * one already that this session has not shown; 422 for a name or a number that is taken, or too many.
 */
export const enrollFactor = async (services: Services, caller: Caller, body: FactorBody) => {
  const factor_type = readType(services, body.factor_type)
  const friendly_name = cutText(body.friendly_name ?? '', LONGEST_NAME)
  const { stored, shown } = begin(services, caller, factor_type, body)
  const phone = 'phone' in stored ? stored.phone : undefined
  return inTransaction(services.db, async (db) => {
    const user_id = caller.user.id
    await lockUser(db, user_id)
    await deleteAbandonedFactors(db, user_id)
    const factors = await listFactors(db, user_id)
    checkRoom(factors)
    if (caller.needs_factor) throw insufficientAal(403)
    if (phone) await checkPhone(db, factors, phone)
    const factor = await insertFactor(db, { user_id, factor_type, friendly_name, ...stored })
    if (!factor) throw nameTaken(friendly_name)
    const { id } = factor
    return { id, type: factor_type, friendly_name, ...shown, ...(phone && { phone }) }
  })
}
