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

/** Returns the saved run without the time of its last change. */
const findIn = (run: ReturnType<typeof createSavedRun>) => {
  const { used_at, ...kept } = run.find() ?? {}
  assert.equal(typeof used_at, 'number')
  return kept
}

test('a tab saves the run of one quiz', () => {
  const tab = createMemoryStore()
  const run = createSavedRun(tab, 'one', false)
  run.keep(RUN)
  run.keep({ ...RUN, page_index: 2 })
  assert.deepEqual(findIn(run), { ...RUN, page_index: 2 })
  run.forget()
  assert.deepEqual(tab.keys(''), [])
})

test('a saved run keeps several answers to a question', () => {
  const run = createSavedRun(createMemoryStore(), 'one', false)
  const replies = { q: ['a', 'other:un kayak'], r: '7' }
  run.keep({ ...RUN, replies })
  assert.deepEqual(findIn(run), { ...RUN, replies })
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
  assert.deepEqual(findIn(createSavedRun(tab, 'one', true)), RUN)
  assert.deepEqual(findIn(createSavedRun(tab, 'other', true)), other)
  createSavedRun(tab, 'one', true).forget()
  assert.deepEqual(findIn(createSavedRun(tab, 'other', true)), other)
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

test('a run that was not used for 30 minutes is removed, because the next person may use the device', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-01T10:00:00Z') })
  const tab = createMemoryStore()
  createSavedRun(tab, 'one', true).keep(RUN)
  t.mock.timers.tick(1_800_000)
  assert.deepEqual(findIn(createSavedRun(tab, 'one', true)), RUN)
  t.mock.timers.tick(1)
  const later = createSavedRun(tab, 'one', true)
  assert.equal(later.find(), undefined)
  assert.equal(later.had_run, true)
  assert.deepEqual(tab.keys(''), [])
})

test('a run of an earlier release, which has no time, is kept', () => {
  const tab = createMemoryStore()
  tab.write('quizaine:run', RUN)
  assert.deepEqual(createSavedRun(tab, 'one', false).find(), RUN)
})
