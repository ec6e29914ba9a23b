import bidiFactory, { type Bidi } from 'bidi-js'
import type { FontWeight } from '#domain/questionnaire/look/fonts.ts'
import type { Inline } from '#domain/run/rich-text.ts'
import { type Face, type FontChooser, graphemesOf } from './fonts.ts'

/** Style of words. Sizes are in points. */
export type WordStyle = {
  size: number
  weight: FontWeight
  color: string
  is_italic?: boolean
  href?: string
}
/** Text with one face, style and bidirectional level. */
export type Run = { text: string; face: Face; style: WordStyle; width: number; level: number }
/** Runs from left to right. */
export type Line = {
  runs: Run[]
  width: number
  /** Text in reading order; only for lines with right-to-left words, whose runs are in another order. */
  reading?: string
}
/** Lines of a paragraph. */
export type Lines = { lines: Line[]; is_rtl: boolean }

type Styled = { text: string; style: WordStyle }

// The types of the package lack the call of its only export.
const bidi = (bidiFactory as unknown as () => Bidi)()
/** Hebrew, Arabic and related scripts, and signs that set the direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]/

/** Returns words of a formatted text with their styles. */
export const styledWords = (inlines: readonly Inline[], style: WordStyle): Styled[] =>
  inlines.flatMap((inline): Styled[] => {
    if (typeof inline === 'string') return [{ text: inline, style }]
    if ('a' in inline) return styledWords(inline.a, { ...style, href: inline.href })
    if ('em' in inline) return styledWords(inline.em, { ...style, is_italic: true })
    return styledWords(inline.strong, { ...style, weight: 600 })
  })

const widths = new WeakMap<Face, Map<string, number>>()

const widthOf = (face: Face, text: string, size: number): number => {
  const known = widths.get(face) ?? new Map<string, number>()
  widths.set(face, known)
  let width = known.get(text)
  if (width === undefined) {
    width = face.file.layout(text).advanceWidth / face.file.unitsPerEm
    // The limit bounds the memory of a thread that writes many documents.
    if (known.size > MAX_KNOWN_WIDTHS) known.clear()
    known.set(text, width)
  }
  return width * size
}
const MAX_KNOWN_WIDTHS = 20_000

/** Wraps words into lines that are at most `width` wide. Words that are wider are divided between graphemes. */
export const wrapWords = (
  words: readonly Styled[],
  { width, fonts }: { width: number; fonts: FontChooser },
): Lines => {
  const text = words.map((word) => word.text).join('')
  const levels = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'auto') : undefined
  const levelAt = (at: number): number => levels?.levels[at] ?? 0
  const base = levels?.paragraphs[0]?.level ?? 0
  const styleAt = stylesOf(words)

  /** Returns the runs of a part of the text. */
  const runsOf = (from: number, to: number): Run[] => {
    const runs: Run[] = []
    for (let start = from; start < to; ) {
      const style = styleAt(start)
      let end = start + 1
      while (end < to && styleAt(end) === style && levelAt(end) === levelAt(start)) end++
      const level = levelAt(start)
      const part = text.slice(start, end)
      const mirrored = level % 2 === 1 ? mirror(part) : part
      for (const { text: piece, face } of fonts.runsOf(mirrored, style.weight))
        runs.push({ text: piece, face, style, level, width: widthOf(face, piece, style.size) })
      start = end
    }
    return runs
  }

  const lines: Run[][] = [[]]
  let used = 0
  const breakLine = (): void => {
    lines.push([])
    used = 0
  }
  const place = (runs: readonly Run[]): void => {
    lines.at(-1)?.push(...runs)
    used += sumOf(runs)
  }
  for (const { from, to, kind } of tokensOf(text)) {
    if (kind === 'break') breakLine()
    else {
      const runs = runsOf(from, to)
      const needed = sumOf(runs)
      if (kind === 'space') {
        if (used > 0) place(runs)
      } else if (used + needed <= width) place(runs)
      else {
        if (used > 0) breakLine()
        if (needed <= width) place(runs)
        else divideWord(runs, { place, breakLine, room: () => width - used })
      }
    }
  }
  const kept = lines.map(withoutEndSpace)
  return {
    is_rtl: base % 2 === 1,
    lines: kept.map((runs) => ({
      ...{ runs: joinRuns(inVisualOrder(runs)), width: sumOf(runs) },
      ...(runs.some(({ level }) => level > 0) && { reading: readingTextOf(runs) }),
    })),
  }
}

type Token = { from: number; to: number; kind: 'word' | 'space' | 'break' }

/** Returns the words, spaces and line breaks of a text. A line may also break after a hyphen or a slash. */
const tokensOf = (text: string): Token[] =>
  Array.from(
    text.matchAll(
      /\n|[^\S\n\u00a0\u202f]+|(?:[^\s\-/]|[\u00a0\u202f])*[-/]+|(?:\S|[\u00a0\u202f])+/g,
    ),
    ({ index, 0: part }): Token => {
      const place = { from: index, to: index + part.length }
      if (part === '\n') return { ...place, kind: 'break' }
      return { ...place, kind: /^[^\S\u00a0\u202f]+$/.test(part) ? 'space' : 'word' }
    },
  )

/** Returns a function that finds the style at an index of the joined words. */
const stylesOf = (words: readonly Styled[]): ((at: number) => WordStyle) => {
  const ends: number[] = []
  for (const { text } of words) ends.push((ends.at(-1) ?? 0) + text.length)
  const last = words.at(-1)?.style
  return (at) => {
    const style = words[ends.findIndex((end) => at < end)]?.style ?? last
    if (!style) throw new Error('A text without words has no style')
    return style
  }
}

const sumOf = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + run.width, 0)

const mirror = (text: string): string =>
  [...text].map((character) => bidi.getMirroredCharacter(character) ?? character).join('')

/** Returns the text of runs in reading order, with the brackets that right-to-left words mirror. */
const readingTextOf = (runs: readonly Run[]): string =>
  runs.map(({ text, level }) => (level % 2 === 1 ? mirror(text) : text)).join('')

/** Divides the runs of a word that is wider than a line. */
const divideWord = (
  runs: readonly Run[],
  {
    place,
    breakLine,
    room,
  }: {
    place: (runs: readonly Run[]) => void
    breakLine: () => void
    room: () => number
  },
): void => {
  for (const run of runs) {
    let piece = ''
    const put = (): void => {
      if (piece !== '') place([sized(run, piece)])
      piece = ''
    }
    for (const grapheme of graphemesOf(run.text)) {
      if (piece !== '' && sized(run, piece + grapheme).width > room()) {
        put()
        breakLine()
      }
      piece += grapheme
    }
    put()
  }
}

const sized = (run: Run, text: string): Run => ({
  ...run,
  text,
  width: widthOf(run.face, text, run.style.size),
})

const withoutEndSpace = (runs: readonly Run[]): Run[] => {
  const last = runs.findLastIndex(({ text }) => text.trim() !== '' || text.includes('\u00a0'))
  return runs.slice(0, last + 1)
}

/** Returns runs from left to right (rule L2 of the Unicode bidirectional algorithm). */
const inVisualOrder = (runs: readonly Run[]): Run[] => {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end - start > 1)
        ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      if (end > start) start = end
    }
  return ordered
}

/** Joins neighbours that are drawn alike, so that their words stay together when a reader copies them. */
const joinRuns = (runs: readonly Run[]): Run[] => {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const isAlike =
      last?.face === run.face && last.style === run.style && last.level === 0 && run.level === 0
    if (last && isAlike) joined.splice(-1, 1, sized(run, last.text + run.text))
    else joined.push(run)
  }
  return joined
}
