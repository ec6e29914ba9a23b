import { shortenText } from './cut-text.ts'

/** The signs that keep a text apart from the syntax around it, in the text format of questionnaires (docs/text-format.md). */

/** Why a line is not understood, in French. */
export class Misread extends Error {
  override name = 'Misread'
}

/** What a text would be mistaken for where it stands. */
type Place = 'value' | 'answer' | 'name' | 'alt'

/** Control characters, and what would be trimmed at either end. */
const ALWAYS = String.raw`\\|\p{Cc}|^\s|\s$`
const ARROW = String.raw`(?<=^|\s)[-=](?=>)`
const SCORE = String.raw`\[(?=[+\-−\d])`
const ESCAPED: Record<Place, RegExp> = {
  value: new RegExp(ALWAYS, 'gu'),
  answer: new RegExp(`${ALWAYS}|${ARROW}|${SCORE}`, 'gu'),
  name: new RegExp(`${ALWAYS}|${ARROW}|${SCORE}|,|^#`, 'gu'),
  alt: new RegExp(`${ALWAYS}|\\]|^\\?$`, 'gu'),
}
const UNESCAPED = /\\(?:u\{([0-9a-fA-F]{1,6})\}|(n)|([\\[\]\-=,#?]))/g

/** A text as one line takes it; `unescapeText` gives it back. */
export const escapeText = (text: string, place: Place): string =>
  text.replace(ESCAPED[place], (sign) => {
    if (sign === '\n') return String.raw`\n`
    if (/[\s\p{Cc}]/u.test(sign)) return `\\u{${sign.charCodeAt(0).toString(16)}}`
    return `\\${sign}`
  })

/** The text that a line has written, its signs taken back. Misread where a number is no character's. */
export const unescapeText = (line: string): string => {
  if (!line.includes('\\')) return line
  return line.replace(UNESCAPED, (_, hex?: string, newline?: string, sign = '') => {
    if (hex !== undefined) return characterOf(hex)
    return newline === undefined ? sign : '\n'
  })
}

const characterOf = (hex: string): string => {
  const code = Number.parseInt(hex, 16)
  const isOne = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  if (!isOne) throw new Misread(`« \\u{${hex}} » n’est le numéro d’aucun caractère.`)
  return String.fromCodePoint(code)
}

/** Whether lines that begin with « > » can hold a text as it is. */
export const isQuotable = (text: string): boolean => !/[^\P{Cc}\n\t]/u.test(text)

/** A word without what people type differently: capitals, accents, kinds of space, apostrophe and hyphen. */
export const fold = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[‐‑]/g, '-')
    .trim()
    .replaceAll(/\s+/g, ' ')

const LONGEST_EXCERPT = 40

/** A part of a line as a message names it. */
export const quoted = (text: string): string => `« ${shortenText(text, LONGEST_EXCERPT)} »`
