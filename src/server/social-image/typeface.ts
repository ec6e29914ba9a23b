import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import opentype, { type Font, type PathCommand } from 'opentype.js'
import type { Family } from '#domain/questionnaire/fonts.ts'

/** A typeface that converts text into outlines in pixels, so that the image needs no system font. */
export type Typeface = {
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

type Run = { font: Font; text: string }

/** Returns the files of a font family: Western European letters first, then other Latin alphabets. */
const filesOf = (family: string): string[] =>
  ['latin', 'latin-ext'].map((letters) =>
    import.meta.resolve(`@fontsource/${family}/files/${family}-${letters}-600-normal.woff`),
  )

const readFont = async (file: string): Promise<Font> => {
  const { buffer, byteOffset, byteLength } = await readFile(
    fileURLToPath(import.meta.resolve(file)),
  )
  const font = opentype.parse(new Uint8Array(buffer, byteOffset, byteLength).slice().buffer)
  // `ccmp` composes letters and marks, but our texts are composed already and opentype.js fails at some lookups.
  for (const feature of font.tables.gsub?.features ?? [])
    if (feature.tag === 'ccmp') feature.tag = 'none'
  return font
}

/** Replaces opentype's `toPathData`, which writes NaN for 36.00000000000001 and caches every decimal part. */
const pathData = ({ type, x1, y1, x2, y2, x, y }: PathCommand): string => {
  const points = [x1, y1, x2, y2, x, y].filter((value) => value !== undefined)
  return type + points.map((value) => value.toFixed(2)).join(' ')
}

/** Loads the semi-bold typeface of a family, with Figtree (OFL) for letters that it lacks, or Figtree alone. */
export const loadTypeface = async (family?: Family): Promise<Typeface> => {
  const files = [...(family ? filesOf(family) : []), ...filesOf('figtree')]
  const fonts = await Promise.all(files.map(readFont))
  const fontOf = (character: string): Font | undefined =>
    fonts.find((font) => font.charToGlyphIndex(character) > 0)

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
