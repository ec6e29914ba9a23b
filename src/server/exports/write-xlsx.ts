import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { localTime } from '#domain/common/time-zone.ts'
import type { Cell, ExportLine, ExportTable } from '#domain/statistics/export-table.ts'
import { isFormula } from './csv.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Styles by their rank in `STYLES`. */
const TITLE = 1
const DATE = 2
const QUOTED = 3
const DAY = 4

const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Every file of a workbook beside its sheets. */
const workbookParts = (sheets: number): Record<string, string> => ({
  '[Content_Types].xml': `${HEAD}<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>${numbers(
    sheets,
  )
    .map(
      (number) =>
        `<Override PartName="/${sheetPath(number)}" ContentType="${SHEET_TYPE}.worksheet+xml"/>`,
    )
    .join('')}</Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers(sheets)
    .map(
      (number) =>
        `<sheet name="Réponses${number > 1 ? ` ${number}` : ''}" sheetId="${number}" r:id="rId${number}"/>`,
    )
    .join('')}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${RELATIONS}">${numbers(sheets)
    .map(
      (number) =>
        `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
    )
    .join(
      '',
    )}<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': STYLES,
})

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm:ss"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf quotePrefix="1"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** Characters that XML 1.0 has no place for, and the three that it reads as its own. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? '')

const textCell = (text: string, style: number): string =>
  `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** A text never becomes a formula: it is kept as text, and marked so where it looks like one. */
const formatCsvCell = (cell: Cell): string => {
  if (cell === null) return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return textCell(cell, isFormula(cell) ? QUOTED : 0)
}

const DAY_MS = 86_400_000
/** The 1st of January 1970 in days of the spreadsheet. */
const EPOCH = 25_569

const dateCell = (created_at: string, time_zone: string): string => {
  const day = Date.parse(`${localTime(created_at, time_zone).replace(' ', 'T')}Z`) / DAY_MS + EPOCH
  return `<c s="${DATE}"><v>${day}</v></c>`
}

/** The first day that every spreadsheet program counts alike. */
const FIRST_DAY = '1900-03-01'

/** A day as a date without a time; an earlier one than spreadsheets know stays a text. */
const dayCell = (cell: Cell): string =>
  typeof cell === 'string' && cell >= FIRST_DAY
    ? `<c s="${DAY}"><v>${Date.parse(cell) / DAY_MS + EPOCH}</v></c>`
    : formatCsvCell(cell)

/** The beginning of a sheet: its titles, which stay in sight. */
const beginSheet = (titles: readonly string[]): string =>
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${titles.length}" width="24" customWidth="1"/></cols><sheetData><row>${titles
    .map((title) => textCell(title, TITLE))
    .join('')}</row>`

/** Returns a row of the table; `day_places` are the cells that hold days. */
const rowOf = (
  { created_at, cells }: ExportLine,
  { day_places, time_zone }: Pick<ExportTable, 'day_places' | 'time_zone'>,
): string =>
  `<row>${dateCell(created_at, time_zone)}${cells
    .map((cell, place) => (day_places.has(place) ? dayCell(cell) : formatCsvCell(cell)))
    .join('')}</row>`

const END_OF_SHEET = '</sheetData></worksheet>'

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
