import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findKeptRun, forgetRun, keepRun } from './kept-run.ts'
import { NEW_RUN } from './run.ts'
import { createMemoryStore } from './testing/memory-store.ts'

const RUN = {
  ...NEW_RUN,
  quiz_id: 'one',
  version: 1,
  participant_uuid: 'p1',
  page_index: 1,
  replies: { q: 'a' },
}

test('a tab keeps the run of one quiz', () => {
  const tab = createMemoryStore()
  keepRun(tab, RUN)
  keepRun(tab, { ...RUN, page_index: 2 })
  assert.deepEqual(findKeptRun(tab, 'one'), { ...RUN, page_index: 2 })
  forgetRun(tab)
  assert.deepEqual(tab.keys(''), [])
})

test('another quiz in the tab ends the run of the one before', () => {
  const tab = createMemoryStore()
  keepRun(tab, RUN)
  assert.equal(findKeptRun(tab, 'other'), undefined)
  assert.deepEqual(tab.keys(''), [])
})

test('what is no run reads as none', () => {
  const tab = createMemoryStore()
  const broken = [7, [], {}, { ...RUN, replies: { q: 1 } }, { ...RUN, page_index: 'x' }]
  for (const value of broken) {
    tab.write('quizaine:run', value)
    assert.equal(findKeptRun(tab, 'one'), undefined)
  }
})
