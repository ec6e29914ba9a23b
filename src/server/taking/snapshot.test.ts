import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refuses } from '#server/testing/refusals.ts'
import { publishedScoreQuiz, readyScoreQuiz } from '#server/testing/sample-quizzes.ts'
import { createTestApp } from '#server/testing/test-app.ts'

const app = await createTestApp()
after(() => app.close())
const { client } = await app.signUp()
const stranger = (await app.signUp()).client
const visitor = app.client

test('a draft shows nothing to visitors, and everything to its creator', async () => {
  const { id } = await readyScoreQuiz(client, 'Encore secret')
  const { snapshot } = await visitor.taking.snapshot({ id })
  assert.equal(snapshot.quiz.status, 'Brouillon')
  assert.equal(snapshot.quiz.name, '')
  const { questions, text_blocks, results, version } = snapshot
  assert.deepEqual([questions, text_blocks, results, version], [[], [], [], null])
  const preview = (await client.taking.snapshot({ id, preview: '1' })).snapshot
  assert.equal(preview.quiz.name, 'Encore secret')
  assert.equal(preview.questions.length, 2)
  await refuses(stranger.taking.snapshot({ id, preview: '1' }), 404, 'not_found')
})

test('visitors see the published version until the next one', async () => {
  const { id, question_id } = await publishedScoreQuiz(client)
  await client.questions.update({ id: question_id, body: { text: 'Votre semaine ?' } })
  const before = (await visitor.taking.snapshot({ id })).snapshot
  assert.deepEqual([before.version, before.questions[0]?.text], [1, 'Votre agenda ?'])
  await client.quizzes.publish({ id })
  const now = (await visitor.taking.snapshot({ id })).snapshot
  assert.deepEqual([now.version, now.questions[0]?.text], [2, 'Votre semaine ?'])
})

test('it carries a strong ETag', async () => {
  const { id } = await publishedScoreQuiz(client)
  const url = `/api/v1/quizzes/${id}/snapshot`
  const { headers } = await app.raw({ url })
  const etag = String(headers.etag)
  assert.match(etag, /^"[^"]+"$/)
  const again = await app.raw({ url, headers: { 'if-none-match': etag } })
  assert.deepEqual([again.statusCode, again.body], [304, ''])
  await client.quizzes.update({ id, body: { name: 'Autrement' } })
  await client.quizzes.publish({ id })
  const changed = await app.raw({ url, headers: { 'if-none-match': etag } })
  assert.equal(changed.statusCode, 200)
})

test('a quiz that is not there', () =>
  refuses(
    visitor.taking.snapshot({ id: '00000000-0000-4000-8000-000000000000' }),
    404,
    'not_found',
  ))
