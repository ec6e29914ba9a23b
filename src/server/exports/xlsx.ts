import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ExportLine, ExportTable } from '#domain/export-table.ts'
import { beginSheet, END_OF_SHEET, rowOf, sheetPath, workbookParts } from './xlsx-parts.ts'

/** A sheet holds 1,048,576 rows, its titles included. */
const ROWS_PER_SHEET = 1_000_000

/** A table as an Excel workbook, written as it is read; the `most` lines decide how many sheets it has. */
export const writeXlsx = (
  table: Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'>,
  pages: AsyncIterable<ExportLine[]>,
  most: number,
): Readable => {
  const zip = new ZipFile()
  const output = new Readable().wrap(zip.outputStream)
  const sheets = Math.max(1, Math.ceil(most / ROWS_PER_SHEET))
  for (const [path, text] of Object.entries(workbookParts(sheets)))
    zip.addBuffer(Buffer.from(text), path)
  const lines = pages[Symbol.asyncIterator]()
  const rest: ExportLine[] = []
  for (let number = 1; number <= sheets; number++)
    zip.addReadStreamLazy(sheetPath(number), (begin) => {
      const sheet = Readable.from(sheetOf(table, lines, rest), { objectMode: false })
      sheet.on('error', (error) => output.destroy(error))
      output.once('close', () => sheet.destroy())
      begin(null, sheet)
    })
  zip.end()
  return output
}

/** The next lines of the table, as many as a sheet holds; what is over stays in `rest`. */
async function* sheetOf(
  table: Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'>,
  pages: AsyncIterator<ExportLine[]>,
  rest: ExportLine[],
): AsyncGenerator<string> {
  yield beginSheet(table.titles)
  let room = ROWS_PER_SHEET
  while (room > 0) {
    if (rest.length === 0) {
      const { value, done } = await pages.next()
      if (done) break
      rest.push(...value)
    }
    const taken = rest.splice(0, room)
    room -= taken.length
    yield taken.map((line) => rowOf(line, table)).join('')
  }
  yield END_OF_SHEET
}
