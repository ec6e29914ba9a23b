import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { isLikelySpam } from './spam-signals.ts'

const question: SnapshotQuestion = {
  id: 'q',
  text: 'Votre nom ?',
  type: 'text',
  position: 0,
  global_position: 0,
  page_number: 1,
  answers: [],
}
const taken = { questions: Array<SnapshotQuestion>(10).fill(question) }

test('filling in the honeypot field is spam, at any speed', () => {
  assert.equal(isLikelySpam(taken, { is_trapped: true, elapsed_seconds: 600 }), true)
})

test('answering more than two questions a second is spam', () => {
  const after = (elapsed_seconds: number) =>
    isLikelySpam(taken, { is_trapped: false, elapsed_seconds })
  assert.deepEqual([after(0), after(4), after(5), after(60)], [true, true, false, false])
})

test('a single question can be answered within a second, but not in zero time', () => {
  const one = { questions: [question] }
  assert.equal(isLikelySpam(one, { is_trapped: false, elapsed_seconds: 0 }), true)
  assert.equal(isLikelySpam(one, { is_trapped: false, elapsed_seconds: 1 }), false)
})

test('an unknown duration is not a signal', () => {
  assert.equal(isLikelySpam(taken, { is_trapped: false, elapsed_seconds: null }), false)
})
