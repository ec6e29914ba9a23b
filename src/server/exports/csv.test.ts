import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { EXCEL, formatCsvCell, STANDARD } from './csv.ts'

/** Splits a file into cells as a program with these separators and lenient quoting would. */
const cellsOf = (text: string, separators: string): string[] => {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  let isBegun = false
  const end = (): void => {
    cells.push(cell)
    cell = ''
    isBegun = false
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (isQuoted && sign === '"' && text[at + 1] === '"') cell += text[at++]
    else if (isQuoted && sign === '"') isQuoted = false
    else if (isQuoted) cell += sign
    else if (sign === '"' && !isBegun) isQuoted = true
    else if (separators.includes(sign)) {
      end()
      continue
    } else cell += sign
    isBegun = true
  }
  end()
  return cells
}
/** A formula that is a single text is harmless. */
const LITERAL = /^="(?:[^"]|"")*"$/
const isFormula = (cell: string): boolean =>
  /^[\s"]*[=+\-@＝＋－＠]/.test(cell) && !/^[+-]\d+([.,]\d+)?$/.test(cell) && !LITERAL.test(cell)

const LINE_ENDS = '\r\n'
const READ_AS = [';', ',', '\t', ';,', ';,\t'].map((separators) => separators + LINE_ENDS)
const formulasOf = (texts: string[]): string[] =>
  [EXCEL, STANDARD].flatMap((dialect) => {
    const line = ['Léa', ...texts.map((text) => formatCsvCell(text, dialect)), 'Lyon']
    const file = `${line.join(dialect.separator)}\r\n`
    return READ_AS.flatMap((separators) => cellsOf(file, separators)).filter(isFormula)
  })

describe('a text in a CSV file', () => {
  test('a text in a CSV file is not a formula, whatever the separator', () => {
    for (const sign of [...'=+-@＝＋－＠'])
      for (const before of [
        '',
        ' ',
        '"',
        'a;',
        'a,',
        'a\t',
        'a\r',
        'a\n',
        'a;"',
        'a, "',
        '\t',
        '\n',
      ])
        assert.deepEqual(formulasOf([`${before}${sign}cmd|'/C calc'!A0`]), [], `${before}${sign}`)
  })

  test('a text in a CSV file is not a formula beside any other text', () => {
    const odd = fc.string({
      unit: fc.constantFrom(...'a1 "\';,\t\r\n=+-@＝＋－＠.'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(fc.array(odd, { minLength: 1, maxLength: 3 }), (texts) =>
        assert.deepEqual(formulasOf(texts), []),
      ),
      { numRuns: countCases(5_000) },
    )
  })

  test('a text that begins with a tab or a line break gets an apostrophe', () => {
    for (const sign of ['\t', '\r', '\n']) assert.match(formatCsvCell(`${sign}a`, EXCEL), /^"?'/)
  })

  test('a plain number or plain prose is unchanged in a CSV file', () => {
    for (const text of [
      '+33610004998',
      '-12',
      '-1.5',
      '+1,5',
      'a-b',
      '06 10',
      'peut-être, oui; non',
    ])
      assert.equal(formatCsvCell(text, STANDARD).replaceAll('"', ''), text)
    for (const text of ['a-b', 'peut-être, oui; non', '2 enfants', 'Martin', 'marché', '4 rue'])
      assert.equal(formatCsvCell(text, EXCEL).replaceAll('"', ''), text)
  })

  test('a text that a spreadsheet would convert is written as a formula', () => {
    for (const text of [
      '0612345678',
      '+33612345678',
      '+32 470/12.34.56',
      '01000',
      '06 10',
      '(0)6-12',
      '12/3',
      '2-3',
      '1E5',
      '12:30',
      '50 %',
      'vrai',
      '12 mars',
      'mars 2026',
      '10 AM',
      '=1+1',
      '@moi',
    ])
      assert.equal(formatCsvCell(text, EXCEL), `"=""${text}"""`)
  })

  test('a cell for Excel has at most the characters that Excel takes, and says that its text is cut', () => {
    const texts = ['a'.repeat(40_000), '=a;'.repeat(12_000), `x\n${'"'.repeat(40_000)}`]
    for (const text of texts) {
      const [cell = '', ...others] = cellsOf(formatCsvCell(text, EXCEL), `;${LINE_ENDS}`)
      assert.deepEqual([others.length, cell.length <= 32_767], [0, true])
      assert.match(cell, /… \[texte coupé : Excel limite une cellule à 32 767 caractères\..*\]$/)
      const whole = cellsOf(formatCsvCell(text, STANDARD), `,${LINE_ENDS}`)[0] ?? ''
      assert.equal(whole.replaceAll("'", ''), text)
    }
    assert.deepEqual(formulasOf(texts), [])
    assert.equal(formatCsvCell('a'.repeat(32_767), EXCEL), 'a'.repeat(32_767))
  })

  test('a number in a standard CSV file keeps its digits', () => {
    for (const text of ['0612345678', '01000', '12/3', '1E5'])
      assert.equal(formatCsvCell(text, STANDARD), text)
  })
})
