import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Papa from 'papaparse'
import { readPeople } from '../../src/domain/campaigns/read-people.ts'
import { rowsOfCsvFile } from '../../src/domain/campaigns/read-people-file.ts'
import type { ParseCsv } from '../../src/domain/imports/csv-rows.ts'
import { ENCODINGS, inCharactersOf } from '../../src/domain/testing/encodings.ts'

/** Lists of invited people in every encoding, with every line end and separator. */

const PEOPLE = [
  ['zoe@exemple.fr', 'Zoé', 'L’Œuvre', 'Équipe à 10 €'],
  ['noel@exemple.fr', 'Noël', 'Garçon ; "dit Nono"', 'Équipe, Sud'],
]
const NAMES = [['wang@exemple.fr', '王小明', 'Ελένη', 'Наталья']]

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' }
const SEPARATORS: Record<string, { separator: string; first_line: string }> = {
  comma: { separator: ',', first_line: '' },
  semicolon: { separator: ';', first_line: '' },
  tab: { separator: '\t', first_line: '' },
  'line sep=;': { separator: ';', first_line: 'sep=;\n' },
}

const quoted = (cells: readonly string[], separator: string): string =>
  cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)

describe('a list of people', () => {
  for (const [name, { encode, encoding }] of Object.entries(ENCODINGS))
    for (const [separator_name, { separator, first_line }] of Object.entries(SEPARATORS))
      test(`has its names in ${name}: ${separator_name}`, () => {
        const people = encoding.startsWith('UTF') ? [...PEOPLE, ...NAMES] : PEOPLE
        const rows = [['Email', 'Prénom', 'Nom', 'Groupe'], ...people]
        const text = first_line + rows.map((row) => quoted(row, separator)).join('\n')
        for (const [line_end_name, line_end] of Object.entries(LINE_ENDS)) {
          const bytes = encode(inCharactersOf(encoding, text).replaceAll('\n', line_end))
          const found = rowsOfCsvFile(bytes, Papa.parse as ParseCsv)
          assert.ok('rows' in found, JSON.stringify(found))
          const list = readPeople(found.rows)
          assert.deepEqual(list.refused, [], line_end_name)
          assert.deepEqual(
            list.people.map((one) => [one.email, one.first_name, one.last_name, one.group_name]),
            people.map((row) => row.map((cell) => inCharactersOf(encoding, cell))),
            line_end_name,
          )
        }
      })
})
