import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Font as FontFile } from 'fontkit'
import sharp from 'sharp'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { normalizeText } from '#domain/common/normalize-text.ts'
import { cutText } from '#domain/common/text.ts'
import type { Corners, Font } from '#domain/common/vocabulary.ts'
import { PLAYER_PALETTE, parseHexColor, resolveColors } from '#domain/questionnaire/look/colors.ts'
import { type Family, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { quizNoun } from '#domain/questionnaire/quiz.ts'
import type { Snapshot, SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { WordingSettings } from '#domain/run/wording/page-wording.ts'
import { wordingOf } from '#domain/run/wording/wording.ts'
import { openFont, woffToSfnt } from '#server/reports/pdf/shaping.ts'

/** A typeface that converts text into outlines in pixels, so that the image needs no system font. */
type Typeface = {
  /** Returns a text without characters that the fonts lack, with spaces that they have. */
  drawable: (text: string) => string
  widthOf: (text: string, size: number) => number
  /** Returns the outlines of a line as SVG path data, starting at x on the baseline y. */
  outline: (text: string, at: { x: number; y: number; size: number }) => string
}

const HARD_SPACE = '\u00a0'
/** Space of French typography that the fonts lack. */
const NARROW_SPACE = '\u202f'
const BREAKING_SPACES = /[^\S\u00a0]+/g

type Run = { font: FontFile; text: string }

/** Returns the files of a font family: Western European letters first, then other Latin alphabets. */
const filesOf = (family: string): string[] =>
  ['latin', 'latin-ext'].map((letters) =>
    import.meta.resolve(`@fontsource/${family}/files/${family}-${letters}-600-normal.woff`),
  )

const readFont = async (file: string): Promise<FontFile> =>
  openFont(woffToSfnt(await readFile(fileURLToPath(file))), file)

/** Loads the semi-bold typeface of a family, with Figtree (OFL) for letters that it lacks, or Figtree alone. */
export const loadTypeface = async (family?: Family): Promise<Typeface> => {
  const files = [...(family ? filesOf(family) : []), ...filesOf('figtree')]
  const fonts = await Promise.all(files.map(readFont))
  const fontOf = (character: string): FontFile | undefined =>
    fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0))

  /** Groups neighbouring letters of one font, so that they are kerned. */
  const runsOf = (text: string): Run[] => {
    const runs: Run[] = []
    for (const character of text) {
      const font = fontOf(character)
      const last = runs.at(-1)
      if (last && last.font === font) last.text += character
      else if (font) runs.push({ font, text: character })
    }
    return runs
  }

  return {
    drawable: (text) => {
      const drawn = [...normalizeText(text).replaceAll(NARROW_SPACE, HARD_SPACE)]
        .filter((character) => /\s/.test(character) || fontOf(character))
        .join('')
        .replaceAll(BREAKING_SPACES, ' ')
        .trim()
      return tiePunctuation(drawn).replaceAll(NARROW_SPACE, HARD_SPACE)
    },
    widthOf: (text, size) =>
      runsOf(text).reduce(
        (width, { font, text }) => width + font.layout(text).advanceWidth * scaleOf(font, size),
        0,
      ),
    outline: (text, { x, y, size }) => {
      let left = x
      const paths = runsOf(text).flatMap((run) => {
        const scale = scaleOf(run.font, size)
        const { glyphs, positions } = run.font.layout(run.text)
        return glyphs.map(({ path }, index) => {
          const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
          const at = { x: left + xOffset * scale, y: y - yOffset * scale }
          left += xAdvance * scale
          return path.transform(scale, 0, 0, -scale, at.x, at.y).toSVG()
        })
      })
      return paths.join('')
    },
  }
}

/** Returns the pixels of a font unit. */
const scaleOf = ({ unitsPerEm }: FontFile, size: number): number => size / unitsPerEm

type TextArea = {
  widthOf: (text: string) => number
  max_width: number
  max_lines: number
}

const ELLIPSIS = '…'

/** Wraps a text into lines, between words if possible. A text that does not fit ends with an ellipsis. */
export const wrapText = (text: string, area: TextArea): { lines: string[]; is_cut: boolean } => {
  const lines: string[] = []
  for (const word of text.split(' ').flatMap((part) => breakWord(part, area))) {
    const line = lines.at(-1)
    const joined = line === undefined ? word : `${line} ${word}`
    if (line !== undefined && area.widthOf(joined) <= area.max_width) lines.splice(-1, 1, joined)
    else lines.push(word)
  }
  if (lines.length <= area.max_lines) return { lines, is_cut: false }
  const kept = lines.slice(0, area.max_lines)
  const last = kept.pop() ?? ''
  return { lines: [...kept, addEllipsis(last, area)], is_cut: true }
}

const breakWord = (word: string, { widthOf, max_width }: TextArea): string[] => {
  if (widthOf(word) <= max_width) return [word]
  const pieces: string[] = ['']
  for (const character of word) {
    const longer = (pieces.at(-1) ?? '') + character
    if (longer.length === 1 || widthOf(longer) <= max_width) pieces.splice(-1, 1, longer)
    else pieces.push(character)
  }
  return pieces
}

const addEllipsis = (line: string, { widthOf, max_width }: TextArea): string => {
  let kept = line
  while (kept !== '' && widthOf(kept + ELLIPSIS) > max_width) kept = cutText(kept, kept.length - 1)
  return kept.trimEnd() + ELLIPSIS
}

/** Image size that social networks recommend, in pixels. */
export const IMAGE_SIZE = { width: 1_200, height: 630 }

const MARGIN = 80
const TITLE = { top: 88, height: 330, line: 1.2, sizes: [96, 80, 66, 54] }
const BUTTON = { height: 84, size: 36, padding: 44 }
/** Radius of the corners in pixels. */
const CORNER: Record<Corners, number> = { square: 0, soft: 14, round: 42 }
const LOGO_SIZE = 34
const ACCENT_HEIGHT = 20
/** Distance from a line's top to its baseline, as a share of the font size. */
const BASELINE = 0.78

type Place = { x: number; y: number; size: number }
type Box = { x: number; y: number; width: number; height: number; corner?: number }

// sharp needs no cache, because public pages cache each image.
sharp.cache(false)

/** Typefaces by the font of the quiz. */
const typefaces = new Map<Font, Promise<Typeface>>()

const typefaceOf = (font: Font): Promise<Typeface> => {
  const known = typefaces.get(font) ?? loadTypeface(isFamily(font) ? font : undefined)
  typefaces.set(font, known)
  return known
}

/** Returns the title of a shared result, which contains nothing about the person. */
export const sharedTitle = (
  quiz: WordingSettings,
  { name }: Pick<SnapshotResult, 'name'>,
): string => `J’ai obtenu « ${name} ». ${wordingOf(quiz, 'Et vous ?')}`

/** Draws the PNG that represents a quiz where its link is shared: its name or a result, in its colours and font. */
export const drawQuiz = async (
  { quiz }: Pick<Snapshot, 'quiz'>,
  result?: Pick<SnapshotResult, 'name'>,
): Promise<Buffer> => {
  const { drawable, widthOf, outline } = await typefaceOf(quiz.font ?? 'system')
  const palette = resolveColors(quiz, PLAYER_PALETTE)
  const colorOf = (name: keyof typeof palette): string =>
    parseHexColor(palette[name]) ?? PLAYER_PALETTE[name]
  const { width, height } = IMAGE_SIZE
  const area = ({ corner = 0, ...box }: Box, name: keyof typeof palette): string =>
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="${corner}" fill="${colorOf(name)}"/>`
  const text = (line: string, at: Place, name: keyof typeof palette): string =>
    `<path d="${outline(line, at)}" fill="${colorOf(name)}"/>`

  const { lines, size } = fitTitle(
    drawable(result ? sharedTitle(quiz, result) : quiz.name),
    widthOf,
  )
  const title = lines.map((line, index) => {
    const y = TITLE.top + (index * TITLE.line + BASELINE) * size
    return text(line, { x: MARGIN, y, size }, 'text_color')
  })
  const call = `Répondre au ${quizNoun(quiz)}`
  const call_width = widthOf(call, BUTTON.size) + 2 * BUTTON.padding
  const { height: button_height, padding } = BUTTON
  const corner = CORNER[quiz.corners ?? 'soft']
  const button = { x: MARGIN, y: height - MARGIN - button_height, width: call_width }
  const baseline = button.y + button_height / 2 + BUTTON.size * 0.36
  const logo_x = width - MARGIN - widthOf('Quizaine', LOGO_SIZE)
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    area({ x: 0, y: 0, width, height }, 'bg_color'),
    area({ x: 0, y: 0, width, height: ACCENT_HEIGHT }, 'accent_color'),
    ...title,
    area({ ...button, height: button_height, corner }, 'button_color'),
    text(call, { x: MARGIN + padding, y: baseline, size: BUTTON.size }, 'button_text_color'),
    text('Quizaine', { x: logo_x, y: baseline, size: LOGO_SIZE }, 'text_color'),
    '</svg>',
  ]
  // libvips draws and compresses in its own threads; every pixel is opaque.
  return sharp(Buffer.from(svg.join('')))
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer()
}

/** Returns the largest font size in which the whole title fits; the smallest one if none does. */
const fitTitle = (
  title: string,
  widthOf: Typeface['widthOf'],
): { lines: string[]; size: number } => {
  const fits = TITLE.sizes.map((size) => ({
    size,
    ...wrapText(title, {
      widthOf: (text) => widthOf(text, size),
      max_width: IMAGE_SIZE.width - 2 * MARGIN,
      max_lines: Math.floor(TITLE.height / (size * TITLE.line)),
    }),
  }))
  return fits.find(({ is_cut }) => !is_cut) ?? fits.at(-1) ?? { lines: [], size: 0 }
}
