import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrapText } from './draw-quiz.ts'

/** Every letter is one wide. */
const wrap = (text: string, max_width: number, max_lines: number) =>
  wrapText(text, { widthOf: (line) => [...line].length, max_width, max_lines })

test('a text breaks between its words', () => {
  assert.deepEqual(wrap('Quel rythme pour vous ?', 12, 3), {
    lines: ['Quel rythme', 'pour vous ?'],
    is_cut: false,
  })
})

test('a word wider than a line breaks within', () => {
  assert.deepEqual(wrap('un anticonstitutionnellement', 10, 9).lines, [
    'un',
    'anticonsti',
    'tutionnell',
    'ement',
  ])
})

test('where the room ends an ellipsis says so, within the line', () => {
  assert.deepEqual(wrap('un deux trois quatre', 7, 2), {
    lines: ['un deux', 'trois…'],
    is_cut: true,
  })
  assert.deepEqual(wrap('quatre quatre', 6, 1), { lines: ['quatr…'], is_cut: true })
})

test('no text has no lines to draw', () => {
  assert.deepEqual(wrap('', 10, 2).lines.join(''), '')
})
