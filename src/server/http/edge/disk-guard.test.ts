import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, mock, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it fills a disk or a quota.

/** Free share of the disk that the server sees. */
let free = 0.5
mock.method(fs, 'statfs', async () => ({
  bavail: free * 1_000_000,
  blocks: 1_000_000,
  bsize: 4_096,
}))
syncBuiltinESMExports()

const app = await createTestApp()
after(() => app.close())
let creator: SignedUp
let quiz: SampleQuiz
before(async () => {
  creator = await app.signUp()
  quiz = await publishedScoreQuiz(creator.client)
})

/** Changes the free share, and waits until the server has seen it. */
const setFree = async (share: number): Promise<void> => {
  free = share
  await pause(1_100)
  await app.raw({ url: '/healthz' })
  await pause(20)
}
const asCreator = (method: 'POST' | 'DELETE' | 'PUT', url: string, body?: object) =>
  app.raw({
    method,
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${creator.access_token}` },
    ...(body && { body }),
  })
const submit = () =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: {
      participant_uuid: randomUUID(),
      answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'camille@exemple.fr' },
    },
  })
const begin = () => app.raw({ url: `/api/v1/quizzes/${quiz.id}/snapshot` })
const createQuiz = () => asCreator('POST', '/quizzes', { name: 'Nouveau', type: 'quiz' })

test('below a tenth of the disk, only what was begun is accepted', async () => {
  await setFree(0.09)
  for (const [call, words] of [
    [begin, 'Ce questionnaire ne peut pas être commencé'],
    [createQuiz, 'Rien ne peut être ajouté'],
    [() => asCreator('POST', '/images', {}), 'Rien ne peut être ajouté'],
    [() => asCreator('POST', '/quizzes/import-file', {}), 'Rien ne peut être ajouté'],
    [() => asCreator('POST', `/quizzes/${quiz.id}/duplicate`, {}), 'Rien ne peut être ajouté'],
  ] as const) {
    const answer = await call()
    const { error, code } = answer.json<{ error: string; code: string }>()
    assert.deepEqual([answer.statusCode, code], [503, 'disk_full'], answer.body)
    assert.ok(error.startsWith(words), error)
    assert.equal(answer.headers['retry-after'], '60')
  }
  assert.equal((await submit()).statusCode, 201, 'a reply to a run that was begun')
  const renamed = await asCreator('PUT', `/questions/${quiz.question_id}`, { text: 'Et ici ?' })
  assert.equal(renamed.statusCode, 200, 'a change of a draft')
})

test('a disk that is nearly full refuses replies in words, and room makes everything work again', async () => {
  await setFree(0.01)
  const refused = await submit()
  assert.equal(refused.statusCode, 503)
  assert.match(refused.json<{ error: string }>().error, /gardées sur cet appareil/)
  await setFree(0.5)
  const statuses = [await begin(), await createQuiz(), await submit()]
  assert.deepEqual(
    statuses.map(({ statusCode }) => statusCode),
    [200, 201, 201],
  )
})
