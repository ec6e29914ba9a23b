import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKeptRun, forgetRun, keepRun } from './kept-run.ts'
import { createMemoryStore } from './memory-store.ts'

const RUN = { participant_uuid: 'p1', page_index: 1, replies: { q: 'a' }, is_finished: false }

test('a run is kept for its own quiz alone', () => {
  const store = createMemoryStore()
  keepRun(store, 'one', RUN)
  assert.deepEqual(findKeptRun(store, 'one'), RUN)
  assert.equal(findKeptRun(store, 'other'), undefined)
})

test('only the run of that participant is forgotten', () => {
  const store = createMemoryStore()
  keepRun(store, 'one', RUN)
  forgetRun(store, 'one', 'p2')
  assert.deepEqual(findKeptRun(store, 'one'), RUN)
  forgetRun(store, 'one', 'p1')
  assert.equal(findKeptRun(store, 'one'), undefined)
})

test('what is no run reads as none', () => {
  const store = createMemoryStore()
  const broken = [7, [], {}, { ...RUN, replies: { q: 1 } }, { ...RUN, page_index: 'x' }]
  for (const value of broken) {
    store.write('quizaine:run:one', value)
    assert.equal(findKeptRun(store, 'one'), undefined)
  }
})
