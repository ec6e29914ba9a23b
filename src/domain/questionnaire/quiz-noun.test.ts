import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quizNoun } from './quiz.ts'

test('a questionnaire is named after its type, and an unknown one is a questionnaire', () => {
  assert.equal(quizNoun({ type: 'quiz' }), 'quiz')
  assert.equal(quizNoun({ type: 'sondage' }), 'sondage')
  assert.equal(quizNoun(), 'questionnaire')
})
