import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editPath, quizAfter } from './quiz-list.ts'

test('a quiz is edited from its results on, a sondage from its questions on', () => {
  assert.equal(editPath({ id: 'a', type: 'quiz' }), '/quiz/a/results')
  assert.equal(editPath({ id: 'a', type: 'sondage' }), '/quiz/a/questions')
})

test('the next quiz follows in the list; after the last, and after a stranger, there is none', () => {
  const quizzes = [{ id: 'a' }, { id: 'b' }]
  assert.deepEqual(quizAfter(quizzes, 'a'), { id: 'b' })
  assert.equal(quizAfter(quizzes, 'b'), undefined)
  assert.equal(quizAfter(quizzes, 'c'), undefined)
})
