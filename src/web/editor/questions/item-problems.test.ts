import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsByItem } from './item-problems.ts'

test('a question and a text block say their first problem and how many more there are, a result none', () => {
  const problems = problemsByItem([
    { message: 'Un', question_id: 'q', answer_id: 'a' },
    { message: 'Deux', question_id: 'q' },
    { message: 'Trois', text_block_id: 'b' },
    { message: 'Quatre', result_id: 'r' },
    { message: 'Cinq' },
  ])
  assert.deepEqual(
    [...problems],
    [
      ['q', 'Un (et 1 de plus)'],
      ['b', 'Trois'],
    ],
  )
})
