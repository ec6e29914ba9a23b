/** Reads CSV files of spreadsheets: comma, semicolon or tab, quoted cells, and all kinds of line breaks. */

/** Parse function of the library `papaparse`, with the settings that are used here. */
export type ParseCsv = (
  text: string,
  settings: {
    delimiter: string
    newline: '\n'
    preview: number
    skipEmptyLines: 'greedy' | false
  },
) => { data: string[][] }

/** First line with which Excel names the separator, such as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?[;,\t ]*(?:\r\n?|\n)/i

/** Maximum length in characters of white space within a row, which may be separators of empty columns. */
const MAX_BLANK_LENGTH = 1_000

/**
 * Replaces all line breaks by one kind and shortens white space, because the library looks at all white space before the
 * next separator again for each quotation mark.
 */
const tidyRows = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]{2,}/g, (blank) => blank.slice(0, MAX_BLANK_LENGTH))

/**
 * Returns the rows of a CSV file without its line `sep=;`, at most `max_rows` of them. Blank rows are left out unless
 * `blank_rows` keeps them for the numbers of lines. The caller gives the parse function, because the domain imports no
 * package.
 */
export const readCsvRows = (
  text: string,
  max_rows: number,
  parse: ParseCsv,
  blank_rows?: 'keep blank rows',
): string[][] => {
  const [line = '', named] = SEPARATOR_LINE.exec(text) ?? []
  const content = tidyRows(text.slice(line.length))
  // The first separator in the file follows the name of the first column.
  const delimiter = named ?? /[,;\t]/.exec(content)?.[0] ?? ','
  const settings = {
    delimiter,
    newline: '\n',
    preview: max_rows,
    skipEmptyLines: blank_rows ? false : 'greedy',
  } as const
  return parse(content, settings).data
}

/** Length in characters of the beginning of a file in which its first cell is searched. */
const BEGINNING_LENGTH = 200

/** Returns the first cell of a CSV file; a cell of another file that is longer may be cut. */
export const readFirstCell = (text: string, parse: ParseCsv): string =>
  readCsvRows(text.slice(0, BEGINNING_LENGTH), 1, parse)[0]?.[0] ?? ''
