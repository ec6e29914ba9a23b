/**
 * Opens an exported CSV file and workbook in LibreOffice, and compares each cell with the original text: `npm run
 * try:spreadsheet` (docs/decisions/048).
 */
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EXCEL, formatCsvCell } from '../src/server/exports/csv.ts'
import { writeXlsx } from '../src/server/exports/write-xlsx.ts'
import { fail } from './fail.ts'

const TEXTS = [
  '0612345678',
  '06 12 34 56 78',
  '+33612345678',
  '+32 470/12.34.56',
  '(0)6-12-34',
  '01000',
  '00123',
  '1E5',
  '12/3',
  '2-3',
  '12:30',
  '50 %',
  '1 234,50 €',
  'mars 2026',
  '12 mars',
  '10 AM',
  'vrai',
  'FAUX',
  '=1+1',
  '+1+1',
  '-2+3',
  '@SUM(A1)',
  'Un "mot", puis ; un autre',
  'peut-être, oui; non',
  'L’été à Évian',
  '_x000D_',
  '🎈',
  'Martin',
  '4 rue du Bac',
]
/** Import filter with the defaults of a French Excel: semicolons, UTF-8, French. */
const READ = 'CSV:59,34,76,1,,1036,false,true,false,false,0,true'
/** Export filter: all cells as shown, with quotes around texts. */
const WRITE = 'csv:Text - txt - csv (StarCalc):59,34,76,1,,1036,true,true,false'

const folder = mkdtempSync(join(tmpdir(), 'quizaine-spreadsheet-'))

/** Converts a file to CSV with LibreOffice and returns its cells, which are one per line. */
const readBack = (name: string): string[] => {
  const { status, stderr } = spawnSync(
    'soffice',
    [
      ...['--headless', '--norestore', `-env:UserInstallation=file://${folder}/profile`],
      ...(name.endsWith('.csv') ? [`--infilter=${READ}`] : []),
      ...['--convert-to', WRITE, '--outdir', join(folder, 'read'), join(folder, name)],
    ],
    { encoding: 'utf8', timeout: 180_000 },
  )
  if (status !== 0) fail(`LibreOffice did not convert ${name}: ${stderr}`)
  const file = readFileSync(join(folder, 'read', name.replace('.xlsx', '.csv')), 'utf8')
  return Array.from(file.matchAll(/"((?:[^"]|"")*)"|[^;\r\n]+/g), ([whole, text]) =>
    text === undefined ? whole : text.replaceAll('""', '"'),
  )
}

const compare = (name: string, cells: readonly string[]): number => {
  const wrong = TEXTS.filter((text, rank) => cells[rank + 1] !== text)
  for (const text of wrong)
    console.log(`${name}: ${JSON.stringify(text)} is ${cells[TEXTS.indexOf(text) + 1]}`)
  console.log(
    `${name}: ${TEXTS.length - wrong.length} of ${TEXTS.length} texts are read back equal`,
  )
  return wrong.length
}

const lines = ['Texte', ...TEXTS].map((text) => `${formatCsvCell(text, EXCEL)}\r\n`)
writeFileSync(join(folder, 'excel.csv'), EXCEL.begin + lines.join(''))
const table = { titles: ['Texte'], day_places: new Set<number>(), time_zone: 'Europe/Paris' }
let nb_wrong = compare('CSV pour Excel', readBack('excel.csv'))
async function* rows() {
  yield TEXTS.map((text) => ({
    created_at: '2026-03-09T12:05:00Z',
    cells: [text],
    choices: new Map(),
    dimensions: [],
  }))
}
await pipeline(
  writeXlsx({ ...table, titles: ['Date', 'Texte'] }, rows(), TEXTS.length),
  createWriteStream(join(folder, 'book.xlsx')),
)
const cells = readBack('book.xlsx')
nb_wrong += compare(
  'Classeur Excel',
  cells.filter((_, rank) => rank % 2 === 1),
)
rmSync(folder, { recursive: true, force: true })
process.exit(nb_wrong === 0 ? 0 : 1)
