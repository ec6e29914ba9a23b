import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { ZipFile } from 'yazl'
import type { Inflate } from './people-rows.ts'
import { readPeople } from './read-people.ts'
import { isZip, readXlsxRows } from './read-xlsx.ts'

const inflate: Inflate = async (bytes, max_bytes) => {
  try {
    return new Uint8Array(inflateRawSync(bytes, { maxOutputLength: max_bytes }))
  } catch {
    return undefined
  }
}

const WORKBOOK =
  '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" state="hidden" r:id="h"/><sheet name="b" sheetId="2" r:id="s"/></sheets></workbook>'
const RELATIONS =
  '<Relationships><Relationship Id="h" Target="worksheets/sheet1.xml"/><Relationship Id="s" Target="/xl/worksheets/sheet2.xml"/></Relationships>'
const STRINGS =
  '<sst><si><t>Email</t></si><si><t xml:space="preserve">Pr&#233;nom</t></si><si><r><t>Lé</t></r><r><t>a</t></r><rPh><t>x</t></rPh></si></sst>'

const workbook = (sheet: string, parts: Record<string, string> = {}): Promise<Uint8Array> => {
  const zip = new ZipFile()
  const all = {
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/sharedStrings.xml': STRINGS,
    'xl/worksheets/sheet2.xml': sheet,
    ...parts,
  }
  for (const [name, text] of Object.entries(all)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return buffer(zip.outputStream).then((bytes) => new Uint8Array(bytes))
}
const rowsOf = async (sheet: string): Promise<string[][]> => {
  const found = await readXlsxRows(await workbook(sheet), inflate)
  assert.ok(found.refusal === undefined, found.refusal)
  return found.rows
}

describe('a workbook', () => {
  test('the first visible sheet gives its texts, numbers and formulas by place', async () => {
    const rows = await rowsOf(
      '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="s"><x:v>1</x:v></x:c></x:row><row r="3"><c r="A3" t="inlineStr"><is><t>lea@exemple.fr</t></is></c><c r="C3" t="s"><v>2</v></c></row><row r="4"><c r="A4" t="str"><f>B1&amp;"x"</f><v>marc@exemple.fr</v></c><c r="B4"><v>12.5</v></c><c r="C4" t="inlineStr"><is><t>a_x000D_b</t></is></c></row></x:sheetData></x:worksheet>',
    )
    assert.deepEqual(rows, [
      ['Email', '', 'Prénom'],
      [],
      ['lea@exemple.fr', '', 'Léa'],
      ['marc@exemple.fr', '12.5', 'a\rb'],
    ])
    const { people } = readPeople(rows)
    assert.deepEqual(
      people.map(({ email, first_name, line }) => [email, first_name, line]),
      [
        ['lea@exemple.fr', 'Léa', 3],
        ['marc@exemple.fr', 'a b', 4],
      ],
    )
  })

  test('other files, broken files and bombs are refused in words', async () => {
    const bomb = await workbook(`<sheetData>${'<row/>'.repeat(6_000_000)}</sheetData>`)
    const good = await workbook('<sheetData/>')
    assert.ok(isZip(good))
    const other = await workbook('', { 'xl/workbook.xml': '' })
    for (const bytes of [
      bomb,
      good.slice(0, 100),
      good.slice(0, -30),
      new Uint8Array([0x50, 0x4b, 3, 4]),
    ]) {
      const { refusal } = await readXlsxRows(bytes, inflate)
      assert.match(refusal ?? '', /Ce classeur/)
    }
    assert.deepEqual(await readXlsxRows(other, inflate), { rows: [] })
  })

  test('rows and columns far away take neither memory nor time', async () => {
    const far = await readXlsxRows(
      await workbook(
        '<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
      ),
      inflate,
    )
    assert.match(far.refusal ?? '', /trop grand/)
    const wide = await rowsOf(
      '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row></sheetData>',
    )
    assert.deepEqual(wide, [['1']])
  })
})
