import type { Cell } from '#domain/export-table.ts'
import { parisTime } from '#domain/paris-time.ts'

/** How a spreadsheet program reads a CSV file. */
export type Dialect = {
  begin: string
  separator: string
  decimal: string
  dateOf: (at: string) => string
}

/** 2026-03-09 13:05:00 as 09/03/2026 13:05:00. */
const frenchTime = (created_at: string): string => {
  const local = parisTime(created_at)
  return `${local.slice(8, 10)}/${local.slice(5, 7)}/${local.slice(0, 4)}${local.slice(10)}`
}

/** French Excel: it reads UTF-8 only after a mark, and splits at semicolons. */
export const EXCEL: Dialect = {
  begin: '\uFEFF',
  separator: ';',
  decimal: ',',
  dateOf: frenchTime,
}
/** RFC 4180. */
export const STANDARD: Dialect = { begin: '', separator: ',', decimal: '.', dateOf: parisTime }

/** What a spreadsheet program would take for a formula, or lead it to one. */
const FORMULA = /^[=+\-@\t\r]/
/** Whatever may ask for an apostrophe or for quotes; most texts do not. */
const UNUSUAL = /["\r\n;,]|^[\s=+\-@]|\s$/
const LINE_END = '\r\n'

/** A visitor's text that no program takes for a formula: it begins with an apostrophe. */
const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** A cell as a file of this dialect has it. */
export const cellOf = (
  cell: Cell,
  { separator, decimal }: Pick<Dialect, 'separator' | 'decimal'>,
): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell).replace('.', decimal)
  if (!UNUSUAL.test(cell)) return cell
  const text = harmless(cell)
  const isPlain = !/["\r\n]/.test(text) && !text.includes(separator) && text === text.trim()
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** What a file begins with: its mark, and its first line. */
export const beginCsv = (titles: readonly string[], dialect: Dialect): string =>
  dialect.begin + titles.map((title) => cellOf(title, dialect)).join(dialect.separator) + LINE_END
