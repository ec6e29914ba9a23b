import { isBlankText, shortenText } from '#domain/common/text.ts'

/** The signs that keep a text apart from the syntax around it, in the text format of questionnaires (docs/text-format.md). */

/** Why a line is not understood, in French. */
export class TextSyntaxError extends Error {
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
  if (!isOne) throw new TextSyntaxError(`« \\u{${hex}} » n’est le numéro d’aucun caractère.`)
  return String.fromCodePoint(code)
}

/** Whether lines that begin with « > » can hold a text as it is. */
export const isQuotable = (text: string): boolean => !/[^\P{Cc}\n\t]/u.test(text)

/** A word without what people type differently: capitals, accents, kinds of space, apostrophe and hyphen. */
export const foldText = (word: string): string =>
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

/** Why a line, counted from 1, is not understood, in French. */
export type TextError = { line: number; message: string }

const MOST_ERRORS = 100
const MORE = 'Il y a d’autres erreurs : corrigez d’abord les précédentes.'

/** What is wrong with a text, line by line: the first hundred errors. */
export type TextErrors = ReturnType<typeof createErrors>

export const createErrors = () => {
  const errors: TextError[] = []
  const add = (line: number, message: string): void => {
    if (errors.length < MOST_ERRORS) errors.push({ line, message })
  }
  return {
    add,
    isFull: () => errors.length >= MOST_ERRORS,
    /** What `read` gives; where it throws Misread that is an error of the line, and `otherwise` is given. */
    attempt: <T>(line: number, read: () => T, otherwise: T): T => {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof TextSyntaxError)) throw error
        add(line, error.message)
        return otherwise
      }
    },
    /** Whether there are as many as there may be, which is said once. */
    exceeds: (line: number, count: number, limit: number, what: string): boolean => {
      if (count < limit) return false
      const message = `Un questionnaire a ${limit} ${what} au plus.`
      if (!errors.some((error) => error.message === message)) add(line, message)
      return true
    },
    /** All of them, in the order of the lines. */
    list: (): TextError[] => {
      const list = errors.toSorted((a, b) => a.line - b.line)
      const last = list.at(-1)
      return last && list.length >= MOST_ERRORS
        ? [...list, { line: last.line, message: MORE }]
        : list
    },
  }
}

/** The lines of a questionnaire in the text format, told apart by how they begin. */

/** The longest text that is read, in characters. */
export const MAX_TEXT_LENGTH = 300_000
/** Most lines of a text that is read; each answer takes one line. */
export const MAX_TEXT_LINES = 20_000

export type Line = { line: number } & (
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'answer'; text: string }
  /** `value` is what follows the colon; `quote` the lines in « > » right below a key that has none. */
  | { kind: 'key'; key: string; value: string; quote: string | null }
  /** The lines in « > » that follow each other, as they are. */
  | { kind: 'quote'; text: string }
  | { kind: 'image'; alt: string; id: string }
  | { kind: 'wrong'; message: string }
)

const HEADING = /^(#+)(\s|$)/
const ANSWER = /^[-*•](?:\s|$)/
const IMAGE = /^!\[((?:[^\\\]]|\\.)*)\]\(([^()]*)\)$/su
const CONTROL = /[^\P{Cc}\t]/u

const HINT =
  'Cette ligne n’est pas comprise : un texte commence par « > », une réponse par « - », une question par « ### », un réglage s’écrit « Clé : valeur ».'

/** The lines that say something, in their order, each with its number from 1. Blank ones only part others. */
export function* readLines(text: string): Generator<Line> {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1
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

/** The lines in « > » from this one on, without their sign, and the index of the last. */
const readQuote = (lines: readonly string[], from: number): { text: string; end: number } => {
  const quoted: string[] = []
  let end = from
  for (; isQuoted(lines[end]); end++) {
    const marked = (lines[end] ?? '').trimStart()
    quoted.push(marked.slice(marked.startsWith('> ') ? 2 : 1))
  }
  return { text: quoted.join('\n'), end: end - 1 }
}

type Read = { [Kind in Line['kind']]: Omit<Extract<Line, { kind: Kind }>, 'line'> }[Line['kind']]

const readLine = (start: string): Read => {
  const [heading, marks = ''] = HEADING.exec(start) ?? []
  if (heading !== undefined)
    return { kind: 'heading', level: marks.length, text: start.slice(marks.length).trim() }
  if (start.startsWith('#'))
    return { kind: 'wrong', message: 'Il manque un espace après « # », comme dans « # Mon quiz ».' }
  if (ANSWER.test(start)) return { kind: 'answer', text: start.slice(1).trim() }
  if (start.startsWith('![')) return readImage(start)
  const colon = start.indexOf(':')
  if (colon <= 0) return { kind: 'wrong', message: HINT }
  const [key, value] = [start.slice(0, colon).trim(), start.slice(colon + 1).trim()]
  return { kind: 'key', key, value, quote: null }
}

const readImage = (start: string): Read => {
  const [, alt, id] = IMAGE.exec(start) ?? []
  if (alt === undefined || id === undefined)
    return { kind: 'wrong', message: 'Une image s’écrit « ![ce qu’elle montre](identifiant) ».' }
  return { kind: 'image', alt, id: id.trim() }
}
