import type { AuthConfig } from '#server/config.ts'
import { AuthError, validationFailed } from './auth-error.ts'
import { isCommonPassword } from './common-passwords.ts'

const LONGEST_BYTES = 72
const SHORTEST = 6
/** Either so long, or so many characters of three kinds (CNIL, délibération 2022-100, with throttling). */
const CNIL = { length: 12, mixed_length: 8, kinds: 3 }

type Policy = AuthConfig['password_policy']
export type Weakness = { message: string; reasons: string[] }

const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]
const countKinds = (password: string): number => KINDS.filter((kind) => kind.test(password)).length

const cnilReasons = (password: string, email: string): string[] => {
  const length = [...password].length
  const isMixed = countKinds(password) >= CNIL.kinds
  const reasons: string[] = []
  if (length < CNIL.mixed_length || (length < CNIL.length && !isMixed)) reasons.push('length')
  // Longer, or of more kinds: either would do.
  if (length >= CNIL.mixed_length && length < CNIL.length && !isMixed) reasons.push('characters')
  if (isCommonPassword(password, email)) reasons.push('pwned')
  return reasons
}

const CNIL_RULE =
  'Password should be at least 12 characters, or 8 characters of three kinds, and not a common one.'

/** What is wrong with a password under a policy; undefined when nothing is. */
export const weaknessOf = (
  password: string,
  policy: Policy,
  email: string,
): Weakness | undefined => {
  if (password.length < SHORTEST)
    return {
      message: `Password should be at least ${policy === 'cnil' ? CNIL.mixed_length : SHORTEST} characters.`,
      reasons: ['length'],
    }
  if (policy === 'spec') return undefined
  const reasons = cnilReasons(password, email)
  return reasons.length === 0 ? undefined : { message: CNIL_RULE, reasons }
}

/** Refuses a new password that is too long (400) or too weak (422, with its reasons). */
export const checkNewPassword = (password: string, policy: Policy, email: string): void => {
  if (Buffer.byteLength(password) > LONGEST_BYTES)
    throw validationFailed(`Password cannot be longer than ${LONGEST_BYTES} characters`)
  const weakness = weaknessOf(password, policy, email)
  if (weakness)
    throw new AuthError(422, 'weak_password', weakness.message, {
      weak_password_reasons: weakness.reasons,
    })
}
