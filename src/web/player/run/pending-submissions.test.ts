import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMemoryStore } from '#web/player/testing/memory-store.ts'
import { createPendingSubmissions } from './pending-submissions.ts'
import type { SendOutcome, Submission } from './player-api.ts'

const SUBMISSION: Submission = {
  answers: {},
  email: '',
  participant_uuid: 'p1',
  run_secret: 's1',
  version: 1,
  consent_version: 0,
  elapsed_seconds: 60,
  is_trapped: false,
  parameters: '',
}
const STORED: SendOutcome = { outcome: 'stored' }
const LATER: SendOutcome = { outcome: 'later' }
const REFUSED: SendOutcome = { outcome: 'refused', refusal: 'invalid' }

/** A browser with its storage. Its server answers with the given outcomes in turn, then accepts. */
const browser = (t: TestContext, outcomes: SendOutcome[], store = createMemoryStore()) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: Submission[] = []
  const told: string[] = []
  const pending = createPendingSubmissions({
    store,
    onOutcome: (participant_uuid, { outcome, refusal = '' }) =>
      told.push(`${participant_uuid} ${outcome} ${refusal}`.trim()),
    send: async (_, submission) => {
      sent.push(submission)
      return { ...(outcomes.shift() ?? STORED) }
    },
  })
  const pass = async (delay_ms: number): Promise<void> => {
    await Promise.resolve()
    await new Promise(setImmediate)
    t.mock.timers.tick(delay_ms)
    await new Promise(setImmediate)
  }
  return { pending, store, sent, told, pass }
}

test('an acknowledged submission is sent once and removed from the storage', async (t) => {
  const { pending, store, sent, told, pass } = browser(t, [])
  pending.enqueue('quiz', SUBMISSION)
  assert.equal(store.keys('').length, 1)
  assert.ok(pending.isKept('p1') && !pending.isKept('p2'))
  await pass(3_600_000)
  assert.ok(!pending.isKept('p1'))
  assert.deepEqual(sent, [SUBMISSION])
  assert.deepEqual(told, ['p1 stored'])
  assert.deepEqual(store.keys(''), [])
})

test('a failed submission is retried with a doubling delay until it is acknowledged', async (t) => {
  const { pending, store, sent, pass } = browser(t, [LATER, LATER])
  pending.enqueue('quiz', SUBMISSION)
  await pass(999)
  assert.equal(sent.length, 1)
  await pass(1)
  assert.equal(sent.length, 2)
  await pass(1_999)
  assert.equal(sent.length, 2)
  await pass(1)
  assert.deepEqual(sent, [SUBMISSION, SUBMISSION, SUBMISSION])
  assert.deepEqual(store.keys(''), [])
})

test('a submission waits longer before its retry if the server asks for it', async (t) => {
  const { pending, sent, pass } = browser(t, [{ outcome: 'later', seconds: 30 }])
  pending.enqueue('quiz', SUBMISSION)
  await pass(29_999)
  assert.equal(sent.length, 1)
  await pass(1)
  assert.equal(sent.length, 2)
})

test('no retry waits longer than ten minutes', async (t) => {
  const { pending, sent, pass } = browser(t, [{ outcome: 'later', seconds: 1e9 }])
  pending.enqueue('quiz', SUBMISSION)
  await pass(599_999)
  assert.equal(sent.length, 1)
  await pass(1)
  assert.equal(sent.length, 2)
})

test('the first submission of a participant is the one that is sent', async (t) => {
  const { pending, sent, pass } = browser(t, [LATER])
  pending.enqueue('quiz', SUBMISSION)
  pending.enqueue('quiz', { ...SUBMISSION, version: 2 })
  await pass(1_000)
  assert.deepEqual(sent, [SUBMISSION, SUBMISSION])
})

test('a refusal is final', async (t) => {
  const { pending, store, sent, told, pass } = browser(t, [REFUSED])
  pending.enqueue('quiz', SUBMISSION)
  await pass(3_600_000)
  assert.equal(sent.length, 1)
  assert.deepEqual(told, ['p1 refused invalid'])
  assert.deepEqual(store.keys(''), [])
})

test('a submission to a withdrawn quiz is reported as refused and kept until the quiz is published again', async (t) => {
  const { pending, store, told, pass } = browser(t, [
    { outcome: 'later', refusal: 'quiz_not_published' },
  ])
  pending.enqueue('quiz', SUBMISSION)
  await pass(0)
  assert.deepEqual([told, store.keys('').length], [['p1 later quiz_not_published'], 1])
  await pass(1_000)
  assert.deepEqual([told.slice(1), store.keys('')], [['p1 stored'], []])
})

test('a submission that the device cannot store is reported until the server has acknowledged it', async (t) => {
  const closed = { ...createMemoryStore(), write: () => undefined }
  const { pending, told, pass } = browser(t, [LATER], closed)
  pending.enqueue('quiz', SUBMISSION)
  await pass(0)
  assert.deepEqual(told, ['p1 later unsent'])
  await pass(1_000)
  assert.deepEqual(told.slice(1), ['p1 stored'])
})

test('a return online sends the submissions immediately and leaves one scheduled retry', async (t) => {
  const { pending, sent, pass } = browser(t, [LATER, LATER])
  pending.enqueue('quiz', SUBMISSION)
  await pass(0)
  pending.sendAll()
  await pass(0)
  assert.equal(sent.length, 2)
  await pass(3_600_000)
  assert.equal(sent.length, 3)
})

test('the next visit sends the submissions that the last visit could not send', async (t) => {
  const store = createMemoryStore()
  const last = createPendingSubmissions({
    store,
    onOutcome: () => undefined,
    send: async () => LATER,
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  last.enqueue('quiz', SUBMISSION)
  t.mock.timers.reset()
  const { pending, sent, told, pass } = browser(t, [], store)
  pending.sendAll()
  await pass(0)
  assert.deepEqual(sent, [SUBMISSION])
  assert.deepEqual(told, ['p1 stored'])
})

test('a stored value that is not a submission is removed, and other keys are left alone', async (t) => {
  const { pending, store, sent, pass } = browser(t, [])
  store.write('quizaine:pending:p1', { quiz_id: 'quiz' })
  store.write('another', 1)
  pending.sendAll()
  await pass(0)
  assert.deepEqual(sent, [])
  assert.deepEqual(store.keys(''), ['another'])
})
