import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitItems, pastedLines, withoutBullet } from './pasted-lines.ts'

test('a list becomes its lines for every kind of line break', () =>
  assert.deepEqual(pastedLines(' Un \r\n\r\nDeux\rTrois\n'), ['Un', 'Deux', 'Trois']))

test('a single line is not a list', () => {
  assert.equal(pastedLines('Un, deux'), undefined)
  assert.equal(pastedLines('Un\n\n'), undefined)
  assert.equal(pastedLines('3. Lyon'), undefined)
  assert.equal(pastedLines(''), undefined)
})

describe('the marks of a pasted list', () => {
  const LISTS = [
    '1. Lyon\n2. Nice\n3. Metz',
    '1) Lyon\n2) Nice\n3) Metz',
    '(1) Lyon\n(2) Nice\n(3) Metz',
    '9. Lyon\n10. Nice\n11. Metz',
    '1.\tLyon\n2.\tNice\n3.\tMetz',
    'a) Lyon\nb) Nice\nc) Metz',
    'A. Lyon\nB. Nice\nC. Metz',
    '- Lyon\n- Nice\n- Metz',
    '– Lyon\n– Nice\n– Metz',
    '-\u00a0Lyon\n-\u00a0Nice\n-\u00a0Metz',
    '* Lyon\n* Nice\n* Metz',
    '• Lyon\n• Nice\n• Metz',
    '•Lyon\n•Nice\n•Metz',
    '•\tLyon\n•\tNice\n•\tMetz',
    '◦ Lyon\n▪ Nice\n● Metz',
    '\uf0b7\tLyon\n\uf0b7\tNice\n\uf0a7\tMetz',
    '·\u00a0\u00a0Lyon\n·\u00a0\u00a0Nice\n·\u00a0\u00a0Metz',
    'o Lyon\no Nice\no Metz',
    '•\tLyon\no\tNice\n•\tMetz',
    '\tLyon\n\tNice\n\t\tMetz',
    '☐ Lyon\n☐ Nice\n☑ Metz',
    '✓ Lyon\n✓ Nice\n➢ Metz',
    '\uf0b7\n• Lyon\n• Nice\n• Metz',
  ]
  for (const list of LISTS)
    test(`the marks of the pasted list ${JSON.stringify(list)} are removed from its items`, () =>
      assert.deepEqual(pastedLines(list), ['Lyon', 'Nice', 'Metz']))
})

describe('a text that only looks like a marked list', () => {
  const TEXTS = [
    '-5\n-3\n0',
    '-5 °C\n-3 °C',
    '1.5 litre\n2.5 litres',
    '2 fois\n3 fois',
    '3. Lyon\nNice\nMetz',
    '12. rue du Port\n14. rue du Port',
    'J. Dupont\nP. Martin',
    'o clock\nLyon\nNice',
    'oui\nnon',
    '✓ Oui\n✗ Non',
    'a priori\nb',
    'Lyon\nNice - Metz',
    '*très* bien\nbien',
    '2) Lyon\n7) Nice',
  ]
  for (const text of TEXTS)
    test(`the pasted text ${JSON.stringify(text)} keeps its lines unchanged`, () =>
      assert.deepEqual(pastedLines(text), text.split('\n')))
})

test('pasted list signs without a text become items', () => {
  assert.deepEqual(pastedLines('■\n●\n◆'), ['■', '●', '◆'])
  assert.deepEqual(pastedLines('■\n●\nAucun'), ['■', '●', 'Aucun'])
  assert.equal(withoutBullet(' ● '), '●')
})

test('tabs between the cells of a pasted table become spaces', () =>
  assert.deepEqual(pastedLines('Lyon\t69\nNice\t06'), ['Lyon 69', 'Nice 06']))

test('a single pasted line loses a list sign, but keeps a number or a dash', () => {
  assert.equal(withoutBullet('•\tLyon'), 'Lyon')
  assert.equal(withoutBullet('\uf0b7 Lyon'), 'Lyon')
  for (const line of ['3. Lyon', '- Lyon', '-5', 'o clock', 'Lyon'])
    assert.equal(withoutBullet(line), line)
})

test('a list that exceeds the limits keeps its first items, and no item is cut inside a character', () =>
  assert.deepEqual(fitItems(['abc', 'abcd😀', 'x', 'y'], { max_items: 3, max_length: 5 }), {
    items: ['abc', 'abcd', 'x'],
    nb_shortened: 1,
    nb_left_out: 1,
  }))
