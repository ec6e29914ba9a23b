import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isForCreators } from '#contract/kit/endpoint.ts'
import { callUrl, contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

const app = await createTestApp()
after(() => app.close())

let owner: SignedUp
let stranger: SignedUp
let quiz: SampleQuiz
before(async () => {
  owner = await app.signUp()
  stranger = await app.signUp()
  quiz = await publishedScoreQuiz(owner.client)
  await publishedScoreQuiz(stranger.client)
})

const call = (name: string, authorization?: string) => {
  const [, endpoint] = contractCalls.find(([candidate]) => candidate === name) ?? []
  assert.ok(endpoint)
  const body = validBodies(quiz)[name]
  return app.raw({
    method: endpoint.method,
    url: callUrl(endpoint, quiz),
    headers: authorization ? { authorization } : {},
    ...(body === undefined ? {} : { body: body as object }),
  })
}
const readQuiz = async () => [
  await owner.client.quizzes.get({ id: quiz.id }),
  await owner.client.questions.unified({ id: quiz.id }),
  await owner.client.statistics.responses({ id: quiz.id }),
]

/** Quiz after the previous call; only the calls of these tests could change it. */
let stored: unknown
before(async () => {
  stored = await readQuiz()
})
const isUnchanged = async (): Promise<void> => {
  const earlier = stored
  stored = await readQuiz()
  assert.deepEqual(stored, earlier)
}

const ofCreators = contractCalls.filter(([, { access }]) => isForCreators(access))

describe('calls on another creator’s quiz', () => {
  for (const [name] of ofCreators.filter(([, { path }]) => path.includes('{')))
    test(`the call ${name} answers 404 on another creator’s quiz`, async () => {
      const answer = await call(name, `Bearer ${stranger.access_token}`)
      assert.equal(answer.statusCode, 404, answer.body)
      assert.equal(answer.json<{ code: string }>().code, 'not_found')
      await isUnchanged()
    })

  test('another creator’s quiz is not listed', async () => {
    const { quizzes } = await stranger.client.quizzes.list()
    assert.ok(quizzes.every(({ id }) => id !== quiz.id))
  })
})

describe('calls without a valid token', () => {
  for (const [name, { access }] of ofCreators)
    test(`the call ${name} is refused without a valid token`, async () => {
      const forged = `${owner.access_token.slice(0, -4)}AAAA`
      for (const authorization of [undefined, 'Bearer x', `Bearer ${forged}`, 'Basic eDp5']) {
        const answer = await call(name, authorization)
        const expected = access === 'administrator' ? 404 : 401
        assert.equal(answer.statusCode, expected, `${authorization}: ${answer.body}`)
      }
      await isUnchanged()
    })
})
