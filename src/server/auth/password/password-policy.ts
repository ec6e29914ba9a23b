import { createRequire } from 'node:module'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { AuthError, validationFailed } from '#server/auth/auth-error.ts'
import type { AuthConfig } from '#server/config/config.ts'

const require = createRequire(import.meta.url)

/** Word lists of the strength estimator zxcvbn-ts. */
type ZxcvbnLists = { dictionary: { 'passwords-common': string[] } }

/** Minimum length of a listed word, because few letters among digits and signs form a short word by chance. */
const MIN_LISTED_LENGTH = 5

/** Leaked passwords in lower case; undefined until the first password is compared. */
let leaked_passwords: Set<string> | undefined

/** Reads the list of leaked passwords at the first use, because it takes 60 ms and 21 MB. */
const leakedPasswords = (): Set<string> => {
  if (leaked_passwords) return leaked_passwords
  const { dictionary }: ZxcvbnLists = require('@zxcvbn-ts/language-common')
  leaked_passwords = new Set(dictionary['passwords-common'])
  return leaked_passwords
}

/** Common words in French, and short words, that the list of leaked passwords lacks. */
const MORE_WORDS = new Set(
  `
  abc abcd abcde abcdef abcdefg abcdefgh administrateur aime allez ange anges anglais azertyuiopqsdfghjklm
  bebe bienvenue bisou bonheur chat coeur coucou couleur demo doudou formation jetaimes lille linkedin
  louloute lune lyon mdp merci montpellier nous ordinateur papa parissg passeport piscine prenom printemps
  qsdfghjklm quiz quizaine qwertz rennes root sondage strasbourg test zaq
  fevrier mars mai juin aout septembre lundi mercredi jeudi vendredi ete automne hiver
  `
    .trim()
    .split(/\s+/),
)

/**
 * Returns true for a common word of passwords. Passwords are compared in lower case without accents and surrounding
 * digits and signs, and with digits read as letters.
 */
const isCommonWord = (word: string): boolean =>
  MORE_WORDS.has(word) || (word.length >= MIN_LISTED_LENGTH && leakedPasswords().has(word))

/** Returns true for a leaked password, as it is and without surrounding signs. */
const isLeaked = (text: string): boolean => {
  const [trimmed = ''] = /[a-z0-9](?:.*[a-z0-9])?/s.exec(text) ?? []
  return leakedPasswords().has(text) || leakedPasswords().has(trimmed)
}

/** Letters for which digits and signs are often used in passwords. */
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
}

/** Keyboard rows, compared in both directions. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
  'azertyuiopqsdfghjklmwxcvbn',
  'qwertyuiopasdfghjklzxcvbnm',
]
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')])

const normalize = (text: string): string =>
  normalizeText(text, 'NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

const asLetters = (text: string): string => [...text].map((sign) => LETTERS[sign] ?? sign).join('')

/** Returns a text without surrounding digits and signs, as it is and with digits read as letters. */
const coreWordsOf = (text: string): string[] => {
  const trimmed = /[a-z](?:.*[a-z])?/s.exec(text)?.[0] ?? ''
  return [trimmed, asLetters(trimmed), asLetters(text)].map((core) =>
    core.replaceAll(/[^a-z]/g, ''),
  )
}

/** Returns true if a text repeats one short piece, such as aaaaaaaa or abcabcabc. */
const isRepeated = (text: string): boolean => {
  const letters = [...text]
  return [1, 2, 3, 4].some((size) => {
    let nb_repeated = size
    while (nb_repeated < letters.length && letters[nb_repeated] === letters[nb_repeated - size])
      nb_repeated++
    const whole = nb_repeated - (nb_repeated % size)
    return whole >= 3 * size && letters.length - whole <= 3
  })
}

/** Returns true if a text is a sequence of digits, letters or keys, such as 123456789012 or azertyuiop12. */
const isRun = (text: string): boolean => {
  const letters = text.replaceAll(/[^a-z]/g, '')
  const figures = text.replaceAll(/[^0-9]/g, '')
  const isInOrder = (part: string) =>
    part.length < 4 || RUNS.some((run) => `${run}${run}`.includes(part))
  return isInOrder(letters) && isInOrder(figures) && letters.length + figures.length >= 6
}

/** Returns true for a common password: a leaked one, a common word, a keyboard row or the own address. */
const isCommonPassword = (password: string, email: string): boolean => {
  const text = normalize(password)
  if (isLeaked(text) || isRepeated(text)) return true
  if (isRun(text) && /^[a-z0-9]+$/.test(text)) return true
  const [name = ''] = normalize(email).split('@')
  const own = name.replaceAll(/[^a-z]/g, '')
  return coreWordsOf(text).some(
    (core) => isCommonWord(core) || (own.length >= 4 && core === own) || isDoubledWord(core),
  )
}

const isDoubledWord = (core: string): boolean => {
  const half = core.slice(0, core.length / 2)
  return half.length >= 3 && core === half + half && isCommonWord(half)
}

const MAX_PASSWORD_BYTES = 72
const MIN_LENGTH = 6
/** Minimum length, and a shorter one for passwords with three kinds of characters (CNIL, délibération 2022-100). */
const CNIL = { length: 12, mixed_length: 8, kinds: 3 }

type Policy = AuthConfig['password_policy']
/** Reasons for the refusal of a password. */
export type Weakness = { message: string; reasons: string[] }

const KINDS = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u]
const countKinds = (password: string): number => KINDS.filter((kind) => kind.test(password)).length

const cnilReasons = (password: string, email: string): string[] => {
  const length = [...password].length
  const isMixed = countKinds(password) >= CNIL.kinds
  const reasons: string[] = []
  if (length < CNIL.mixed_length || (length < CNIL.length && !isMixed)) reasons.push('length')
  // Both reasons are given, because more length or more kinds of characters would suffice.
  if (length >= CNIL.mixed_length && length < CNIL.length && !isMixed) reasons.push('characters')
  if (isCommonPassword(password, email)) reasons.push('pwned')
  return reasons
}

const CNIL_RULE =
  'Password should be at least 12 characters, or 8 characters of three kinds, and not a common one.'

/** Returns the weakness of a password under a policy; undefined if there is none. */
export const weaknessOf = (
  password: string,
  policy: Policy,
  email: string,
): Weakness | undefined => {
  if (password.length < MIN_LENGTH)
    return {
      message: `Password should be at least ${policy === 'cnil' ? CNIL.mixed_length : MIN_LENGTH} characters.`,
      reasons: ['length'],
    }
  if (policy === 'spec') return undefined
  const reasons = cnilReasons(password, email)
  return reasons.length === 0 ? undefined : { message: CNIL_RULE, reasons }
}

/** Throws 400 if a new password is too long, 422 with the reasons if it is too weak. */
export const checkNewPassword = (password: string, policy: Policy, email: string): void => {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES)
    throw validationFailed(`Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`)
  const weakness = weaknessOf(password, policy, email)
  if (weakness)
    throw new AuthError(422, 'weak_password', weakness.message, {
      weak_password_reasons: weakness.reasons,
    })
}
