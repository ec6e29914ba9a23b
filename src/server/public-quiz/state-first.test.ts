import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { createBuiltApp } from '#server/testing/app/built-app.ts'
import { postForm } from '#server/testing/network/bodies/post-form.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const app = await createBuiltApp()
after(() => app.close())
const { client } = await app.signUp()

/** Words of the sample quiz that only its content has. */
const CONTENT = /Votre agenda|Rempli|Libre|Où vous écrire|Pas à pas|Grand saut/
const FUTURE = '2900-12-03T08:00:00Z'

type State = { enter: (quiz: SampleQuiz) => Promise<unknown>; code: string }
const update = (quiz: SampleQuiz, body: object) => client.quizzes.update({ id: quiz.id, body })
const STATES: Record<string, State> = {
  unopened: { enter: (quiz) => update(quiz, { opens_at: FUTURE }), code: 'quiz_not_open' },
  closed: {
    enter: (quiz) => update(quiz, { closes_at: '2020-01-01T00:00:00Z' }),
    code: 'quiz_closed',
  },
  withdrawn: {
    enter: (quiz) => update(quiz, { status: 'Brouillon' }),
    code: 'quiz_not_published',
  },
  deleted: { enter: ({ id }) => client.quizzes.remove({ id }), code: 'not_found' },
}

const submit = (quiz: SampleQuiz, answers: object) =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    body: { answers, participant_uuid: randomUUID() },
  })
/** Submissions that say something about the content if they are refused for their replies. */
const wrongReplies = ({ question_id, open_id }: SampleQuiz): object[] => [
  {},
  { [question_id]: randomUUID() },
  { [question_id]: '', [open_id]: 'x' },
  { [randomUUID()]: 'x' },
  Object.fromEntries(Array.from({ length: 50 }, () => [randomUUID(), 'x'])),
]

for (const [name, { enter, code }] of Object.entries(STATES))
  describe(`a quiz that is ${name}`, () => {
    test('refuses a submission for its state, whatever the replies are', async () => {
      const quiz = await publishedScoreQuiz(client)
      const [example = {}] = wrongReplies(quiz)
      assert.equal((await submit(quiz, example)).statusCode, 422, 'the open quiz names the reply')
      await enter(quiz)
      for (const answers of wrongReplies(quiz)) {
        const refused = await submit(quiz, answers)
        assert.equal(refused.json().code, code, JSON.stringify(answers))
        assert.doesNotMatch(refused.body, CONTENT)
      }
    })

    test('says nothing about its content at any public address', async () => {
      const quiz = await publishedScoreQuiz(client)
      const { id, question_id } = quiz
      await enter(quiz)
      const get = (url: string) => app.raw({ method: 'GET', url })
      const replies: [string, LightMyRequestResponse][] = []
      for (const url of [
        `/api/v1/quizzes/${id}/snapshot`,
        `/q/${id}`,
        `/q/${id}?embed=1`,
        `/q/${id}?r=1`,
        `/q/${id}/resultat?version=1&participant=${randomUUID()}&secret=${'x'.repeat(30)}`,
        `/oembed?url=${encodeURIComponent(`${app.config.public_url}/q/${id}`)}`,
      ])
        replies.push([url, await get(url)])
      if (name !== 'closed')
        for (const path of ['?version=1&page=0', '?version=1&page=1', '/resultat?version=1'])
          replies.push([
            path,
            await postForm(app.app, { url: `/q/${id}${path}`, fields: { [question_id]: '' } }),
          ])
      for (const [url, { body }] of replies) assert.doesNotMatch(body, CONTENT, url)
      for (const rank of [1, 2]) {
        const { statusCode, headers } = await get(`/q/${id}/image-1-r${rank}.png`)
        assert.equal(statusCode, 404)
        assert.doesNotMatch(String(headers['content-type']), /image/)
      }
    })
  })

describe('the number of pages', () => {
  test('reports of visits do not tell how many pages an unopened quiz has', async () => {
    const quiz = await publishedScoreQuiz(client)
    const report = (to: number) =>
      app.raw({ method: 'POST', url: `/q/${quiz.id}/visite/1/0/${to}` })
    assert.equal((await report(3)).statusCode, 204)
    await update(quiz, { opens_at: FUTURE })
    for (const step of [1, 2, 3, 4, 90])
      assert.equal((await report(step)).statusCode, 404, `${step}`)
  })
})
