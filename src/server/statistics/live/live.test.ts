import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp } from '#server/app.ts'
import { readLiveCounts } from '#server/testing/app/live-counts.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it waits for real delays.

/** Duration of an outage, longer than a statement waits for a lock. */
const OUTAGE_MS = 5_000
const app = await createTestApp()
/** Second server on the same database, where screens are open. */
const second = await createApp({
  config: app.config,
  database: { ...app, isReady: async () => true },
  secretKey: 'a secret that only tests know of',
  log: pino({ level: 'silent' }),
  has_pages: false,
})
const origin = await second.listen({ port: 0, host: '127.0.0.1' })
after(async () => {
  await second.close()
  await app.close()
})
const { client, access_token } = await app.signUp()

const submit = (quiz: SampleQuiz) =>
  app.client.publicQuiz.submit({
    id: quiz.id,
    body: { answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'x@y.fr' } },
  })
const open = (id: string, token = access_token) =>
  fetch(`${origin}/api/v1/quizzes/${id}/responses/live`, {
    headers: { authorization: `Bearer ${token}` },
  })

test('a screen is notified of participants on another server', async () => {
  const quiz = await publishedScoreQuiz(client)
  const other = await publishedScoreQuiz(client)
  const response = await open(quiz.id)
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const counts = readLiveCounts(response)
  assert.equal((await counts.next()).value, 0)
  await submit(other)
  await Promise.all([submit(quiz), submit(quiz), submit(quiz)])
  let heard = 0
  while (heard < 3) heard = Number((await counts.next()).value)
  assert.equal(heard, 3)
  await counts.return(undefined)
})

test('a screen is notified of removed participants', async () => {
  const quiz = await publishedScoreQuiz(client)
  const counts = readLiveCounts(await open(quiz.id))
  assert.equal((await counts.next()).value, 0)
  // A participant causes one notification, so that the next one belongs to the removal.
  for (const nb_responses of [1, 2]) {
    await submit(quiz)
    assert.equal((await counts.next()).value, nb_responses)
  }
  const { details } = await client.statistics.responses({ id: quiz.id })
  const { participant_uuid = '' } = details[0] ?? {}
  await client.participants.remove({ id: quiz.id, participantId: participant_uuid })
  assert.equal((await counts.next()).value, 1)
  await counts.return(undefined)
})

test('a screen stays open during an outage of the database, and gets the next count after it', async () => {
  const quiz = await publishedScoreQuiz(client)
  const counts = readLiveCounts(await open(quiz.id))
  assert.equal((await counts.next()).value, 0)
  await submit(quiz)
  const holder = await app.pool.connect()
  await holder.query('begin')
  await holder.query('lock table quizzes in access exclusive mode')
  await pause(OUTAGE_MS)
  await holder.query('commit')
  holder.release()
  assert.equal((await counts.next()).value, 1)
  await counts.return(undefined)
})

test('the stream of live counts is available only to the creator', async () => {
  const quiz = await publishedScoreQuiz(client)
  const stranger = await app.signUp()
  assert.equal((await open(quiz.id, stranger.access_token)).status, 404)
  assert.equal((await open(quiz.id, 'x')).status, 401)
  assert.equal((await open('x')).status, 404)
})

test('each creator has a maximum number of live streams, and closing a stream allows another', async () => {
  const { client: own, access_token: token } = await app.signUp()
  const quiz = await publishedScoreQuiz(own)
  const opened = await Promise.all(Array.from({ length: 10 }, () => open(quiz.id, token)))
  assert.ok(opened.every(({ status }) => status === 200))
  const refused = await open(quiz.id, token)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '60'])
  const counts = readLiveCounts(opened[0] ?? refused)
  await counts.next()
  await counts.return(undefined)
  let status = 503
  while (status === 503) status = (await open(quiz.id, token)).status
  assert.equal(status, 200)
})

test('a stopping server ends its streams of live counts', async () => {
  const quiz = await publishedScoreQuiz(client)
  const third = await createApp({
    config: app.config,
    database: { ...app, isReady: async () => true },
    secretKey: 'a secret that only tests know of',
    log: pino({ level: 'silent' }),
    has_pages: false,
  })
  const address = await third.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(`${address}/api/v1/quizzes/${quiz.id}/responses/live`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  const counts = readLiveCounts(response)
  await counts.next()
  const closed = once(third.server, 'close')
  await third.close()
  await closed
  assert.equal((await counts.next()).done, true)
})
