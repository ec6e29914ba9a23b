import { cutText, isBlankText } from './text.ts'

/** Signs that begin only the lines of lists. U+F0xx belong to Word's symbol fonts; Word's `o` is followed by a tab. */
const SURE_BULLET = /^(?:[•‣◦▪▫●○■□◆◇☐☑·\uf000-\uf0ff]\s*|o\t\s*)(?=\S|$)/u

/** Marks that may also be a part of a text; they are removed if most lines begin with the same kind of mark. */
const DOUBTFUL_BULLETS = [/^[-–—]\s+/, /^\*\s+/, /^o\s+/, /^[➢➤✓✔]\s*/]
const NUMBER = /^\(?(\d{1,3})[.)]\s+/
const LETTER = /^\(?([a-z])[.)]\s+/i

/**
 * Returns the items of a pasted list: its lines, trimmed, without blank ones and without the marks of the list. Signs
 * alone are items if no line has a sign and a text. Returns undefined for a text of one line.
 */
export const pastedLines = (text: string): string[] | undefined => {
  const lines = linesOf(text)
  if (lines.length < 2) return undefined
  const mark = markOf(lines)
  const items = lines.map((line) => ({
    line,
    text: withoutSpaces(line.replace(SURE_BULLET, '').replace(mark, '')),
  }))
  const hasBullets = items.some(({ line, text }) => SURE_BULLET.test(line) && !isBlankText(text))
  return items.flatMap(({ line, text }) => {
    if (!isBlankText(text)) return text
    return hasBullets ? [] : line
  })
}

/** Returns a pasted line without the list sign at its beginning. A dash, a number or a sign alone stays. */
export const withoutBullet = (line: string): string =>
  withoutSpaces(line.trim().replace(SURE_BULLET, '')) || line.trim()

const linesOf = (text: string): string[] =>
  text
    .split(/\r\n|\r|\n|\u2028|\u2029/)
    .map((line) => line.trim())
    .filter((line) => !isBlankText(line))

const withoutSpaces = (line: string): string => line.replaceAll(/ ?\t\s*/g, ' ').trim()

const NO_MARK = /(?!)/

/** Returns the mark at the beginning of most lines; numbers and letters count only in sequence. */
const markOf = (lines: readonly string[]): RegExp => {
  const isUsual = (mark: RegExp): boolean =>
    2 * lines.filter((line) => mark.test(line)).length > lines.length
  const bullet = DOUBTFUL_BULLETS.find(isUsual)
  if (bullet) return bullet
  if (isUsual(NUMBER) && isSequence(lines, (line) => Number(NUMBER.exec(line)?.[1]))) return NUMBER
  return isUsual(LETTER) && isSequence(lines, rankOfLetter) ? LETTER : NO_MARK
}

const rankOfLetter = (line: string): number =>
  (LETTER.exec(line)?.[1] ?? '').toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0) + 1

/** Returns true if each rank is the previous rank plus 1, or restarts at 1. */
const isSequence = (lines: readonly string[], rankOf: (line: string) => number): boolean => {
  const ranks = lines.map(rankOf).filter((rank) => !Number.isNaN(rank))
  return ranks.every((rank, index) => {
    const last = ranks[index - 1]
    return rank === 1 || last === undefined || rank === last + 1
  })
}

/** Items of a pasted list that fit, with the numbers of shortened and omitted items. */
export type FittedItems = { items: string[]; nb_shortened: number; nb_left_out: number }

/** Keeps the first `max_items` items, each cut to `max_length` UTF-16 units. */
export const fitItems = (
  items: readonly string[],
  { max_items, max_length }: { max_items: number; max_length: number },
): FittedItems => {
  const fitting = items.slice(0, Math.max(0, max_items))
  return {
    items: fitting.map((item) => cutText(item, max_length)),
    nb_shortened: fitting.filter((item) => item.length > max_length).length,
    nb_left_out: items.length - fitting.length,
  }
}
