import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editPath, findQuizAfter } from './quiz-list.ts'

test('editing starts at the results of a quiz, and at the questions of a sondage', () => {
  assert.equal(editPath({ id: 'a', type: 'quiz' }), '/quiz/a/results')
  assert.equal(editPath({ id: 'a', type: 'sondage' }), '/quiz/a/questions')
})

test('the next quiz in the list is returned, or undefined after the last quiz and for an unknown quiz', () => {
  const quizzes = [{ id: 'a' }, { id: 'b' }]
  assert.deepEqual(findQuizAfter(quizzes, 'a'), { id: 'b' })
  assert.equal(findQuizAfter(quizzes, 'b'), undefined)
  assert.equal(findQuizAfter(quizzes, 'c'), undefined)
})
