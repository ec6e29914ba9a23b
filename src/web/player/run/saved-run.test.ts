import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemoryStore } from '#web/player/testing/memory-store.ts'
import { NEW_RUN } from './run.ts'
import { createSavedRun } from './saved-run.ts'

const RUN = {
  ...NEW_RUN,
  quiz_id: 'one',
  version: 1,
  participant_uuid: 'p1',
  page_index: 1,
  replies: { q: 'a' },
}

test('a tab saves the run of one quiz', () => {
  const tab = createMemoryStore()
  const run = createSavedRun(tab, 'one', false)
  run.keep(RUN)
  run.keep({ ...RUN, page_index: 2 })
  assert.deepEqual(run.find(), { ...RUN, page_index: 2 })
  run.forget()
  assert.deepEqual(tab.keys(''), [])
})

test('a saved run keeps several answers to a question', () => {
  const run = createSavedRun(createMemoryStore(), 'one', false)
  const replies = { q: ['a', 'other:un kayak'], r: '7' }
  run.keep({ ...RUN, replies })
  assert.deepEqual(run.find(), { ...RUN, replies })
})

test('opening another quiz in the tab removes the saved run of the previous quiz', () => {
  const tab = createMemoryStore()
  createSavedRun(tab, 'one', false).keep(RUN)
  assert.equal(createSavedRun(tab, 'other', false).find(), undefined)
  assert.deepEqual(tab.keys(''), [])
})

test('frames of one page save one run each, apart from the run of the tab', () => {
  const tab = createMemoryStore()
  const other = { ...RUN, quiz_id: 'other', participant_uuid: 'p2' }
  createSavedRun(tab, 'one', true).keep(RUN)
  createSavedRun(tab, 'other', true).keep(other)
  assert.equal(createSavedRun(tab, 'third', false).find(), undefined)
  assert.deepEqual(createSavedRun(tab, 'one', true).find(), RUN)
  assert.deepEqual(createSavedRun(tab, 'other', true).find(), other)
  createSavedRun(tab, 'one', true).forget()
  assert.deepEqual(createSavedRun(tab, 'other', true).find(), other)
})

test('a stored value that is not a run is ignored', () => {
  const tab = createMemoryStore()
  const broken = [
    7,
    [],
    {},
    { ...RUN, replies: { q: 1 } },
    { ...RUN, replies: { q: [1] } },
    { ...RUN, page_index: 'x' },
  ]
  for (const value of broken) {
    tab.write('quizaine:run', value)
    assert.equal(createSavedRun(tab, 'one', false).find(), undefined)
  }
})
