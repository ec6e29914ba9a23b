import { isLinkable } from '#domain/common/linkable-words.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { oneLine } from '#domain/common/one-line.ts'
import { cutText, trimText } from '#domain/common/text.ts'
import { LATIN_LETTERS, PROTECTED_NAMES, SIGN_ALPHABETS } from './protected-names.ts'

/** Number of UTF-16 units of a typed name that are read. The rest is cut before anything else, because it would take long. */
const MAX_TYPED = 1_000

/** Returns the name as mail programs show it: one line without signs of direction; '' if nothing is visible. */
export const cleanSenderName = (typed: string): string =>
  trimText(oneLine(cutText(typed, MAX_TYPED)).replace(/\s+/g, ' '))

const ALPHABET_LENGTH = 26
const FIRST_LETTER = 97

/** Returns the Latin letter that a sign looks like, or the sign. */
const latinLetterOf = (sign: string): string => {
  const known = LATIN_LETTERS.get(sign)
  if (known !== undefined) return known
  const code = sign.codePointAt(0) ?? 0
  const start = SIGN_ALPHABETS.find((first) => code >= first && code < first + ALPHABET_LENGTH)
  if (start !== undefined) return String.fromCodePoint(FIRST_LETTER + code - start)
  const small = sign.toLowerCase()
  return LATIN_LETTERS.get(small) ?? small
}

/** Returns the words of a name as a hasty reader sees them: without accents, unseen characters and lookalikes. */
const readHastily = (name: string): string[] =>
  [...normalizeText(normalizeText(name, 'NFKC'), 'NFD').replace(/[\p{M}\p{Cf}\p{DI}]/gu, '')]
    .map(latinLetterOf)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Length from which a protected name is also found in pieces, such as « Pay Pal ». */
const MIN_DISTINCTIVE_LENGTH = 6

const PROTECTED = PROTECTED_NAMES.map((name) => {
  const words = readHastily(name)
  return { name, words, letters: words.join('') }
})

/** Returns true if some neighbouring words of a name, written together, are these letters. */
const hasRun = (words: readonly string[], letters: string): boolean =>
  words.some((_, start) => {
    let run = ''
    for (let end = start; end < words.length && run.length < letters.length; end += 1)
      run += words[end]
    return run === letters
  })

/** Returns the protected name that a name claims; undefined if it claims none. */
const claimedNameOf = (name: string): string | undefined => {
  const words = readHastily(name)
  const parts = readHastily(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
  // Single letters with spaces between them are one word.
  const spelled = words.map((word) => (word.length === 1 ? word : ` ${word} `)).join('')
  const joined = spelled.split(' ').filter((word) => word !== '')
  return PROTECTED.find(({ letters }) =>
    letters.length < MIN_DISTINCTIVE_LENGTH
      ? words.includes(letters) || joined.includes(letters)
      : hasRun(words, letters) || hasRun(parts, letters),
  )?.name
}

/** Returns the French reason why a sender may not have this name; undefined if the name is allowed or blank. */
export const senderNameError = (typed: string): string | undefined => {
  const name = cleanSenderName(typed)
  const shown = normalizeText(name.replace(/[\p{Cf}\p{DI}]/gu, ''), 'NFKC')
  if (shown.split(' ').some(isLinkable))
    return 'Le nom ne contient ni adresse ni lien : écrivez votre nom ou celui de votre activité'
  const claimed = claimedNameOf(name)
  return claimed === undefined
    ? undefined
    : `Ce nom ferait croire à un message de « ${claimed} » : écrivez votre nom ou celui de votre activité`
}

/** Returns the name as mails show it; null if it is blank or not allowed. */
export const shownSenderName = (typed: string | null): string | null =>
  typed === null || senderNameError(typed) !== undefined ? null : cleanSenderName(typed) || null
