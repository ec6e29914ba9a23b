import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepStates } from './steps.ts'

const quiz = { type: 'quiz' } as const
const sondage = { type: 'sondage' } as const

test('questions stay locked until a quiz has two results', () => {
  const counts = { quiz, question_count: 0 }
  assert.equal(stepStates('results', { ...counts, result_count: 1 }).questions, 'locked')
  assert.equal(stepStates('results', { ...counts, result_count: 2 }).questions, 'open')
})

test('no step of a sondage is locked', () => {
  const states = stepStates('settings', { quiz: sondage, result_count: 0, question_count: 0 })
  assert.deepEqual(states, { results: 'open', questions: 'open', settings: 'current' })
})

test('a step of the editor with results or questions is marked as done', () => {
  const states = stepStates('settings', { quiz, result_count: 2, question_count: 1 })
  assert.deepEqual(states, { results: 'done', questions: 'done', settings: 'current' })
})

test('the settings step is open from the start', () => {
  const states = stepStates('results', { quiz, result_count: 0, question_count: 0 })
  assert.deepEqual(states, { results: 'current', questions: 'locked', settings: 'open' })
})
