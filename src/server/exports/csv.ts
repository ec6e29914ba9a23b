import type { Cell } from '#domain/export-table.ts'
import { localTime } from '#domain/time-zone.ts'

/** How a spreadsheet program reads a CSV file. */
export type Dialect = {
  begin: string
  separator: string
  decimal: string
  /** Writes a moment as the local time of a zone. */
  dateOf: (at: string, time_zone: string) => string
}

/** 2026-03-09 13:05:00 as 09/03/2026 13:05:00. */
const frenchTime = (created_at: string, time_zone: string): string => {
  const local = localTime(created_at, time_zone)
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
export const STANDARD: Dialect = { begin: '', separator: ',', decimal: '.', dateOf: localTime }

const LINE_END = '\r\n'

/**
 * Where a cell begins, for a program that splits at semicolons, commas, tabs or line breaks, and what
 * follows is read as a formula (OWASP « CSV Injection », full-width forms included). Spaces, quotes and
 * control characters before it do not count, as programs drop them.
 */
const FORMULA = /(^|[;,\t\r\n])(?=(?:(?![;,\t\r\n])[\s"\p{C}])*[=+\-@＝＋－＠])/gu
/** Most texts have none of these, and are not looked through place by place. */
const SIGN = /[=+\-@＝＋－＠]/
/** A telephone number, say: nothing to compute. */
const NUMBER = /^[+-]\d+(?:[.,]\d+)?$/
/** What may ask for an apostrophe or for quotes; most texts hold none of it. */
const UNUSUAL = /["\t\r\n;,]|^[\s=+\-@＝＋－＠\p{C}]|\s$/u

/** A visitor's text without formulas, whichever separator the file is read with: an apostrophe precedes each. */
const harmless = (text: string): string => {
  if (NUMBER.test(text)) return text
  const escaped = SIGN.test(text) ? text.replaceAll(FORMULA, "$1'") : text
  return /^[\t\r\n]/.test(text) ? `'${escaped}` : escaped
}

/** Whether a spreadsheet program takes the beginning of a text for a formula. */
export const isFormula = (text: string): boolean => harmless(text)[0] !== text[0]

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
