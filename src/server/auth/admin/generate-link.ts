import { checkMetadata, mergeMetadata, readEmail } from '#server/auth/accounts/account-fields.ts'
import {
  insertEmailUser,
  newEmailUser,
  setNewEmail,
} from '#server/auth/accounts/email-accounts.store.ts'
import { requireInvitations } from '#server/auth/accounts/sign-up-mode.store.ts'
import {
  findUserByEmail,
  isBanned,
  type Metadata,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { AuthError, emailExists, validationFailed } from '#server/auth/auth-error.ts'
import { accountJson, type UserJson } from '#server/auth/auth-json.ts'
import { type LinkKind, makeLink } from '#server/auth/mail/write-mail.ts'
import { checkNewPassword } from '#server/auth/password/password-policy.ts'
import { hashPassword } from '#server/auth/password/passwords.ts'
import type { InviteBody, LinkBody, Text } from '#server/auth/request-bodies.ts'
import { inTransaction, type Services } from '#server/auth/services.ts'
import { enqueueMail } from '#server/mails/mail-jobs.store.ts'
import { changeUser, findUser } from './admin-users.store.ts'

const KINDS: Record<string, LinkKind> = {
  signup: 'confirmation',
  invite: 'invite',
  magiclink: 'magic_link',
  recovery: 'recovery',
  email_change_current: 'email_change_current',
  email_change_new: 'email_change_new',
}

/**
 * Creates an unconfirmed account. If the address has an unconfirmed account, merges the metadata and returns that
 * account. Throws 422 `email_exists` if the address is confirmed or its account is banned, `signup_disabled` if no account
 * may be created.
 */
const findOrCreateUser = async (
  { db, auth }: Pick<Services, 'db' | 'auth'>,
  {
    email,
    data,
    encrypted_password,
  }: { email: string; data: Metadata; encrypted_password: string | null },
): Promise<User> => {
  await requireInvitations({ db, auth })
  const made = newEmailUser({ email, encrypted_password, data: {}, is_confirmed: false })
  const user_metadata = mergeMetadata({}, data)
  checkMetadata(user_metadata)
  const inserted = await insertEmailUser(db, { ...made, user_metadata })
  if (inserted) return inserted
  const known = await findUserByEmail(db, email)
  if (!known || known.email_confirmed_at || isBanned(known)) throw emailExists()
  const merged = mergeMetadata(known.user_metadata, data)
  checkMetadata(merged)
  return changeUser(db, known.id, {
    user_metadata: merged,
    ...(encrypted_password !== null && { encrypted_password }),
  })
}

/** Creates an account without a password and mails an invitation to its address. */
export const invite = async (
  services: Services,
  body: InviteBody,
  redirect_to: string,
): Promise<UserJson> => {
  const email = readEmail(body.email ?? '')
  const answer = await inTransaction(services.db, async (db) => {
    const account = { email, data: body.data ?? {}, encrypted_password: null }
    const { id } = await findOrCreateUser({ ...services, db }, account)
    const user = await changeUser(db, id, { invited_at: 'now' })
    await enqueueMail(db, { kind: 'invite', email, user_id: id, details: { redirect_to } })
    return accountJson(db, user)
  })
  services.mailer.wake()
  return answer
}

const readPassword = async (
  { auth, hashing }: Services,
  kind: LinkKind,
  password: Text,
  email: string,
): Promise<string | null> => {
  if (kind !== 'confirmation') return null
  if (!password) throw validationFailed('Signup requires a valid password')
  checkNewPassword(password, auth.password_policy, email)
  return hashing(() => hashPassword(password))
}

/** Returns the account of a link and the address that the link verifies. Creates the account if the kind allows. */
const findOrCreateRecipient = async (
  services: Pick<Services, 'db' | 'auth'>,
  kind: LinkKind,
  account: { email: string; data: Metadata; encrypted_password: string | null },
  new_email: string | undefined,
): Promise<{ user: User; relates_to: string }> => {
  const { db } = services
  const { email } = account
  if (kind === 'confirmation' || kind === 'invite') {
    const user = await findOrCreateUser(services, account)
    return {
      user: kind === 'invite' ? await changeUser(db, user.id, { invited_at: 'now' }) : user,
      relates_to: email,
    }
  }
  const user = await findUserByEmail(db, email)
  if (!user && kind === 'magic_link')
    return { user: await findOrCreateUser(services, account), relates_to: email }
  if (!user) throw new AuthError(404, 'user_not_found', 'User with this email not found')
  if (kind === 'recovery' || kind === 'magic_link') return { user, relates_to: email }
  if (!new_email) throw validationFailed('A new email address is required for this type of link')
  if (await findUserByEmail(db, new_email)) throw emailExists()
  const isKnown = user.new_email === new_email
  const changing = isKnown ? user : await setNewEmail(db, user.id, new_email)
  return { user: changing, relates_to: kind === 'email_change_new' ? new_email : email }
}

/** Creates a link and its code for an administrator and sends no mail. */
export const generateLink = async (services: Services, body: LinkBody, redirect_to: string) => {
  const kind = body.type && Object.hasOwn(KINDS, body.type) ? KINDS[body.type] : undefined
  if (!kind) throw validationFailed('Invalid email action link type requested')
  const email = readEmail(body.email ?? '')
  const new_email = body.new_email ? readEmail(body.new_email) : undefined
  const encrypted_password = await readPassword(services, kind, body.password, email)
  return inTransaction(services.db, async (db) => {
    const account = { email, data: body.data ?? {}, encrypted_password }
    const inside = { ...services, db }
    const { user, relates_to } = await findOrCreateRecipient(inside, kind, account, new_email)
    const made = await makeLink(inside, kind, {
      user,
      relates_to,
      details: { redirect_to },
    })
    const now = (await findUser(db, user.id)) ?? user
    return {
      ...(await accountJson(db, now)),
      action_link: made.url,
      email_otp: made.code,
      hashed_token: made.link,
      verification_type: body.type,
      redirect_to,
    }
  })
}
