import { normalizeText } from '#domain/common/normalize-text.ts'
import { isBlankText, shortenText } from '#domain/common/text.ts'

/**
 * Lowest layer of the text format (docs/text-format.md): escape sequences, errors by line, and the kinds of lines.
 */

/** French reason why a line is not understood. */
export class TextSyntaxError extends Error {
  override name = 'TextSyntaxError'
}

/** Position of a text, which decides the characters that would be syntax. */
type EscapeContext = 'value' | 'answer' | 'name' | 'alt'

/** Control characters, and white space that would be trimmed at either end. */
const ALWAYS_ESCAPED = String.raw`\\|\p{Cc}|^\s|\s$`
const ARROW = String.raw`(?<=^|\s)[-=](?=>)`
const BRACKET = String.raw`\[(?=[+\-−\d]|juste\])`
const ESCAPED: Record<EscapeContext, RegExp> = {
  value: new RegExp(ALWAYS_ESCAPED, 'gu'),
  answer: new RegExp(`${ALWAYS_ESCAPED}|${ARROW}|${BRACKET}`, 'giu'),
  name: new RegExp(`${ALWAYS_ESCAPED}|${ARROW}|${BRACKET}|,|^#`, 'giu'),
  alt: new RegExp(`${ALWAYS_ESCAPED}|\\]|^\\?$`, 'gu'),
}
const UNESCAPED = /\\(?:u\{([0-9a-fA-F]{1,6})\}|(n)|([\\[\]\-=,#?]))/g

/** Escapes a text for one line; `unescapeText` reverses it. */
export const escapeText = (text: string, context: EscapeContext): string =>
  text.replace(ESCAPED[context], (sign) => {
    if (sign === '\n') return String.raw`\n`
    if (/[\s\p{Cc}]/u.test(sign)) return `\\u{${sign.charCodeAt(0).toString(16)}}`
    return `\\${sign}`
  })

/** Returns the text of an escaped line. Throws a TextSyntaxError if a number is not a code point. */
export const unescapeText = (line: string): string => {
  if (!line.includes('\\')) return line
  return line.replace(UNESCAPED, (_, hex?: string, newline?: string, sign = '') => {
    if (hex !== undefined) return characterOf(hex)
    return newline === undefined ? sign : '\n'
  })
}

const characterOf = (hex: string): string => {
  const code = Number.parseInt(hex, 16)
  const isCodePoint = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  if (!isCodePoint) throw new TextSyntaxError(`« \\u{${hex}} » n’est le numéro d’aucun caractère.`)
  return String.fromCodePoint(code)
}

/** Returns true if lines with « > » can hold the text unchanged. */
export const isQuotable = (text: string): boolean => !/[^\P{Cc}\n\t]/u.test(text)

/** Returns a word without case, accents and variants of spaces, apostrophes and hyphens, for comparisons. */
export const foldText = (word: string): string =>
  normalizeText(word, 'NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[‐‑]/g, '-')
    .trim()
    .replaceAll(/\s+/g, ' ')

/** Returns a name for comparisons, also without emphasis and quotation marks, and with one kind of dash. */
export const foldName = (name: string): string =>
  foldText(name.replaceAll(/[*_`"“”«»]/g, '').replaceAll(/[–—−]/g, '-'))

const MAX_EXCERPT_LENGTH = 40

/** Returns a shortened part of a line in quotation marks, for messages. */
export const quoted = (text: string): string => `« ${shortenText(text, MAX_EXCERPT_LENGTH)} »`

/** French message about a line, counted from 1. */
export type TextError = { line: number; message: string }

const MAX_ERRORS = 100
const TOO_MANY_ERRORS = 'Il y a d’autres erreurs : corrigez d’abord les précédentes.'

/** Collector of the first hundred errors of a text. */
export type TextErrors = ReturnType<typeof createErrors>

/** Returns an empty collector of errors. */
export const createErrors = () => {
  const errors: TextError[] = []
  const add = (line: number, message: string): void => {
    if (errors.length < MAX_ERRORS) errors.push({ line, message })
  }
  return {
    add,
    isFull: () => errors.length >= MAX_ERRORS,
    /** Returns the value of `read`. If it throws a TextSyntaxError, records the error and returns `otherwise`. */
    attempt: <T>(line: number, read: () => T, otherwise: T): T => {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof TextSyntaxError)) throw error
        add(line, error.message)
        return otherwise
      }
    },
    /** Returns true if a limit is reached, and records this error once. */
    exceeds: (line: number, count: number, limit: number, noun: string): boolean => {
      if (count < limit) return false
      const message = `Un questionnaire a ${limit} ${noun} au plus.`
      if (!errors.some((error) => error.message === message)) add(line, message)
      return true
    },
    /** Returns all errors in the order of the lines. */
    list: (): TextError[] => {
      const list = errors.toSorted((a, b) => a.line - b.line)
      const last = list.at(-1)
      return last && list.length >= MAX_ERRORS
        ? [...list, { line: last.line, message: TOO_MANY_ERRORS }]
        : list
    },
  }
}

/** Maximum length of a text that is read, in characters. */
export const MAX_TEXT_LENGTH = 300_000
/** Maximum number of lines of a text that is read; each answer takes one line. */
export const MAX_TEXT_LINES = 20_000

/** Line of a text with its number from 1. */
export type Line = { line: number } & (
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'answer'; text: string }
  /** Setting. `value` follows the colon; `quote` holds the lines with « > » right below a key without a value. */
  | { kind: 'key'; key: string; value: string; quote: string | null }
  /** Consecutive lines with « > », without this sign. */
  | { kind: 'quote'; text: string }
  | { kind: 'image'; alt: string; id: string }
  | { kind: 'wrong'; message: string }
)

const HEADING = /^(#+)(\s|$)/
const ANSWER = /^[-*•](?:\s|$)/
const IMAGE = /^!\[((?:[^\\\]]|\\.)*)\]\(([^()]*)\)$/su
const CONTROL = /[^\P{Cc}\t]/u

const UNKNOWN_LINE =
  'Cette ligne n’est pas comprise : un texte commence par « > », une réponse par « - », une question par « ### », un réglage s’écrit « Clé : valeur ».'

/** Line as written, with the number from 1 that messages name. */
export type SourceLine = { line: number; written: string }

/** Line ends of files. */
const LINE_END = /\r\n|\r|\n/
/**
 * Line ends of word processors. Texts may contain these characters, so that they count as line ends only in files
 * without other line ends.
 */
const RARE_LINE_END = /[\u0085\u2028\u2029]/

/** Returns all lines of a text, numbered from 1. */
export const splitLines = (text: string): SourceLine[] =>
  text
    .replace(/^\ufeff/, '')
    .split(LINE_END.test(text) ? LINE_END : RARE_LINE_END)
    .map((written, index) => ({ line: index + 1, written }))

/** Yields the non-blank lines in order. Blank lines only separate quotes. */
export function* readLines(source: readonly SourceLine[]): Generator<Line> {
  const lines = source.map(({ written }) => written)
  for (let index = 0; index < lines.length; index++) {
    const line = source[index]?.line ?? index + 1
    const written = lines[index] ?? ''
    const start = written.trim()
    const refusal = refusalOf(written)
    if (refusal) yield { kind: 'wrong', line, message: refusal }
    else if (isBlankText(start)) continue
    else if (start.startsWith('>')) {
      const { text, end } = readQuote(lines, index)
      index = end
      yield { kind: 'quote', line, text }
    } else {
      const read = readLine(start)
      const hasQuote = read.kind === 'key' && read.value === '' && isQuoted(lines[index + 1])
      if (!hasQuote) {
        yield { line, ...read }
        continue
      }
      const { text, end } = readQuote(lines, index + 1)
      index = end
      yield { line, ...read, quote: text }
    }
  }
}

const refusalOf = (written: string): string | undefined => {
  if (CONTROL.test(written))
    return 'Cette ligne a un caractère de contrôle, qui n’est pas du texte : effacez-le.'
  if (!written.isWellFormed()) return 'Cette ligne a un caractère incomplet : effacez-le.'
  return undefined
}

const isQuoted = (written = ''): boolean =>
  written.trimStart().startsWith('>') && !refusalOf(written)

/** Returns the text of the consecutive lines with « > » from this line on, and the index of the last line. */
const readQuote = (lines: readonly string[], from: number): { text: string; end: number } => {
  const quoted: string[] = []
  let end = from
  for (; isQuoted(lines[end]); end++) {
    const marked = (lines[end] ?? '').trimStart()
    quoted.push(marked.slice(marked.startsWith('> ') ? 2 : 1))
  }
  return { text: quoted.join('\n'), end: end - 1 }
}

type LineContent = {
  [Kind in Line['kind']]: Omit<Extract<Line, { kind: Kind }>, 'line'>
}[Line['kind']]

const readLine = (start: string): LineContent => {
  const [heading, marks = ''] = HEADING.exec(start) ?? []
  if (heading !== undefined)
    return { kind: 'heading', level: marks.length, text: start.slice(marks.length).trim() }
  if (start.startsWith('#'))
    return { kind: 'wrong', message: 'Il manque un espace après « # », comme dans « # Mon quiz ».' }
  if (ANSWER.test(start)) return { kind: 'answer', text: start.slice(1).trim() }
  if (start.startsWith('![')) return readImage(start)
  const colon = start.indexOf(':')
  if (colon <= 0) return { kind: 'wrong', message: UNKNOWN_LINE }
  const [key, value] = [start.slice(0, colon).trim(), start.slice(colon + 1).trim()]
  return { kind: 'key', key, value, quote: null }
}

const readImage = (start: string): LineContent => {
  const [, alt, id] = IMAGE.exec(start) ?? []
  if (alt === undefined || id === undefined)
    return { kind: 'wrong', message: 'Une image s’écrit « ![ce qu’elle montre](identifiant) ».' }
  return { kind: 'image', alt, id: id.trim() }
}
