import type { DocumentPart, FigureRow, PdfDocument } from '#domain/reports/document.ts'
import {
  RADAR_LABELS_AT,
  RADAR_RADIUS,
  RADAR_RINGS,
  radarBottom,
  radarPoint,
} from '#domain/run/radar.ts'
import { type Canvas, type Element, MUTED_COLOR, NOTE_SIZE, TEXT_SIZE } from './canvas.ts'
import type { WordStyle } from './lines.ts'

/** Sizes in points. */
const BAR_HEIGHT = 7
const RADAR_SCALE = 0.85
/** Width to the right of a label that is reserved for the figure. */
const VALUE_WIDTH = 110

/** Canvas with the colours of the document. */
type Place = { canvas: Canvas; colors: PdfDocument['colors'] }

/** Draws rows with a label, a figure, a bar and a note as a list. */
export const drawFigures = (
  place: Place & { root: Element },
  rows: readonly FigureRow[],
  isNumbered: boolean,
): void => {
  const { canvas, root, colors } = place
  const right_x = canvas.left + canvas.width
  const text: WordStyle = { size: TEXT_SIZE, weight: 400, color: colors.text }
  canvas.element(root, 'L', (list) => {
    for (const [rank, { label, value, note, share }] of rows.entries()) {
      canvas.ensure(TEXT_SIZE * 4)
      canvas.element(list, 'LI', (item) =>
        canvas.element(item, 'LBody', (body) => {
          const bold = { ...text, weight: 600 as const }
          const top = canvas.y
          const name = isNumbered ? `${rank + 1}. ${label}` : label
          canvas.paragraph(body, 'P', [name], { ...text, right: VALUE_WIDTH })
          canvas.lineAt(body, 'P', value, bold, { right_x, top })
          if (share !== undefined) drawBar(place, share)
          if (note)
            canvas.paragraph(body, 'P', [note], { ...text, size: NOTE_SIZE, color: MUTED_COLOR })
          canvas.y += 4
        }),
      )
    }
  })
  canvas.y += 4
}

const drawBar = ({ canvas, colors }: Place, share: number): void => {
  const { left, width, pdf } = canvas
  const y = canvas.y + 2
  canvas.drawArtifact(() => {
    pdf.roundedRect(left, y, width, BAR_HEIGHT, 3).fill('#e6e6e3')
    if (share > 0)
      pdf
        .roundedRect(left, y, Math.max(2, width * Math.min(1, share)), BAR_HEIGHT, 3)
        .fill(colors.accent)
  })
  canvas.y += BAR_HEIGHT + 5
}

/**
 * Draws a radar with the numbers of the list that follows, which has the same figures in words. Percentages of an earlier
 * run have a broken line.
 */
export const drawRadar = (
  { canvas, colors }: Place,
  { percents, before }: Pick<Extract<DocumentPart, { kind: 'radar' }>, 'percents' | 'before'>,
): void => {
  const { pdf } = canvas
  const radius = RADAR_RADIUS * RADAR_SCALE
  const height = radius + radarBottom(percents.length) * RADAR_SCALE + 10
  canvas.ensure(height)
  const centre = { x: canvas.left + canvas.width / 2, y: canvas.y + radius }
  const place = (axis: number, percent: number): [number, number] => {
    const [x, y] = radarPoint(axis, percents.length, percent)
    return [centre.x + x * RADAR_SCALE, centre.y + y * RADAR_SCALE]
  }
  const polygon = (percentOf: (axis: number) => number) =>
    pdf.polygon(...percents.map((_, axis) => place(axis, percentOf(axis))))
  canvas.drawArtifact(() => {
    pdf.lineWidth(0.7)
    for (const ring of RADAR_RINGS) polygon(() => ring).stroke('#b9b9b4')
    for (const axis of percents.keys())
      pdf
        .moveTo(centre.x, centre.y)
        .lineTo(...place(axis, 100))
        .stroke('#b9b9b4')
    pdf.fillOpacity(0.25)
    polygon((axis) => percents[axis] ?? 0).fill(colors.accent)
    pdf.fillOpacity(1).lineWidth(1.6)
    polygon((axis) => percents[axis] ?? 0).stroke(colors.accent)
    if (before) {
      pdf.dash(4, { space: 3 })
      polygon((axis) => before[axis] ?? 0).stroke(colors.text)
      pdf.undash()
    }
    for (const [axis, percent] of percents.entries())
      pdf.circle(...place(axis, percent), 3).fill(colors.accent)
    for (const axis of percents.keys()) {
      const [x, y] = place(axis, RADAR_LABELS_AT)
      canvas.label(`${axis + 1}`, { x, y }, { size: NOTE_SIZE, weight: 600, color: colors.text })
    }
  })
  canvas.y += height
}
