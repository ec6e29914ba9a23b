import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKeptRuns, forgetRun, keepRun, keyOfRun } from './kept-run.ts'
import { createMemoryStore } from './memory-store.ts'

const RUN = {
  participant_uuid: 'p1',
  page_index: 1,
  replies: { q: 'a' },
  is_finished: false,
  kept_at: 1,
}
const LATER = { ...RUN, participant_uuid: 'p2', kept_at: 2 }

test('the runs of a quiz are its own alone, the last changed first', () => {
  const store = createMemoryStore()
  keepRun(store, 'one', RUN)
  keepRun(store, 'one', LATER)
  assert.deepEqual(findKeptRuns(store, 'one'), [LATER, RUN])
  assert.deepEqual(findKeptRuns(store, 'other'), [])
})

test('only the run of that participant is forgotten', () => {
  const store = createMemoryStore()
  keepRun(store, 'one', RUN)
  keepRun(store, 'one', LATER)
  forgetRun(store, 'one', 'p2')
  assert.deepEqual(findKeptRuns(store, 'one'), [RUN])
  forgetRun(store, 'one', 'p1')
  assert.deepEqual(store.keys(''), [])
})

test('what is no run reads as none', () => {
  const store = createMemoryStore()
  const broken = [7, [], {}, { ...RUN, replies: { q: 1 } }, { ...RUN, page_index: 'x' }]
  for (const value of broken) {
    store.write(keyOfRun('one', 'p1'), value)
    assert.deepEqual(findKeptRuns(store, 'one'), [])
  }
})
