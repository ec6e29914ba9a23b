import { randomUUID } from 'node:crypto'
import { checkMetadata } from '#server/auth/accounts/account-fields.ts'
import { readE164Digits } from '#server/auth/accounts/phone-number.ts'
import { requireOpenSignUp } from '#server/auth/accounts/sign-up-mode.store.ts'
import {
  findUserByPhone,
  isBanned,
  isInUse,
  lockUser,
  type Metadata,
  markSignedIn,
  type User,
} from '#server/auth/accounts/users.store.ts'
import { AuthError } from '#server/auth/auth-error.ts'
import { type SessionJson, type SignedUp, userJson } from '#server/auth/auth-json.ts'
import { hashPassword } from '#server/auth/password/passwords.ts'
import {
  dryRun,
  hashSignUpPassword,
  keepPasswordIfSame,
} from '#server/auth/password/sign-up-to-confirm.ts'
import { inTransaction } from '#server/auth/services.ts'
import { startSession } from '#server/auth/sessions/sessions.ts'
import { findUserByNewPhone, insertPhoneUser, setPhone } from './phone-users.store.ts'
import { makeText, type PhoneServices } from './send-text.ts'

type NewUser = { phone: string; encrypted_password: string | null; data: Metadata }

/** Creates the account of a number if needed, sends a sign-in code, and returns the account. */
const sendSignInCode = async (services: PhoneServices, made: NewUser): Promise<User> => {
  const { phone, encrypted_password } = made
  const { user, send } = await inTransaction(services.db, async (db) => {
    const inside = { ...services, db }
    const inserted = await insertPhoneUser(db, made)
    const user = inserted ?? (await findUserByPhone(db, phone))
    if (!user) throw new Error('The account was deleted during a repeated sign-up')
    await keepPasswordIfSame(db, user, {
      encrypted_password,
      password_origin: { browser: services.browser },
    })
    const send = await makeText(inside, {
      user_id: user.id,
      phone,
      type: 'phone_confirmation',
      drops_password: encrypted_password === null,
    })
    return { user, send }
  })
  if (!isBanned(user)) await send()
  return user
}

/** Sends a sign-in code to a number. Creates the account if needed; throws 422 instead if `create_user` is false. */
export const askForTextOtp = async (
  services: PhoneServices,
  { phone: typed, data, create_user }: { phone: string; data: Metadata; create_user: boolean },
): Promise<void> => {
  const phone = readE164Digits(typed)
  checkMetadata(data)
  const user = await findUserByPhone(services.db, phone)
  const isKnown = async () => Boolean(user?.phone_confirmed_at)
  const { network } = services
  const isSent = await services.textRateLimit.check({
    kind: 'code',
    pause_key: phone,
    network,
    isKnown,
  })
  if (!user) {
    if (!create_user) throw new AuthError(422, 'otp_disabled', 'Signups not allowed for otp')
    await requireOpenSignUp(services)
  }
  if (isSent) await sendSignInCode(services, { phone, encrypted_password: null, data })
}

/** Creates a confirmed account of a number and signs it in. Throws 422 `user_already_exists`. */
const signUpConfirmed = (
  services: PhoneServices,
  made: NewUser & { encrypted_password: string },
): Promise<SessionJson> =>
  inTransaction(services.db, async (db) => {
    const inserted = await insertPhoneUser(db, made)
    const found = inserted ?? (await findUserByPhone(db, made.phone))
    const user = found && (await lockUser(db, found.id))
    if (!user || isInUse(user))
      throw new AuthError(422, 'user_already_exists', 'User already registered')
    const { phone, encrypted_password } = made
    await setPhone(db, user, { phone, encrypted_password })
    const signed = await markSignedIn(db, { id: user.id, encrypted_password })
    if (!signed) throw new Error('The account was deleted during its sign-up')
    return startSession({ ...services, db }, signed, 'password')
  })

/** Returns the answer of a successful sign-up without storing an account, because the number already has one. */
const simulateSignUp = async (services: PhoneServices, made: NewUser): Promise<SignedUp> => {
  const { phone } = made
  const user = await dryRun(services.db, async (db) => {
    const decoy = { ...made, phone: randomUUID() }
    const inserted = await insertPhoneUser(db, decoy)
    if (inserted)
      await makeText(
        { ...services, db },
        {
          user_id: inserted.id,
          phone: decoy.phone,
          type: 'phone_confirmation',
          drops_password: false,
        },
      )
    return inserted
  })
  const user_metadata = { ...user.user_metadata, phone }
  return { ...userJson({ ...user, phone, user_metadata }, []), role: '' }
}

/**
 * Creates an account of a number with a password, and sends a code to the number. The answer does not reveal whether the
 * number has an account. With automatic confirmation no code is sent: returns a session, or throws a 422 for a known number.
 */
export const signUpByPhone = async (
  services: PhoneServices,
  { phone: typed, password, data }: { phone: string; password: string; data: Metadata },
): Promise<SignedUp | SessionJson> => {
  const phone = readE164Digits(typed)
  checkMetadata(data)
  const { network } = services
  if (!services.auth.is_phone_autoconfirmed)
    await services.textRateLimit.check({ kind: 'code', pause_key: phone, network })
  if (services.auth.is_phone_autoconfirmed) {
    const encrypted_password = await services.hashing(() => hashPassword(password))
    return signUpConfirmed(services, { phone, encrypted_password, data })
  }
  const known = await findUserByPhone(services.db, phone)
  const waiting = known?.phone_confirmed_at ? undefined : known
  const encrypted_password = await services.hashing(() => hashSignUpPassword(password, waiting))
  if (known?.phone_confirmed_at)
    return simulateSignUp(services, { phone, encrypted_password, data })
  return userJson(await sendSignInCode(services, { phone, encrypted_password, data }), [])
}

/** Sends the code of a pending sign-up or change again. The answer does not reveal whether one is pending. */
export const resendText = async (
  services: PhoneServices,
  { type, phone: typed }: { type: 'sms' | 'phone_change'; phone: string },
): Promise<void> => {
  const phone = readE164Digits(typed)
  const { db, network } = services
  await services.textRateLimit.check({ kind: 'code', pause_key: phone, network })
  const isChange = type === 'phone_change'
  const user = await (isChange ? findUserByNewPhone : findUserByPhone)(db, phone)
  if (!user || isBanned(user) || (!isChange && user.phone_confirmed_at)) return
  const send = await makeText(services, {
    user_id: user.id,
    phone,
    type: isChange ? 'phone_change' : 'phone_confirmation',
    drops_password: false,
  })
  await send()
}
