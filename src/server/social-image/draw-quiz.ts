import type { PathCommand } from 'opentype.js'
import { PLAYER_PALETTE, parseHexColor, resolveColors } from '#domain/colors.ts'
import { isSondage } from '#domain/quiz.ts'
import type { Snapshot } from '#domain/snapshot.ts'
import { createCanvas } from './canvas.ts'
import { encodePng } from './png.ts'
import { loadTypeface, type Typeface } from './typeface.ts'
import { wrapText } from './wrap-text.ts'

/** What social networks ask for. */
export const IMAGE_SIZE = { width: 1_200, height: 630 }

const MARGIN = 80
const TITLE = { top: 88, height: 330, line: 1.2, sizes: [96, 80, 66, 54] }
const BUTTON = { height: 84, size: 36, padding: 44, corner: 16 }
const LOGO_SIZE = 34
const ACCENT_HEIGHT = 20
/** From a line's top to its baseline, as a share of the letters' size. */
const BASELINE = 0.78

let typeface: Promise<Typeface> | undefined

/** The picture that stands for a quiz where its link is shared: its name, in its colours, as a PNG. */
export const drawQuiz = async ({ quiz }: Pick<Snapshot, 'quiz'>): Promise<Buffer> => {
  typeface ??= loadTypeface()
  const { drawable, widthOf, outline } = await typeface
  const palette = resolveColors(quiz, PLAYER_PALETTE)
  const colorOf = (name: keyof typeof palette): string =>
    parseHexColor(palette[name]) ?? PLAYER_PALETTE[name]
  const { width, height } = IMAGE_SIZE
  const canvas = createCanvas(width, height, colorOf('bg_color'))
  canvas.fill(box({ x: 0, y: 0, width, height: ACCENT_HEIGHT }, 0), colorOf('accent_color'))

  const { lines, size } = fitTitle(drawable(quiz.name), widthOf)
  for (const [index, line] of lines.entries()) {
    const y = TITLE.top + (index * TITLE.line + BASELINE) * size
    canvas.fill(outline(line, { x: MARGIN, y, size }), colorOf('text_color'))
  }

  const call = `Répondre au ${isSondage(quiz) ? 'sondage' : 'quiz'}`
  const call_width = widthOf(call, BUTTON.size) + 2 * BUTTON.padding
  const button = { x: MARGIN, y: height - MARGIN - BUTTON.height, width: call_width }
  const middle = button.y + BUTTON.height / 2
  const baseline = middle + BUTTON.size * 0.36
  canvas.fill(box({ ...button, height: BUTTON.height }, BUTTON.corner), colorOf('button_color'))
  canvas.fill(
    outline(call, { x: MARGIN + BUTTON.padding, y: baseline, size: BUTTON.size }),
    colorOf('button_text_color'),
  )
  const logo_x = width - MARGIN - widthOf('Quizaine', LOGO_SIZE)
  canvas.fill(
    outline('Quizaine', { x: logo_x, y: baseline, size: LOGO_SIZE }),
    colorOf('text_color'),
  )
  return encodePng(canvas)
}

/** The largest letters in which the whole title fits; the smallest ones when none do. */
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

type Box = { x: number; y: number; width: number; height: number }

const box = ({ x, y, width, height }: Box, corner: number): PathCommand[] => {
  const [right, bottom] = [x + width, y + height]
  return [
    { type: 'M', x: x + corner, y },
    { type: 'L', x: right - corner, y },
    { type: 'Q', x1: right, y1: y, x: right, y: y + corner },
    { type: 'L', x: right, y: bottom - corner },
    { type: 'Q', x1: right, y1: bottom, x: right - corner, y: bottom },
    { type: 'L', x: x + corner, y: bottom },
    { type: 'Q', x1: x, y1: bottom, x, y: bottom - corner },
    { type: 'L', x, y: y + corner },
    { type: 'Q', x1: x, y1: y, x: x + corner, y },
    { type: 'Z' },
  ]
}
