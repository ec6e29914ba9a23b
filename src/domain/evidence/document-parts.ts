import { tiePunctuation } from '#domain/common/french-spacing.ts'
import { type DocumentPart, type FigureRow, paragraph } from '#domain/reports/document.ts'
import { formatPercent } from '#domain/run/dimensions.ts'

/** Creates a heading. */
export const heading = (level: 1 | 2 | 3, text: string): DocumentPart => ({
  kind: 'heading',
  level,
  text,
})
/** Creates a smaller line. */
export const note = (text: string): DocumentPart => ({ kind: 'note', text: tiePunctuation(text) })
/** Creates a paragraph. */
export const line = (text: string): DocumentPart => paragraph(tiePunctuation(text))
/** Creates a list of figures; nothing without rows. */
export const figures = (rows: FigureRow[]): DocumentPart[] =>
  rows.length > 0 ? [{ kind: 'figures', rows, is_numbered: false }] : []

/** Returns a number with its noun. */
export const plural = (count: number, one: string, several: string): string =>
  `${count.toLocaleString('fr-FR')} ${count > 1 ? several : one}`

/** Returns a whole percentage. */
export const percentText = (percent: number): string =>
  formatPercent(Math.round(percent)).replace('.', ',')
