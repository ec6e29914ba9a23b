import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Cell, ExportLine } from '#domain/statistics/export-table.ts'
import { unzip } from '#server/testing/network/bodies/unzip.ts'
import { writeXlsx } from './write-xlsx.ts'

const sheetOf = async (titles: string[], cells: Cell[]): Promise<string> => {
  const line = { created_at: '2026-03-09T12:05:00.000Z', cells, choices: new Map(), dimensions: [] }
  async function* pages(): AsyncGenerator<ExportLine[]> {
    yield [line]
  }
  const table = { titles: ['Date', ...titles], day_places: new Set<number>(), time_zone: 'UTC' }
  const output = writeXlsx(table, pages(), 1)
  const chunks: Buffer[] = []
  output.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(output, 'end')
  return unzip(Buffer.concat(chunks))['xl/worksheets/sheet1.xml'] ?? ''
}
/** Returns the text of each cell as a spreadsheet reads it. */
const textsIn = (sheet: string): string[] =>
  [...sheet.matchAll(/<t xml:space="preserve">(.*?)<\/t>/gs)].map(([, text = '']) =>
    text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  )

test('a text with the spelling of a numbered character is read as it was typed', async () => {
  const texts = ['_x000D_', 'a_x000d_b', '_x000D_x000D_', '_x005F_', '_x00', 'x000D_', '_X0041_']
  const sheet = await sheetOf(
    texts.map((text) => `${text} ?`),
    texts,
  )
  assert.deepEqual(textsIn(sheet), ['Date', ...texts.map((text) => `${text} ?`), ...texts])
  assert.ok(sheet.includes('>_x005F_x000D_<'))
})

test('a cell has at most the characters that Excel takes, and says that its text is cut', async () => {
  const texts = ['a'.repeat(32_767), 'é'.repeat(40_000), `${'a'.repeat(32_600)}${'🎈'.repeat(200)}`]
  const cells = textsIn(await sheetOf(['1', '2', '3'], texts)).slice(4)
  assert.equal(cells[0], texts[0])
  for (const cell of cells.slice(1)) {
    assert.ok(cell.length <= 32_767 && cell.length > 32_600)
    assert.match(cell, /… \[texte coupé : Excel limite une cellule à 32 767 caractères\..*\]$/)
    assert.ok(cell.isWellFormed())
  }
})
