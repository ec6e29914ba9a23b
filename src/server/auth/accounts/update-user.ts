import { audit } from '#server/audit/audit.ts'
import { rememberNetwork } from '#server/auth/attempts.ts'
import {
  AuthError,
  emailExists,
  insufficientAal,
  passwordsDisabled,
  phoneExists,
  sessionNotFound,
} from '#server/auth/auth-error.ts'
import { accountJson, type UserJson } from '#server/auth/auth-json.ts'
import { clearChangeTokens } from '#server/auth/email-links/one-time-tokens.store.ts'
import { readChallenge } from '#server/auth/email-links/pkce.ts'
import { deletePendingSignIns } from '#server/auth/external/external.store.ts'
import type { Caller } from '#server/auth/identify-caller.ts'
import { queueChangeMails } from '#server/auth/mail/write-mail.ts'
import { checkPasswordChange } from '#server/auth/password/check-password-change.ts'
import { checkNewPassword } from '#server/auth/password/password-policy.ts'
import { hashPassword, isPassword } from '#server/auth/password/passwords.ts'
import type { UserBody } from '#server/auth/request-bodies.ts'
import { inTransaction, requirePhones, type Services } from '#server/auth/services.ts'
import { deleteSessions } from '#server/auth/sessions/sessions.store.ts'
import type { Bearer } from '#server/auth/sessions/tokens.ts'
import { enqueueMail, type MailDetails } from '#server/mails/mail-jobs.store.ts'
import { checkMetadata, mergeMetadata, readEmail } from './account-fields.ts'
import { replaceEmail, setNewEmail } from './email-accounts.store.ts'
import { readE164Digits } from './phone-number.ts'
import {
  findUserByEmail,
  findUserByPhone,
  findUserOfSession,
  lockUser,
  saveUser,
  type User,
} from './users.store.ts'

/** Validates all changes in the order of the protocol. Returns the new address; undefined if it does not change. */
const readChanges = (
  { auth, plugins }: Services,
  { email, phone, password, app_metadata }: UserBody,
  { user, needs_factor }: Pick<Caller, 'user' | 'needs_factor'>,
): string | undefined => {
  const address = email ? readEmail(email) : undefined
  if (password && !auth.has_passwords) throw passwordsDisabled()
  if (password) checkNewPassword(password, auth.password_policy, address ?? user.email ?? '')
  if (phone) requirePhones({ plugins })
  if (app_metadata)
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  if (needs_factor && (password || address || phone)) throw insufficientAal(401)
  if (user.is_anonymous && password && !address && !phone)
    throw new AuthError(
      422,
      'validation_failed',
      'Updating password of an anonymous user without an email or phone is not allowed',
    )
  return address === user.email ? undefined : address
}

/** Returns the hash of a new password. Refuses the current password. */
const hashNewPassword = async (password: string, { encrypted_password }: User): Promise<string> => {
  if (encrypted_password && (await isPassword(password, encrypted_password)))
    throw new AuthError(
      422,
      'same_password',
      'New password should be different from the old password.',
    )
  return hashPassword(password)
}

/** Starts a change of address. An anonymous account gets the address at once if mails need no confirmation. */
const beginChange = async (
  { db, auth }: Services,
  user: User,
  email: string,
  details: MailDetails,
): Promise<User> => {
  await clearChangeTokens(db, user.id)
  if (user.is_anonymous && auth.is_autoconfirmed) return replaceEmail(db, user, email, null)
  const changing = await setNewEmail(db, user.id, email)
  await queueChangeMails({ db }, changing, details)
  return changing
}

const changePassword = async (
  services: Services,
  bearer: Bearer,
  { id: user_id, email }: User,
): Promise<void> => {
  const { db } = services
  await deleteSessions(db, { user_id, except: bearer.session_id })
  // Earlier links are deleted, because they could still sign in.
  await deletePendingSignIns(db, user_id)
  // `readChanges` already required the second factor.
  await rememberNetwork(services, user_id, { hasVerifiedFactor: true })
  if (email) await enqueueMail(db, { kind: 'password_changed', email, user_id })
  audit('password_changed', { actor_id: user_id, session_id: bearer.session_id })
}

/**
 * Updates password, metadata (key by key; null deletes a key), address and number. A new address or number is pending
 * until it is confirmed. A new password ends the other sessions and all pending links and codes.
 */
export const updateUser = async (
  services: Services,
  { user, bearer, needs_factor }: Caller,
  { changes, redirect_to }: { changes: UserBody; redirect_to: string },
): Promise<UserJson> => {
  const { db, hashing, mailRateLimit, mailer, network } = services
  const email = readChanges(services, changes, { user, needs_factor })
  const details = { redirect_to, ...readChallenge(changes) }
  const number = changes.phone ? readE164Digits(changes.phone) : undefined
  const phone = number === user.phone ? undefined : number
  if (email && (await findUserByEmail(db, email))) throw emailExists()
  if (phone && (await findUserByPhone(db, phone))) throw phoneExists()
  const { password } = changes
  if (password) await checkPasswordChange(services, bearer, user, changes)
  const isKnown = async () => true
  if (email)
    await mailRateLimit.check({
      kind: 'email_change',
      pause_key: user.id,
      recipient: email,
      network,
      // Unconfirmed accounts do not count, because anyone could create one per mail.
      isKnown: user.email_confirmed_at ? isKnown : undefined,
    })
  if (phone) await requirePhones(services).checkRateLimit(services, phone)
  const encrypted_password = password
    ? await hashing(() => hashNewPassword(password, user))
    : undefined
  const { answer, send } = await inTransaction(db, async (transaction) => {
    const inside = { ...services, db: transaction }
    await lockUser(transaction, user.id)
    const current = await findUserOfSession(transaction, bearer)
    if (!current) throw sessionNotFound()
    const user_metadata = mergeMetadata(current.user_metadata, changes.data ?? {})
    checkMetadata(user_metadata)
    const saved = await saveUser(transaction, {
      id: user.id,
      user_metadata,
      encrypted_password: encrypted_password ?? current.encrypted_password,
    })
    if (encrypted_password) await changePassword(inside, bearer, saved)
    const last = email ? await beginChange(inside, saved, email, details) : saved
    const send = phone && (await requirePhones(services).beginChange(inside, saved, phone))
    const now = phone ? await lockUser(transaction, user.id) : last
    return { answer: await accountJson(transaction, now ?? last), send }
  })
  mailer.wake()
  if (send) await send()
  return answer
}
