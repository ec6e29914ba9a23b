import { randomUUIDv7 } from 'node:crypto'
import { audit } from '#server/audit/audit.ts'
import { checkMetadata, mergeMetadata, readEmail } from '#server/auth/accounts/account-fields.ts'
import { confirmUser, replaceEmail } from '#server/auth/accounts/email-accounts.store.ts'
import { putPhoneIdentity } from '#server/auth/accounts/identities.store.ts'
import { readE164Digits } from '#server/auth/accounts/phone-number.ts'
import {
  findUserByEmail,
  findUserByPhone,
  lockUser,
  type Metadata,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { AuthError, emailExists, phoneExists, validationFailed } from '#server/auth/auth-error.ts'
import { accountJson, type UserJson } from '#server/auth/auth-json.ts'
import { deletePendingSignIns, saveProviders } from '#server/auth/external/external.store.ts'
import { checkNewPassword } from '#server/auth/password/password-policy.ts'
import { hashPassword, isPasswordHash } from '#server/auth/password/passwords.ts'
import type { AdminUserBody, Text } from '#server/auth/request-bodies.ts'
import { inTransaction, requirePhones, type Services } from '#server/auth/services.ts'
import { deleteSessions } from '#server/auth/sessions/sessions.store.ts'
import { AUTHENTICATED } from '#server/auth/sessions/tokens.ts'
import type { Db } from '#server/db/database.ts'
import { isUniqueViolation } from '#server/db/database-error.ts'
import { UUID } from '#server/runtime/uuid.ts'
import { changeUser, deleteUser, findUser, forgetUser, insertUser } from './admin-users.store.ts'

const unknownUser = (): AuthError => new AuthError(404, 'user_not_found', 'User not found')

/** Returns the user id of a path. Throws 404 if it is not a UUID. */
export const readUserId = (id: unknown): string => {
  if (typeof id === 'string' && UUID.test(id)) return id.toLowerCase()
  throw new AuthError(404, 'validation_failed', 'user_id must be an UUID')
}

const UNITS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** Returns the end of a ban from a duration such as `24h` or `1h30m`. Returns null for `none`, undefined if absent. */
const readBan = (duration: Text): Date | null | undefined => {
  if (!duration) return undefined
  if (duration === 'none') return null
  if (!/^(?:\d{1,7}(?:h|ms|m|s))+$/.test(duration))
    throw validationFailed('invalid format for ban duration: it is a duration as 24h, or none')
  const parts = [...duration.matchAll(/(\d{1,7})(ms|h|m|s)/g)]
  const ms = parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  )
  return new Date(Date.now() + ms)
}

/** Validates the body for a new or existing account. */
const checkBody = (
  services: Pick<Services, 'plugins'>,
  { phone, role, password_hash, password, user_metadata, app_metadata }: AdminUserBody,
) => {
  if (phone) requirePhones(services)
  // Tokens contain the role, and a token with service_role gives access to every account.
  if (role && role !== AUTHENTICATED) throw validationFailed('role must be authenticated')
  if (password && password_hash)
    throw validationFailed('Only a password or a password hash should be provided')
  if (password_hash && !isPasswordHash(password_hash))
    throw validationFailed(
      'password_hash must be an argon2id PHC string or a bcrypt hash, at a cost of 12 at most',
    )
  checkMetadata({ ...user_metadata, ...app_metadata })
}

const readPassword = async (
  { auth, hashing }: Services,
  { password, password_hash }: AdminUserBody,
  email: string,
): Promise<string | undefined> => {
  if (password_hash) return password_hash
  if (!password) return undefined
  checkNewPassword(password, auth.password_policy, email)
  return hashing(() => hashPassword(password))
}

/** Returns the provider metadata of a new account, email first. */
const providersOf = (names: Record<'email' | 'phone', string | null>): Metadata => {
  const providers = (['email', 'phone'] as const).filter((name) => names[name] !== null)
  return { provider: providers[0], providers }
}

/**
 * Creates an account with an address, a number or both. Sends no mail. Throws 422 `email_exists` or `phone_exists`.
 */
export const createUser = async (services: Services, body: AdminUserBody): Promise<UserJson> => {
  checkBody(services, body)
  const email = body.email ? readEmail(body.email) : null
  const phone = body.phone ? readE164Digits(body.phone) : null
  if (!email && !phone)
    throw validationFailed('Cannot create a user without either an email or phone')
  const is_email_confirmed = email !== null && (body.email_confirm ?? false)
  const is_phone_confirmed = phone !== null && (body.phone_confirm ?? false)
  const banned_until = readBan(body.ban_duration) ?? null
  const id = body.id ? readUserId(body.id) : randomUUIDv7()
  const encrypted_password = (await readPassword(services, body, email ?? '')) ?? null
  return inTransaction(services.db, async (db) => {
    if (await findUser(db, id)) throw validationFailed('A user with this id exists already')
    const user = await insertUser(db, {
      id,
      email,
      phone,
      encrypted_password,
      is_email_confirmed,
      is_phone_confirmed,
      banned_until,
      user_metadata: { ...body.user_metadata, ...(is_email_confirmed && { email_verified: true }) },
      app_metadata: mergeMetadata(providersOf({ email, phone }), body.app_metadata ?? {}),
    })
    if (!user) throw email && (await findUserByEmail(db, email)) ? emailExists() : phoneExists()
    audit('user_created', { object_id: id })
    return accountJson(db, user)
  })
}

/** Returns an account. Throws 404 if it does not exist. */
export const getUser = async ({ db }: Services, id: string): Promise<UserJson> => {
  const user = await findUser(db, id)
  if (!user) throw unknownUser()
  return accountJson(db, user)
}

/** Sets the number of an account, or confirms the existing one. Throws 422 `phone_exists`. */
const changePhone = async (
  db: Db,
  user: User,
  { phone, is_confirmed }: { phone: string | undefined; is_confirmed: boolean },
): Promise<void> => {
  const number = phone ?? user.phone
  const isNewNumber = number !== user.phone
  if (!number || (!isNewNumber && !is_confirmed)) return
  if (isNewNumber && (await findUserByPhone(db, number))) throw phoneExists()
  await changeUser(db, user.id, {
    phone: number,
    new_phone: null,
    // The confirmation of the previous number does not apply to the new one.
    ...(isNewNumber && { phone_confirmed_at: null }),
    ...(is_confirmed && { phone_confirmed_at: 'now', is_anonymous: false }),
  })
  const { id: sub } = user
  const data = { sub, phone: number, email_verified: false, phone_verified: is_confirmed }
  await putPhoneIdentity(db, sub, data)
  await saveProviders(db, sub)
  await deletePendingSignIns(db, sub)
}

/** Changes an account without sending a mail. A new password ends all sessions of the account. */
export const changeByAdmin = async (
  services: Services,
  id: string,
  body: AdminUserBody,
): Promise<UserJson> => {
  checkBody(services, body)
  const email = body.email ? readEmail(body.email) : undefined
  const phone = body.phone ? readE164Digits(body.phone) : undefined
  const banned_until = readBan(body.ban_duration)
  const known = await findUser(services.db, id)
  if (!known) throw unknownUser()
  const encrypted_password = await readPassword(services, body, email ?? known.email ?? '')
  return inTransaction(services.db, async (db) => {
    const user = await lockUser(db, id)
    if (!user) throw unknownUser()
    if (email && email !== user.email) {
      if (await findUserByEmail(db, email)) throw emailExists()
      await replaceEmail(db, user, email, 'administrator')
      await deletePendingSignIns(db, id)
    }
    if (body.email_confirm) await confirmUser(db, id, { proven_by: 'administrator' })
    await changePhone(db, user, { phone, is_confirmed: body.phone_confirm ?? false })
    if (encrypted_password) {
      await deleteSessions(db, { user_id: id })
      await deletePendingSignIns(db, id)
    }
    const now = (await findUser(db, id)) ?? user
    const user_metadata = mergeMetadata(now.user_metadata, body.user_metadata ?? {})
    checkMetadata(user_metadata)
    const changed = await changeUser(db, id, {
      user_metadata,
      app_metadata: mergeMetadata(now.app_metadata, body.app_metadata ?? {}),
      ...(encrypted_password !== undefined && { encrypted_password }),
      ...(banned_until !== undefined && { banned_until }),
    })
    audit('user_changed', { object_id: id })
    return accountJson(db, changed)
  }).catch(async (error: unknown) => {
    // A concurrent request may have taken the address or number.
    if (!isUniqueViolation(error)) throw error
    const owner = email && (await findUserByEmail(services.db, email))
    throw owner && owner.id !== id ? emailExists() : phoneExists()
  })
}

/** Deletes an account with all its content. A soft deletion only erases personal data, and keeps the content. */
export const removeUser = async ({ db }: Services, id: string, isSoft: boolean): Promise<void> => {
  await inTransaction(db, async (transaction) => {
    if (!(await lockUser(transaction, id))) throw unknownUser()
    await (isSoft ? forgetUser(transaction, id) : deleteUser(transaction, id))
  })
  audit('user_deleted', { object_id: id, detail: isSoft ? 'soft' : 'hard' })
}
