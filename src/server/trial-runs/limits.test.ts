import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp({ RATE_LIMITS: 'on' })
after(() => app.close())

/** Calls until a call is refused. Returns the number of accepted calls and the last answer. */
const untilRefused = async (
  call: () => Promise<{ statusCode: number; headers: Record<string, unknown>; body: string }>,
) => {
  for (let let_in = 0; ; let_in++) {
    const { statusCode, headers, body } = await call()
    if (statusCode === 429) return { let_in, wait: Number(headers['retry-after']), body }
    assert.ok(let_in < 1_000)
  }
}

test('an IP address can submit twenty trial runs a minute, and real responses do not count', async () => {
  const { client } = await app.signUp()
  const quiz = await publishedScoreQuiz(client)
  const { id, question_id, answer_ids, open_id } = quiz
  const { url } = await client.trialRuns.link({ id })
  const token = new URL(url).searchParams.get('test')
  const answers = { [question_id]: answer_ids[1] ?? '', [open_id]: 'camille@exemple.fr' }
  const submit = (below: string) =>
    app.raw({ method: 'POST', url: `/api/v1/quizzes/${id}${below}/submit`, body: { answers } })
  await postForm(app.app, { url: `/q/${id}/test/${token}/resultat?version=1`, fields: answers })
  const { let_in, wait, body } = await untilRefused(() => submit(`/test/${token}`))
  assert.equal(let_in, 19)
  assert.ok(wait > 0)
  assert.match(body, /Trop de requêtes/)
  assert.equal((await submit('')).statusCode, 201)
})

test('trial pages are limited like pages without scripts, and the public page is not', async () => {
  const { client } = await app.signUp()
  const { id } = await publishedScoreQuiz(client)
  const { let_in, body } = await untilRefused(() => app.raw({ url: `/q/${id}?test=x` }))
  assert.ok(let_in >= 200)
  assert.match(body, /Trop de requêtes/)
  assert.equal((await app.raw({ url: `/q/${id}` })).statusCode, 200)
})
