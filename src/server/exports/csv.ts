import { localTime } from '#domain/common/time-zone.ts'
import type { Cell } from '#domain/statistics/export-table.ts'

/** How a spreadsheet program reads a CSV file. */
export type Dialect = {
  begin: string
  separator: string
  decimal: string
  /** True if a spreadsheet opens the file and would turn texts into numbers and dates. */
  is_for_spreadsheet: boolean
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
  is_for_spreadsheet: true,
  dateOf: frenchTime,
}
/** RFC 4180. */
export const STANDARD: Dialect = {
  begin: '',
  separator: ',',
  decimal: '.',
  is_for_spreadsheet: false,
  dateOf: localTime,
}

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
/** Characters of numbers, amounts, dates, times and telephone numbers. */
const VALUE_LIKE = /^[\d\s.,:;/()%€$£¥+\-−eEhH'’]*\d[\d\s.,:;/()%€$£¥+\-−eEhH'’]*$/
/** Names of months in French and English, whole and as spreadsheets shorten them. */
const MONTH =
  'jan(?:v|vier|uary)?|f[eé]v(?:r|rier)?|feb(?:ruary)?|mar(?:s|ch)?|avr(?:il)?|apr(?:il)?|mai|may|juin?|june?|juil(?:let)?|july?|ao[uû]t|aug(?:ust)?|sept?(?:embre|ember)?|oct(?:obre|ober)?|nov(?:embre|ember)?|d[eé]c(?:embre|ember)?'
/** Times with AM or PM, and dates with the name of a month. */
const DATE_LIKE = new RegExp(
  `^(?:\\d[\\d:., ]*[ap]m?|\\d{1,4}[ ./-]*(?:${MONTH})\\.?(?:[ ./-]*\\d{1,4})?|(?:${MONTH})\\.?[ ./-]*\\d{1,4})$`,
  'i',
)
const LOGICAL = /^(?:vrai|faux|true|false)$/i
/** Letters that a text within a formula may have. */
const MAX_LITERAL_LETTERS = 255

/** A day as the product writes it; a spreadsheet may turn it into a date. */
const DAY = /^\d{4}-\d\d-\d\d$/

/** True if a spreadsheet would show another value than the text: `0612345678` loses its zero. */
const isConverted = (text: string): boolean =>
  !DAY.test(text) && (VALUE_LIKE.test(text) || DATE_LIKE.test(text) || LOGICAL.test(text))

/**
 * Writes a text as the formula ="…", which every spreadsheet shows unchanged (docs/decisions/049). Returns undefined
 * unless the text would be converted or is a formula by its beginning alone; the caller then writes it as prose.
 */
const literalOf = (text: string): string | undefined => {
  if (text.length > MAX_LITERAL_LETTERS || /[\t\r\n\p{C}]/u.test(text)) return undefined
  const escaped = harmless(text)
  const isByBeginning = escaped === text || escaped === `'${text}`
  const isWanted = isConverted(text) || (escaped !== text && isByBeginning)
  return isWanted && isByBeginning ? `="${text.replaceAll('"', '""')}"` : undefined
}

/** Characters that may need an apostrophe or quotes; most texts hold none of them. */
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
export const formatCsvCell = (
  cell: Cell,
  { separator, decimal, is_for_spreadsheet }: Omit<Dialect, 'begin' | 'dateOf'>,
): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell).replace('.', decimal)
  const literal = is_for_spreadsheet ? literalOf(cell) : undefined
  if (literal !== undefined) return `"${literal.replaceAll('"', '""')}"`
  if (!UNUSUAL.test(cell)) return cell
  const text = harmless(cell)
  const isPlain = !/["\r\n]/.test(text) && !text.includes(separator) && text === text.trim()
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** What a file begins with: its mark, and its first line. */
export const formatCsvStart = (titles: readonly string[], dialect: Dialect): string =>
  dialect.begin +
  titles.map((title) => formatCsvCell(title, dialect)).join(dialect.separator) +
  LINE_END
