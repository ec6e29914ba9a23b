/** What an API key may do: 'écriture' includes 'lecture'. */
export const KEY_SCOPES = ['lecture', 'écriture'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** After how many days a key may end by itself; without one it ends when it is revoked. */
export const KEY_LIFETIMES = [30, 90, 365] as const

export const MAX_KEY_NAME_LENGTH = 100
/** Keys that an account may have at once, those that have expired included. */
export const MAX_API_KEYS = 20

/** Whether a key of one scope opens a call that needs another. */
export const allows = (held: KeyScope, needed: KeyScope): boolean =>
  held === 'écriture' || held === needed

const KEY_PREFIX = 'qz_'
export const KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Random characters of a key: 34 of 62 are 202 bits. */
export const KEY_RANDOM_LENGTH = 34
const CHECK_LENGTH = 6

const SHAPE = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${KEY_RANDOM_LENGTH + CHECK_LENGTH}}$`)

/** CRC-32 as of zip files, which tells apart any slip of one character or two. */
const checksumOf = (text: string): number => {
  let sum = 0xffff_ffff
  for (const character of text) {
    sum ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0)
  }
  return (sum ^ 0xffff_ffff) >>> 0
}

const checkPartOf = (random: string): string => {
  let [rest, digits] = [checksumOf(random), '']
  for (let place = 0; place < CHECK_LENGTH; place++) {
    digits = KEY_ALPHABET.charAt(rest % KEY_ALPHABET.length) + digits
    rest = Math.floor(rest / KEY_ALPHABET.length)
  }
  return digits
}

/** The whole key of its random characters: their prefix before them, and their check part behind. */
export const keyOf = (random: string): string => KEY_PREFIX + random + checkPartOf(random)

/** Whether a text is a key as we make them; one with a slip in it is not. Says nothing about its being known. */
export const isWellFormedKey = (text: string): boolean =>
  SHAPE.test(text) && keyOf(text.slice(KEY_PREFIX.length, -CHECK_LENGTH)) === text
