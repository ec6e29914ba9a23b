import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import opentype, { type Font, type PathCommand } from 'opentype.js'
import type { Family } from '#domain/questionnaire/fonts.ts'

/** Text as outlines, in pixels: the picture needs no font of the system. */
export type Typeface = {
  /** The text without what the fonts cannot draw; its spaces as the fonts have them. */
  drawable: (text: string) => string
  widthOf: (text: string, size: number) => number
  /** The outlines of a line that starts at x and stands on the baseline y, as SVG path data. */
  outline: (text: string, at: { x: number; y: number; size: number }) => string
}

const HARD_SPACE = '\u00a0'
/** French typography's, which the fonts do not have. */
const NARROW_SPACE = '\u202f'
const BREAKING_SPACES = /[^\S\u00a0]+/g

type Run = { font: Font; text: string }

/** Western European letters first, then those of the other Latin alphabets. */
const filesOf = (family: string): string[] =>
  ['latin', 'latin-ext'].map((letters) =>
    import.meta.resolve(`@fontsource/${family}/files/${family}-${letters}-600-normal.woff`),
  )

const readFont = async (file: string): Promise<Font> => {
  const { buffer, byteOffset, byteLength } = await readFile(
    fileURLToPath(import.meta.resolve(file)),
  )
  const font = opentype.parse(new Uint8Array(buffer, byteOffset, byteLength).slice().buffer)
  // It composes letters and marks, which are composed in our texts; opentype.js fails at some kinds of it.
  for (const feature of font.tables.gsub?.features ?? [])
    if (feature.tag === 'ccmp') feature.tag = 'none'
  return font
}

/** Not opentype's `toPathData`: it writes NaN for 36.00000000000001, and keeps every decimal part it has met. */
const pathData = ({ type, x1, y1, x2, y2, x, y }: PathCommand): string => {
  const points = [x1, y1, x2, y2, x, y].filter((value) => value !== undefined)
  return type + points.map((value) => value.toFixed(2)).join(' ')
}

/** Reads a semi-bold typeface of the social images: Figtree's (OFL), or a family's and Figtree's for what it lacks. */
export const loadTypeface = async (family?: Family): Promise<Typeface> => {
  const files = [...(family ? filesOf(family) : []), ...filesOf('figtree')]
  const fonts = await Promise.all(files.map(readFont))
  const fontOf = (character: string): Font | undefined =>
    fonts.find((font) => font.charToGlyphIndex(character) > 0)

  /** Neighbouring letters of one font stay together, for their kerning. */
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
    drawable: (text) =>
      [...text.normalize('NFC').replaceAll(NARROW_SPACE, HARD_SPACE)]
        .filter((character) => /\s/.test(character) || fontOf(character))
        .join('')
        .replaceAll(BREAKING_SPACES, ' ')
        .trim(),
    widthOf: (text, size) =>
      runsOf(text).reduce((width, run) => width + run.font.getAdvanceWidth(run.text, size), 0),
    outline: (text, { x, y, size }) => {
      let left = x
      const commands = runsOf(text).flatMap((run) => {
        const path = run.font.getPath(run.text, left, y, size)
        left += run.font.getAdvanceWidth(run.text, size)
        return path.commands
      })
      return commands.map(pathData).join('')
    },
  }
}
