import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrapText } from './draw-quiz.ts'

/** Wraps text whose letters are all one unit wide. */
const wrap = (text: string, max_width: number, max_lines: number) =>
  wrapText(text, { widthOf: (line) => [...line].length, max_width, max_lines })

test('a text of the picture is broken between words', () => {
  assert.deepEqual(wrap('Quel rythme pour vous ?', 12, 3), {
    lines: ['Quel rythme', 'pour vous ?'],
    is_cut: false,
  })
})

test('a word that is wider than a line is broken inside the word', () => {
  assert.deepEqual(wrap('un anticonstitutionnellement', 10, 9).lines, [
    'un',
    'anticonsti',
    'tutionnell',
    'ement',
  ])
})

test('a text that does not fit ends with an ellipsis within the line', () => {
  assert.deepEqual(wrap('un deux trois quatre', 7, 2), {
    lines: ['un deux', 'trois…'],
    is_cut: true,
  })
  assert.deepEqual(wrap('quatre quatre', 6, 1), { lines: ['quatr…'], is_cut: true })
})

test('an empty text of the picture has no lines', () => {
  assert.deepEqual(wrap('', 10, 2).lines.join(''), '')
})
