import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { RUN_SECRET } from '#server/testing/app/own-pages.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const SITE = 'https://quiz.example'
const app = await createBuiltApp({ PUBLIC_URL: SITE })
after(app.close)
const { client } = await app.signUp()

type Fields = Record<string, string>
const post = (url: string, fields: Fields, headers: Fields = {}) =>
  postForm(app.app, { url, fields, headers })
const SANDBOXED = { origin: 'null', 'sec-fetch-site': 'cross-site' }

test('a form from another site is refused', async () => {
  const { id, question_id, answer_ids } = await publishedScoreQuiz(client)
  const fields = { [question_id]: answer_ids[0] ?? '' }
  const statusOf = async (headers: Fields, query = '') =>
    (await post(`/q/${id}?page=1${query}`, fields, headers)).statusCode
  assert.equal(await statusOf({ 'sec-fetch-site': 'cross-site' }), 403)
  assert.equal(await statusOf({ 'sec-fetch-site': 'cross-site' }, '&embed=1'), 403)
  assert.equal(await statusOf({ 'sec-fetch-site': 'same-site' }), 403)
  assert.equal(await statusOf({ origin: 'https://ailleurs.example' }), 403)
  assert.equal(await statusOf({ origin: 'https://ailleurs.example' }, '&embed=1'), 403)
  assert.equal(await statusOf({ origin: 'null' }), 403)
  assert.equal(await statusOf(SANDBOXED), 403)
  assert.equal(await statusOf({ 'sec-fetch-site': 'same-origin' }), 200)
  assert.equal(await statusOf({ origin: SITE }), 200)
  assert.equal(await statusOf({}), 200)
})

test('a run without scripts in a frame without `allow-same-origin` is stored', async () => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  const fields = { [question_id]: answer_ids[0] ?? '', [open_id]: 'a@b.fr' }
  const page = await post(`/q/${id}?version=1&embed=1&page=1`, fields, SANDBOXED)
  assert.equal(page.statusCode, 200)
  const whole = { ...fields, participant_uuid: randomUUID(), run_secret: RUN_SECRET }
  const end = await post(`/q/${id}/resultat?version=1&embed=1`, whole, SANDBOXED)
  assert.equal(end.statusCode, 303)
  assert.equal((await client.quizzes.get({ id })).quiz.nb_responses, 1)
})
