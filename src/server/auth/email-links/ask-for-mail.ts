import { checkMetadata, readEmail } from '#server/auth/accounts/account-fields.ts'
import { requireOpenSignUp } from '#server/auth/accounts/sign-up-mode.store.ts'
import { findUserByEmail, type User } from '#server/auth/accounts/users.store.ts'
import { AuthError, passwordsDisabled, validationFailed } from '#server/auth/auth-error.ts'
import type { OtpBody, RecoverBody, ResendBody } from '#server/auth/request-bodies.ts'
import { requirePhones, type Services } from '#server/auth/services.ts'
import { enqueueMail, type MailDetails, type MailKind } from '#server/mails/mail-jobs.store.ts'
import { readChallenge } from './pkce.ts'

/**
 * Queues a mail. Known and unknown addresses need the same statement, because the mailer looks up the account later.
 * Queues nothing if only the reserve for existing accounts is left and the address is unknown.
 */
const queueMail = async (
  services: Services,
  kind: MailKind,
  email: string,
  details: MailDetails,
): Promise<void> => {
  const { db, network } = services
  const isKnown = async () => Boolean((await findUserByEmail(db, email))?.email_confirmed_at)
  if (!(await services.mailRateLimit.check({ kind, pause_key: email, network, isKnown }))) return
  await enqueueMail(db, { kind, email, details })
  services.mailer.wake()
}

/**
 * Queues a password reset mail. The answer does not depend on whether the address is known. Throws 422 where
 * AUTH_PASSWORDS is off.
 */
export const recover = async (
  services: Services,
  body: RecoverBody,
  redirect_to: string,
): Promise<void> => {
  if (!services.auth.has_passwords) throw passwordsDisabled()
  const email = readEmail(body.email ?? '')
  await queueMail(services, 'recovery', email, { redirect_to, ...readChallenge(body) })
}

/**
 * Queues a mail with a link and code for a sign-in, which creates the account if needed. With `create_user: false`,
 * an unknown address gets 422 `otp_disabled` if addresses are confirmed automatically; otherwise it gets no mail. Throws
 * 422 for an address where AUTH_PASSWORDS is off.
 */
export const askForOtp = async (
  services: Services,
  body: OtpBody,
  redirect_to: string,
): Promise<void> => {
  const { email, phone, channel } = body
  if (email && phone)
    throw validationFailed('Only an email address or phone number should be provided')
  if (email && channel) throw validationFailed('Channel should only be specified with Phone OTP')
  const data = body.data ?? {}
  const create_user = body.create_user ?? true
  if (phone) return requirePhones(services).askForCode(services, { phone, data, create_user })
  if (!email) throw validationFailed('One of email or phone must be set')
  if (!services.auth.has_passwords) throw passwordsDisabled()
  const address = readEmail(email)
  const challenge = readChallenge(body)
  checkMetadata(data)
  await refuseUnknown(services, address, create_user)
  await queueMail(services, 'otp', address, { redirect_to, ...challenge, data, create_user })
}

const refuseUnknown = async (
  services: Services,
  email: string,
  create_user: boolean,
): Promise<void> => {
  if (!services.auth.is_autoconfirmed || (await findUserByEmail(services.db, email))) return
  if (!create_user) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
  await requireOpenSignUp(services)
}

const RESENDABLE_KINDS: Record<string, MailKind> = {
  signup: 'confirmation',
  email_change: 'email_change',
}

/** Queues the mail of a pending sign-up or change again. The answer does not reveal whether one is pending. */
export const resend = async (
  services: Services,
  body: ResendBody,
  redirect_to: string,
): Promise<void> => {
  const { type, email, phone } = body
  if (type === 'sms' || type === 'phone_change') {
    const phones = requirePhones(services)
    if (!phone || email) throw validationFailed('Type provided requires a phone number')
    return phones.resend(services, { type, phone })
  }
  const kind = type && Object.hasOwn(RESENDABLE_KINDS, type) ? RESENDABLE_KINDS[type] : undefined
  if (!kind)
    throw validationFailed('Missing one of these types: signup, email_change, sms, phone_change')
  if (email && phone)
    throw validationFailed('Only an email address or phone number should be provided.')
  if (!email) throw validationFailed('Type provided requires an email address')
  await queueMail(services, kind, readEmail(email), { redirect_to, ...readChallenge(body) })
}

/** Mails a code that confirms a change of password to the address of the account. */
export const reauthenticate = async (services: Services, user: User): Promise<void> => {
  if (!user.email)
    throw validationFailed('Reauthentication requires the user to have an email or a phone number')
  if (!user.email_confirmed_at)
    throw new AuthError(422, 'email_not_confirmed', 'Please verify your email first.')
  await services.mailRateLimit.check({
    kind: 'reauthentication',
    pause_key: user.id,
    recipient: user.email,
    network: services.network,
    isKnown: async () => true,
  })
  await enqueueMail(services.db, {
    kind: 'reauthentication',
    email: user.email,
    user_id: user.id,
  })
  services.mailer.wake()
}
