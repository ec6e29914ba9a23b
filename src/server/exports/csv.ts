import { cutText } from '#domain/common/text.ts'
import { localTime } from '#domain/common/time-zone.ts'
import type { Cell, ExportLine, ExportTable } from '#domain/statistics/export-table.ts'

/** Format of a CSV file for a kind of program. */
export type Dialect = {
  begin: string
  separator: string
  decimal: string
  /** True if the file is for a spreadsheet, which would convert texts to numbers and dates. */
  is_for_spreadsheet: boolean
  /** Formats a time as local time of a time zone. */
  dateOf: (at: string, time_zone: string) => string
}

/** Formats a time as 09/03/2026 13:05:00. */
const frenchTime = (created_at: string, time_zone: string): string => {
  const local = localTime(created_at, time_zone)
  return `${local.slice(8, 10)}/${local.slice(5, 7)}/${local.slice(0, 4)}${local.slice(10)}`
}

/** Dialect of French Excel, which needs a byte order mark for UTF-8 and splits at semicolons. */
export const EXCEL: Dialect = {
  begin: '\uFEFF',
  separator: ';',
  decimal: ',',
  is_for_spreadsheet: true,
  dateOf: frenchTime,
}
/** Dialect of RFC 4180. */
export const STANDARD: Dialect = {
  begin: '',
  separator: ',',
  decimal: '.',
  is_for_spreadsheet: false,
  dateOf: localTime,
}

const LINE_END = '\r\n'

/** Parts of a text that a program may read as cells, because it splits at these signs. */
const CELL = /[^;,\t\r\n]+/g
/**
 * Beginning of a cell that a program would read as a formula (OWASP « CSV Injection »). Programs drop leading spaces,
 * quotes and control characters.
 */
const FORMULA = /^[\s"\p{C}]*[=+\-@＝＋－＠]/u
/** Quick test for characters that begin a formula; most texts have none. */
const SIGN = /[=+\-@＝＋－＠]/
/** Signed number, such as a telephone number, which is harmless. */
const NUMBER = /^[+-]\d+(?:[.,]\d+)?$/
/** Characters of numbers, amounts, dates, times and telephone numbers. */
const VALUE_LIKE = /^[\d\s.,:;/()%€$£¥+\-−eEhH'’]+$/
/** Names of months in French and English, in full and abbreviated. */
const MONTH =
  'jan(?:v|vier|uary)?|f[eé]v(?:r|rier)?|feb(?:ruary)?|mar(?:s|ch)?|avr(?:il)?|apr(?:il)?|mai|may|juin?|june?|juil(?:let)?|july?|ao[uû]t|aug(?:ust)?|sept?(?:embre|ember)?|oct(?:obre|ober)?|nov(?:embre|ember)?|d[eé]c(?:embre|ember)?'
/** Times with AM or PM, and dates with the name of a month. */
const DATE_LIKE = new RegExp(
  `^(?:\\d[\\d:., ]*[ap]m?|\\d{1,4}[ ./-]*(?:${MONTH})\\.?(?:[ ./-]*\\d{1,4})?|(?:${MONTH})\\.?[ ./-]*\\d{1,4})$`,
  'i',
)
const LOGICAL = /^(?:vrai|faux|true|false)$/i
/** Maximum length of a text in a formula. */
const MAX_LITERAL_LETTERS = 255

/** Date as the product writes it; a spreadsheet may convert it. */
const DAY = /^\d{4}-\d\d-\d\d$/

/** Returns true if a spreadsheet would show another value than the text: `0612345678` loses its zero. */
const isConverted = (text: string): boolean =>
  !DAY.test(text) &&
  ((VALUE_LIKE.test(text) && /\d/.test(text)) || DATE_LIKE.test(text) || LOGICAL.test(text))

/**
 * Returns the text as the formula ="…", which every spreadsheet shows unchanged (docs/decisions/048). Returns
 * undefined unless the text would be converted or is a formula only by its beginning; the caller then writes
 * plain text.
 */
const literalOf = (text: string): string | undefined => {
  if (text.length > MAX_LITERAL_LETTERS || /[\t\r\n\p{C}]/u.test(text)) return undefined
  const escaped = harmless(text)
  const isByBeginning = escaped === text || escaped === `'${text}`
  const isWanted = isConverted(text) || (escaped !== text && isByBeginning)
  return isWanted && isByBeginning ? `="${text.replaceAll('"', '""')}"` : undefined
}

/** Maximum number of UTF-16 units of a cell in Excel, which drops the rest or breaks the row. */
const MAX_CELL_UNITS = 32_767
const CUT_NOTE =
  '… [texte coupé : Excel limite une cellule à 32 767 caractères. Le CSV standard le contient en entier.]'

/** Returns a text that fits into a cell of a spreadsheet. A longer text ends with a note that it is cut. */
export const fitCell = (text: string): string =>
  text.length <= MAX_CELL_UNITS ? text : cutText(text, MAX_CELL_UNITS - CUT_NOTE.length) + CUT_NOTE

/** Characters that may require an apostrophe or quotes; most texts have none. */
const UNUSUAL = /["\t\r\n;,]|^[\s=+\-@＝＋－＠\p{C}]|\s$/u

const escapeCell = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)

/** Puts an apostrophe before each formula in a visitor's text, for any separator. */
const harmless = (text: string): string => {
  if (NUMBER.test(text)) return text
  const escaped = SIGN.test(text) ? text.replaceAll(CELL, escapeCell) : text
  return /^[\t\r\n]/.test(text) ? `'${escaped}` : escaped
}

/** Returns true if a spreadsheet would read the text as a formula. */
export const isFormula = (text: string): boolean => harmless(text)[0] !== text[0]

/** Formats a cell in this dialect. */
export const formatCsvCell = (
  cell: Cell,
  { separator, decimal, is_for_spreadsheet }: Omit<Dialect, 'begin' | 'dateOf'>,
): string => {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell).replace('.', decimal)
  const literal = is_for_spreadsheet ? literalOf(cell) : undefined
  if (literal !== undefined) return `"${literal.replaceAll('"', '""')}"`
  const isTooLong = is_for_spreadsheet && cell.length > MAX_CELL_UNITS
  if (!isTooLong && !UNUSUAL.test(cell)) return cell
  const text = is_for_spreadsheet ? fitCell(harmless(cell)) : harmless(cell)
  const isPlain = !/["\r\n]/.test(text) && !text.includes(separator) && text === text.trim()
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`
}

/** Yields a table as CSV: byte order mark and titles, then the lines of each page. */
export async function* writeCsv(
  { titles, time_zone }: Pick<ExportTable, 'titles' | 'time_zone'>,
  pages: AsyncIterable<ExportLine[]>,
  dialect: Dialect,
): AsyncGenerator<string> {
  /** Formatted cells of the current page of a spreadsheet, whose checks take longer than this look-up. */
  const formatted = new Map<Cell, string>()
  const format = (cell: Cell): string => {
    if (!dialect.is_for_spreadsheet) return formatCsvCell(cell, dialect)
    const known = formatted.get(cell)
    if (known !== undefined) return known
    const text = formatCsvCell(cell, dialect)
    formatted.set(cell, text)
    return text
  }
  const cellsOf = (cells: readonly Cell[]): string => cells.map(format).join(dialect.separator)
  yield dialect.begin + cellsOf(titles) + LINE_END
  for await (const page of pages) {
    formatted.clear()
    yield page
      .map(
        ({ created_at, cells }) =>
          dialect.dateOf(created_at, time_zone) + dialect.separator + cellsOf(cells) + LINE_END,
      )
      .join('')
  }
}
