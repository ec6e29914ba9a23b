import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { User } from '#server/auth/accounts/users.store.ts'
import { otpExpired, phoneExists, textTooSoon } from '#server/auth/auth-error.ts'
import type { OneTimeToken } from '#server/auth/email-links/one-time-tokens.store.ts'
import type { Challenge } from '#server/auth/factors/challenges.store.ts'
import type { Factor } from '#server/auth/factors/factors.store.ts'
import { createMailRateLimit } from '#server/auth/mail/mail-rate-limit.ts'
import { findPasswordOrigin } from '#server/auth/password/password-origins.store.ts'
import type { Plugins, Services } from '#server/auth/services.ts'
import type { Config } from '#server/config/config.ts'
import { isUniqueViolation } from '#server/db/database-error.ts'
import { askForTextOtp, resendText, signUpByPhone } from './ask-for-text.ts'
import { setNewPhone, setPhone } from './phone-users.store.ts'
import { makeText, openTextFolder, type PhoneServices } from './send-text.ts'

/** Hourly limit of text messages of the whole server, because each message costs money. */
const TEXTS_PER_HOUR = 30

/** Confirms the number of a redeemed code. Throws 422 `phone_exists` if another account has taken the number. */
const redeemPhone = async (
  { db, browser }: Services,
  user: User,
  { relates_to: phone, drops_password, type }: OneTimeToken,
): Promise<User> => {
  const isFirst = type === 'phone_confirmation' && !user.phone_confirmed_at
  if (type === 'phone_change' && user.new_phone !== phone) throw otpExpired('code')
  const isSameOrigin = !isFirst || (await findPasswordOrigin(db, user.id, browser)).isCaller
  const isPasswordDropped = isFirst && (drops_password || !isSameOrigin)
  return setPhone(db, user, { phone, drops_password: isPasswordDropped }).catch(
    (error: unknown) => {
      throw isUniqueViolation(error) ? phoneExists() : error
    },
  )
}

/** Starts a change of number and returns a function that sends the code. Without confirmation, sets the number at once. */
const beginPhoneChange = async (services: PhoneServices, user: User, phone: string) => {
  const { id: user_id } = user
  if (services.auth.is_phone_autoconfirmed) {
    await setPhone(services.db, user, { phone })
    return undefined
  }
  await setNewPhone(services.db, user_id, phone)
  return makeText(services, { user_id, phone, type: 'phone_change', drops_password: false })
}

const MAX_WRONG_CODES = 5
const CODE_DIGITS = 6

const hashOf = ({ factorKey }: Services, factor_id: string, code: string): Buffer =>
  createHmac('sha256', factorKey).update(`phone ${factor_id} ${code}`).digest()

/** Sends a code to the phone of a factor and returns the hash to store. Throws 429 if the limit is reached. */
const makePhoneCode = async (services: PhoneServices, { id, phone }: Factor): Promise<Buffer> => {
  await services.textRateLimit.check({
    kind: 'factor',
    pause_key: phone ?? '',
    network: services.network,
    isKnown: async () => true,
  })
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  await services.texts.send(phone ?? '', `Votre code Quizaine : ${code}`)
  return hashOf(services, id, code)
}

/** Returns true if a code matches a challenge with fewer than five wrong codes. */
const isPhoneCode = (
  services: Services,
  { factor, challenge }: { factor: Factor; challenge: Challenge },
  code: string,
): boolean => {
  if (!challenge.code_hash || challenge.wrong_codes >= MAX_WRONG_CODES) return false
  return timingSafeEqual(hashOf(services, factor.id, code), challenge.code_hash)
}

/** Creates the enabled phone features: accounts with a number, and phones as second factor. */
export const createPhones = (
  config: Pick<Config, 'auth' | 'data_dir' | 'rate_limits'>,
  log: FastifyBaseLogger,
): Pick<Plugins, 'phones' | 'phoneFactor'> => {
  const texts = openTextFolder({ data_dir: config.data_dir, log })
  const textRateLimit = createMailRateLimit(config.rate_limits, TEXTS_PER_HOUR, textTooSoon)
  const withTexts = (services: Services): PhoneServices => ({ ...services, texts, textRateLimit })
  const { has_phones, factors } = config.auth
  return {
    ...(has_phones && {
      phones: {
        signUp: (services, request) => signUpByPhone(withTexts(services), request),
        askForCode: (services, request) => askForTextOtp(withTexts(services), request),
        resend: (services, request) => resendText(withTexts(services), request),
        redeem: redeemPhone,
        checkRateLimit: async ({ network }, pause_key) => {
          await textRateLimit.check({ kind: 'code', pause_key, network, isKnown: async () => true })
        },
        beginChange: (services, user, phone) => beginPhoneChange(withTexts(services), user, phone),
      },
    }),
    ...(factors.phone && {
      phoneFactor: {
        makeCode: (services, factor) => makePhoneCode(withTexts(services), factor),
        isCode: isPhoneCode,
      },
    }),
  }
}
