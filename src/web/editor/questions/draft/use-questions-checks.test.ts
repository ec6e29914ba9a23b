import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOfWelcomeOrEnd, problemsByItem } from './use-questions-checks.ts'

test('questions and text blocks show their first problem and the number of further problems', () => {
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

test('the welcome and the end show the problems of their own fields', () => {
  const errors = [
    { message: 'Un', field: 'welcome_text' },
    { message: 'Deux', field: 'welcome_image_alt' },
    { message: 'Trois', question_id: 'q', field: 'image_alt' },
    { message: 'Quatre', result_id: 'r', field: 'end_button_url' },
  ]
  assert.equal(problemOfWelcomeOrEnd(errors, 'welcome'), 'Un (et 1 de plus)')
  assert.equal(problemOfWelcomeOrEnd(errors, 'end'), undefined)
})
