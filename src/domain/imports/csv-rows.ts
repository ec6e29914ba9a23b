/** Reads CSV files of spreadsheets: comma, semicolon or tab, quoted cells, and all kinds of line breaks. */

/** First line with which Excel names the separator, such as `sep=;`. */
const SEPARATOR_LINE = /^"?sep=([^\r\n"])"?[;,\t ]*(?:\r\n?|\n)/i

/** Returns the first cell of a CSV file, at most 100 characters of it. */
export const readFirstCell = (text: string): string => {
  const [line = '', named = ','] = SEPARATOR_LINE.exec(text) ?? []
  const start = text.slice(line.length, line.length + 100)
  return (/^"?([^",;\t\r\n]*)/.exec(start)?.[1] ?? '').split(named, 1)[0] ?? ''
}

/** Returns the rows of a CSV file without its line `sep=;` and without blank rows, at most `max_rows` of them. */
export const readCsvRows = (text: string, max_rows: number): string[][] => {
  const [line = '', named] = SEPARATOR_LINE.exec(text) ?? []
  const written = `${text.slice(line.length)}\n`
  // The first separator in the file follows the name of the first column.
  const separator = named ?? /[,;\t]/.exec(written)?.[0] ?? ','
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let index = 0; index < written.length && rows.length < max_rows; index++) {
    const sign = written[index] ?? ''
    const isEscaped = isQuoted && sign === '"' && written[index + 1] === '"'
    if (isEscaped) index++
    if (sign === '"' && !isEscaped && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (isQuoted || ![separator, '\n', '\r'].includes(sign)) cell += sign
    else {
      row.push(cell)
      cell = ''
      if (sign === separator) continue
      if (row.some((one) => one !== '')) rows.push(row)
      row = []
    }
  }
  return rows
}
