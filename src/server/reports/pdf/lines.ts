import bidiFactory, { type Bidi } from 'bidi-js'
import type { FontWeight } from '#domain/questionnaire/look/fonts.ts'
import type { Inline } from '#domain/run/rich-text.ts'
import type { Face } from './font-files.ts'
import { type FontChooser, graphemesOf } from './fonts.ts'

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
type Piece = Omit<Run, 'width'>
/** Runs from left to right. */
export type Line = {
  runs: Run[]
  width: number
  /** Text in reading order; only for lines with right-to-left words, whose runs are in another order. */
  reading?: string
}
/** Lines of a paragraph. */
export type Lines = { lines: Line[]; is_rtl: boolean }

type StyledText = { text: string; style: WordStyle }

// The types of the package lack the call of its only export.
const bidi = (bidiFactory as unknown as () => Bidi)()
/** Hebrew, Arabic and related scripts, and signs that set the direction. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]/

/** Returns words of a formatted text with their styles. */
export const styledWords = (inlines: readonly Inline[], style: WordStyle): StyledText[] =>
  inlines.flatMap((inline): StyledText[] => {
    if (typeof inline === 'string') return [{ text: inline, style }]
    if ('a' in inline) return styledWords(inline.a, { ...style, href: inline.href })
    if ('em' in inline) return styledWords(inline.em, { ...style, is_italic: true })
    return styledWords(inline.strong, { ...style, weight: 600 })
  })

const widths = new WeakMap<Face, Map<string, number>>()
/** Maximum number of texts whose width a thread remembers for each face. */
const MAX_KNOWN_WIDTHS = 20_000
/** Maximum length of such a text; longer ones are whole lines, which rarely repeat. */
const MAX_KNOWN_LENGTH = 40

const widthOf = (face: Face, text: string, size: number): number => {
  const known = widths.get(face) ?? new Map<string, number>()
  widths.set(face, known)
  let width = known.get(text)
  if (width === undefined) {
    width = face.file.layout(text).advanceWidth / face.file.unitsPerEm
    if (known.size >= MAX_KNOWN_WIDTHS) known.clear()
    if (text.length <= MAX_KNOWN_LENGTH) known.set(text, width)
  }
  return width * size
}

/** Maximum number of characters on a line, because invisible characters have no width. */
const MAX_LINE_LENGTH = 500
/** Maximum length of a word that is measured as a whole; a longer word is wider than every line. */
const MAX_WORD_LENGTH = 300

/** Wraps words into lines that are at most `width` wide. Words that are wider are divided between graphemes. */
export const wrapWords = (
  words: readonly StyledText[],
  { width, fonts }: { width: number; fonts: FontChooser },
): Lines => {
  const text = words.map((word) => word.text).join('')
  const levels = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, 'auto') : undefined
  const levelAt = (at: number): number => levels?.levels[at] ?? 0
  const base = levels?.paragraphs[0]?.level ?? 0
  const styleAt = stylesOf(words)

  /** Returns the runs of a part of the text, without their widths. */
  const piecesOf = (from: number, to: number): Piece[] => {
    const pieces: Piece[] = []
    for (let start = from; start < to; ) {
      const { style, end: style_end } = styleAt(start)
      const level = levelAt(start)
      let end = start + 1
      while (end < to && end < style_end && levelAt(end) === level) end++
      const part = text.slice(start, end)
      const mirrored = level % 2 === 1 ? mirror(part) : part
      for (const { text: piece, face } of fonts.runsOf(mirrored, style.weight))
        pieces.push({ text: piece, face, style, level })
      start = end
    }
    return pieces
  }

  const lines: Run[][] = [[]]
  let used = 0
  let used_length = 0
  const breakLine = (): void => {
    lines.push([])
    used = 0
    used_length = 0
  }
  const place = (runs: readonly Run[]): void => {
    for (const run of runs) {
      lines.at(-1)?.push(run)
      used_length += run.text.length
    }
    used += sumOf(runs)
  }
  const fits = (needed: number, length: number): boolean =>
    used + needed <= width && used_length + length <= MAX_LINE_LENGTH
  for (const { from, to, kind } of tokensOf(text)) {
    if (kind === 'break') breakLine()
    else if (kind === 'space') {
      // A line ends in the middle of a long space, whose rest is not drawn.
      if (used > 0) place(piecesOf(from, Math.min(to, from + MAX_WORD_LENGTH)).map(measured))
    } else {
      const pieces = piecesOf(from, to)
      const runs = to - from > MAX_WORD_LENGTH ? undefined : pieces.map(measured)
      if (runs && fits(sumOf(runs), to - from)) place(runs)
      else {
        if (used_length > 0) breakLine()
        if (runs && sumOf(runs) <= width) place(runs)
        else divideWord(pieces, { place, breakLine, fits, isEmpty: () => used_length === 0 })
      }
    }
  }
  return {
    is_rtl: base % 2 === 1,
    lines: lines.map(withoutEndSpace).map((runs) => ({
      runs: joinRuns(inVisualOrder(runs)),
      width: sumOf(runs),
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

type StyleSpan = { style: WordStyle; end: number }

/** Returns a function that finds the style at an index of the joined words, and the index at which the style ends. */
const stylesOf = (words: readonly StyledText[]): ((at: number) => StyleSpan) => {
  const spans: StyleSpan[] = []
  for (const { text, style } of words) {
    const start = spans.at(-1)?.end ?? 0
    if (text !== '') spans.push({ style, end: start + text.length })
  }
  let rank = 0
  return (at) => {
    // Calls ask for rising indices, except for the first call of a next token.
    while (rank > 0 && at < (spans[rank - 1]?.end ?? 0)) rank--
    while (rank < spans.length - 1 && at >= (spans[rank]?.end ?? 0)) rank++
    const span = spans[rank]
    if (!span) throw new Error('A text without words has no style')
    return span
  }
}

const sumOf = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + run.width, 0)

const mirror = (text: string): string =>
  [...text].map((character) => bidi.getMirroredCharacter(character) ?? character).join('')

/** Returns the text of runs in reading order, with the brackets that right-to-left words mirror. */
const readingTextOf = (runs: readonly Run[]): string =>
  runs.map(({ text, level }) => (level % 2 === 1 ? mirror(text) : text)).join('')

/** Line that a word fills from its current end. */
type OpenLine = {
  place: (runs: readonly Run[]) => void
  breakLine: () => void
  fits: (needed: number, length: number) => boolean
  isEmpty: () => boolean
}

/**
 * Divides a word that is wider than a line. The widths of its letters decide where a line ends, so that each line is
 * shaped once or twice.
 */
const divideWord = (
  pieces: readonly Piece[],
  { place, breakLine, fits, isEmpty }: OpenLine,
): void => {
  for (const piece of pieces) {
    const graphemes = graphemesOf(piece.text)
    const runOf = (start: number, end: number): Run =>
      measured({ ...piece, text: graphemes.slice(start, end).join('') })
    for (let start = 0; start < graphemes.length; ) {
      let end = start
      for (let [needed, length] = [0, 0]; end < graphemes.length; end++) {
        const grapheme = graphemes[end] ?? ''
        needed += widthOf(piece.face, grapheme, piece.style.size)
        length += grapheme.length
        if (!fits(needed, length)) break
      }
      if (end === start && !isEmpty()) breakLine()
      else {
        let run = runOf(start, Math.max(end, start + 1))
        // Joined letters may be wider than the letters alone.
        while (!fits(run.width, 0) && end > start + 1) {
          end -= Math.ceil((end - start) / 8)
          run = runOf(start, Math.max(end, start + 1))
        }
        place([run])
        start = Math.max(end, start + 1)
      }
    }
  }
}

const measured = (piece: Piece): Run => ({
  ...piece,
  width: widthOf(piece.face, piece.text, piece.style.size),
})

const withoutEndSpace = (runs: readonly Run[]): Run[] => {
  const last = runs.findLastIndex(({ text }) => text.trim() !== '' || text.includes('\u00a0'))
  return runs.slice(0, last + 1)
}

/** Returns runs from left to right (rule L2 of the Unicode bidirectional algorithm). */
const inVisualOrder = (runs: readonly Run[]): Run[] => {
  const ordered = [...runs]
  const highest = runs.reduce((most, { level }) => Math.max(most, level), 0)
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? -1) >= level) end++
      if (end - start > 1) reverse(ordered, start, end)
      if (end > start) start = end
    }
  return ordered
}

/** Reverses the items from `start` to before `end` in place. */
const reverse = (items: Run[], start: number, end: number): void => {
  items.splice(start, end - start, ...items.slice(start, end).reverse())
}

/** Joins neighbours that are drawn alike, so that their words stay together when a reader copies them. */
const joinRuns = (runs: readonly Run[]): Run[] => {
  const joined: Run[] = []
  for (const run of runs) {
    const last = joined.at(-1)
    const isAlike =
      last?.face === run.face && last.style === run.style && last.level === 0 && run.level === 0
    if (last && isAlike) {
      const width = last.width + run.width
      joined[joined.length - 1] = { ...run, text: last.text + run.text, width }
    } else joined.push(run)
  }
  return joined
}
