import assert from 'node:assert/strict'
import { beforeEach, mock, test } from 'node:test'
import { type SendOutcome, type Submission, sendSubmission } from './player-api.ts'

const SUBMISSION: Submission = {
  answers: { q: 'Camille' },
  email: '',
  participant_uuid: 'p1',
  run_secret: 's1',
  version: 3,
  consent_version: 0,
  elapsed_seconds: 60,
  is_trapped: false,
  parameters: '',
}
const warn = mock.method(console, 'warn', () => {})
beforeEach(() => warn.mock.resetCalls())

const answering = (
  status: number,
  headers = {},
  body: string | object = { participant_uuid: 'p1', code: 'not_found' },
): Promise<SendOutcome> =>
  sendSubmission('quiz', SUBMISSION, async () =>
    typeof body === 'string'
      ? new Response(body, { status, headers })
      : Response.json(body, { status, headers }),
  )

test('a submission is posted to its quiz and continues after the page is closed', async () => {
  const sent: [unknown, RequestInit | undefined][] = []
  await sendSubmission('quiz', SUBMISSION, async (url, options) => {
    sent.push([url, options])
    return new Response(null, { status: 201 })
  })
  const [[url, options] = []] = sent
  assert.equal(url, '/api/v1/quizzes/quiz/submit')
  assert.equal(options?.keepalive, true)
  assert.deepEqual(await new Response(options?.body).json(), SUBMISSION)
})

test('a body too large for keepalive is sent without it', async () => {
  const large = { ...SUBMISSION, answers: { q: 'é'.repeat(40_000) } }
  await sendSubmission('quiz', large, async (_, options) => {
    assert.equal(options?.keepalive, false)
    return new Response(null, { status: 201 })
  })
})

test('a new submission and a repeated submission have the same outcome', async () => {
  const documents = { report: '/q/a/rapport/b' }
  const { participant_uuid } = SUBMISSION
  for (const status of [201, 200]) {
    assert.deepEqual(await answering(status), { outcome: 'stored', documents: undefined })
    const given = await answering(status, {}, { participant_uuid, documents })
    assert.deepEqual(given, { outcome: 'stored', documents })
  }
})

test('a refusal is final, except after a timeout, a rate limit, or a quiz that was withdrawn or closed', async () => {
  for (const status of [400, 404, 413, 422]) {
    const refused = { outcome: 'refused', refusal: 'invalid' }
    assert.deepEqual(await answering(status, {}, { code: 'invalid' }), refused)
  }
  for (const code of ['quiz_not_published', 'quiz_not_open', 'quiz_closed', 'quiz_full'])
    assert.deepEqual(await answering(403, {}, { code }), {
      outcome: 'later',
      refusal: code,
      seconds: 0,
    })
  for (const status of [408, 429, 500, 503]) {
    const { outcome, refusal } = await answering(status)
    assert.deepEqual([outcome, refusal], ['later', undefined])
  }
})

test('the console shows the answers to submissions that are not stored', async () => {
  await answering(201)
  assert.equal(warn.mock.callCount(), 0)
  for (const status of [422, 503]) await answering(status, {}, { code: 'invalid' })
  assert.deepEqual(
    warn.mock.calls.map((call) => call.arguments),
    [422, 503].map((status) => [status, { code: 'invalid' }]),
  )
})

test('an answer that does not come from the server of the quiz counts neither as stored nor as refused', async () => {
  const portal = '<html>Connectez-vous au réseau</html>'
  for (const status of [200, 404, 511])
    assert.equal((await answering(status, {}, portal)).outcome, 'later')
  assert.equal((await answering(200, {}, {})).outcome, 'later')
  assert.equal((await answering(200, {}, { participant_uuid: 'p2' })).outcome, 'later')
})

test('the outcome of a submission contains the delay that the server asks for', async () => {
  const later = { outcome: 'later', refusal: undefined }
  assert.deepEqual(await answering(503, { 'retry-after': '7' }, {}), { ...later, seconds: 7 })
  assert.deepEqual(await answering(503, { 'retry-after': 'Fri' }, {}), { ...later, seconds: 0 })
})

test('a network failure is retried without a word, and a page that cannot send says so', async () => {
  const fail = (): never => {
    throw new TypeError('Failed to fetch')
  }
  const lost = await sendSubmission('quiz', SUBMISSION, async () => fail())
  assert.deepEqual(lost, { outcome: 'later', refusal: undefined })
  const broken = await sendSubmission('quiz', SUBMISSION, fail)
  assert.deepEqual(broken, { outcome: 'later', refusal: 'unsent' })
})
