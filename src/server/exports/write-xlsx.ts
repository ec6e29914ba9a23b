import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { localTime } from '#domain/common/time-zone.ts'
import type { Cell, ExportLine, ExportTable } from '#domain/statistics/export-table.ts'
import { fitCell, isFormula } from './csv.ts'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Indexes of the cell styles in `STYLES`. */
const TITLE = 1
const DATE = 2
const QUOTED = 3
const DAY = 4

const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Returns all files of a workbook except its sheets. */
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

/** Characters that XML 1.0 forbids, and the three characters to escape. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Underscore that a spreadsheet would read, with its number, as one character: `_x000D_` is a line break. */
const NUMBERED_CHARACTER = /_(?=x[0-9a-f]{4}_)/gi
const escaped = (text: string): string =>
  fitCell(text.replaceAll(FORBIDDEN, ''))
    .replaceAll(NUMBERED_CHARACTER, '_x005F_')
    .replaceAll(/[&<>]/g, (sign) => ESCAPES[sign] ?? '')

const textCell = (text: string, style: number): string =>
  `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`

/** Formats a cell. A text never becomes a formula: it is stored as text, and marked if it looks like a formula. */
const formatXlsxCell = (cell: Cell): string => {
  if (cell === null) return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  return textCell(cell, isFormula(cell) ? QUOTED : 0)
}

const DAY_MS = 86_400_000
/** 1 January 1970 as a spreadsheet day. */
const EPOCH = 25_569

const dateCell = (created_at: string, time_zone: string): string => {
  const day = Date.parse(`${localTime(created_at, time_zone).replace(' ', 'T')}Z`) / DAY_MS + EPOCH
  return `<c s="${DATE}"><v>${day}</v></c>`
}

/** First day that all spreadsheet programs number alike. */
const FIRST_DAY = '1900-03-01'

/** Formats a day as a date without time. A day before `FIRST_DAY` stays a text. */
const dayCell = (cell: Cell): string =>
  typeof cell === 'string' && cell >= FIRST_DAY
    ? `<c s="${DAY}"><v>${Date.parse(cell) / DAY_MS + EPOCH}</v></c>`
    : formatXlsxCell(cell)

/** Returns the beginning of a sheet with its frozen titles. */
const beginSheet = (titles: readonly string[]): string =>
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${titles.length}" width="24" customWidth="1"/></cols><sheetData><row>${titles
    .map((title) => textCell(title, TITLE))
    .join('')}</row>`

/** Returns a row of the table. `day_places` are the columns with days. */
const rowOf = (
  { created_at, cells }: ExportLine,
  { day_places, time_zone }: Pick<ExportTable, 'day_places' | 'time_zone'>,
): string =>
  `<row>${dateCell(created_at, time_zone)}${cells
    .map((cell, place) => (day_places.has(place) ? dayCell(cell) : formatXlsxCell(cell)))
    .join('')}</row>`

const END_OF_SHEET = '</sheetData></worksheet>'

/** Maximum number of rows of a sheet; the format allows 1,048,576 including titles. */
const ROWS_PER_SHEET = 1_000_000

/** Streams a table as an Excel workbook. `max_lines`, the maximum number of lines, determines the number of sheets. */
export const writeXlsx = (
  table: Pick<ExportTable, 'titles' | 'day_places' | 'time_zone'>,
  pages: AsyncIterable<ExportLine[]>,
  max_lines: number,
): Readable => {
  const zip = new ZipFile()
  const output = new Readable().wrap(zip.outputStream)
  const sheets = Math.max(1, Math.ceil(max_lines / ROWS_PER_SHEET))
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

/** Yields the next lines up to the size of a sheet; the remaining lines stay in `rest`. */
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
