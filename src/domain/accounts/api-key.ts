/** Permissions of an API key: 'écriture' includes 'lecture'. */
export const KEY_SCOPES = ['lecture', 'écriture'] as const
/** Permission of an API key. */
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Days after which a key can expire; without an expiry, a key is valid until it is revoked. */
export const KEY_LIFETIMES = [30, 90, 365] as const

/** Maximum length of the name of a key. */
export const MAX_KEY_NAME_LENGTH = 100
/** Maximum number of keys of an account, including expired keys. */
export const MAX_API_KEYS = 20

/** Returns true if a key with permission `held` can make a call that needs `needed`. */
export const isScopeSufficient = (held: KeyScope, needed: KeyScope): boolean =>
  held === 'écriture' || held === needed

const KEY_PREFIX = 'qz_'
/** Characters of a key (base 62). */
export const KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of random characters of a key; 34 of 62 characters are 202 bits. */
export const KEY_RANDOM_LENGTH = 34
const CHECK_LENGTH = 6

const SHAPE = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${KEY_RANDOM_LENGTH + CHECK_LENGTH}}$`)

/** Returns the CRC-32 as in zip files, which detects any one or two wrong characters. */
const checksumOf = (text: string): number => {
  let sum = 0xffff_ffff
  for (const character of text) {
    sum ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0)
  }
  return (sum ^ 0xffff_ffff) >>> 0
}

const checksumPartOf = (random: string): string => {
  let [rest, digits] = [checksumOf(random), '']
  for (let place = 0; place < CHECK_LENGTH; place++) {
    digits = KEY_ALPHABET.charAt(rest % KEY_ALPHABET.length) + digits
    rest = Math.floor(rest / KEY_ALPHABET.length)
  }
  return digits
}

/** Returns the whole key for its random part: prefix, random part and checksum. */
export const formatApiKey = (random: string): string => KEY_PREFIX + random + checksumPartOf(random)

/** Returns true if a text has the form and the checksum of a key. The key may still be unknown. */
export const isWellFormedKey = (text: string): boolean =>
  SHAPE.test(text) && formatApiKey(text.slice(KEY_PREFIX.length, -CHECK_LENGTH)) === text
