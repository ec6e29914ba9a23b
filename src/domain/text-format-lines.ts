import { isBlankText } from './blank-text.ts'

/** The lines of a questionnaire in the text format, told apart by how they begin. */

/** The longest text that is read, in characters. */
export const LONGEST_TEXT = 300_000
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
