import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAX_CALL_BODY_BYTES } from '#contract/kit/endpoint.ts'
import { ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { callUrl, contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { createLinkCallUrls } from '#server/testing/app/link-call-urls.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { createInvalidBodies } from '#server/testing/network/bodies/invalid-bodies.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Runs in test:all, because it repeats its rule for every call of the contract.

const app = await createTestApp(ADMIN_ENV)
after(() => app.close())

let creator: SignedUp
let quiz: SampleQuiz
/** Writes addresses with valid tokens, which are verified before the body is read. */
let urlOf: Awaited<ReturnType<typeof createLinkCallUrls>>
before(async () => {
  // Calls of administrators read the body of an administrator only.
  creator = await signUpAdministrator(app)
  quiz = await publishedScoreQuiz(creator.client)
  urlOf = await createLinkCallUrls(app, creator, quiz)
})

/** Returns all stored data of the quiz and the number of quizzes. */
const stored = async () => {
  const { client } = creator
  return [
    await client.quizzes.get({ id: quiz.id }),
    await client.questions.unified({ id: quiz.id }),
    (await client.quizzes.list()).quizzes.length,
  ]
}
const send = (
  method: string,
  url: string,
  { payload, type = 'application/json' }: { payload: string; type?: string },
) =>
  app.raw({
    method: method as 'POST',
    url,
    headers: { authorization: `Bearer ${creator.access_token}`, 'content-type': type },
    payload,
  })
type Answer = Awaited<ReturnType<typeof send>>

/**
 * Checks that a call is refused with this status, in French and in the form of product 13.5, without technical details.
 */
const expectRefusal = (answer: Answer, status: number, what: string): void => {
  assert.equal(answer.statusCode, status, `${what}: ${answer.statusCode} ${answer.body}`)
  const body = answer.json<Record<string, unknown>>()
  assert.deepEqual([typeof body.error, typeof body.code], ['string', 'string'], what)
  assert.doesNotMatch(String(body.error).replace(FIELD, ''), ENGLISH, what)
  assert.doesNotMatch(answer.body, /\bat \/|node_modules|select |insert |stack/i, what)
}

/** The name of the field is an identifier, not a sentence. */
const FIELD = /^Champ « [\w.]+ » : /
const ENGLISH = /\b(?:invalid|expected|received|required|must|not|too|request|error|url)\b/i

const writes = contractCalls.filter(([, { method }]) => method !== 'GET')

describe('wrong bodies', () => {
  // Calls with raw bytes are tested in images/refused-images.test.ts.
  for (const [name, endpoint] of writes.filter(([, { body, body_types }]) => body && !body_types)) {
    test(`the call ${name} refuses each wrong body and changes nothing`, async () => {
      const url = urlOf(endpoint)
      const good = validBodies(quiz)[name]
      assert.ok(good && endpoint.body?.safeParse(good).success, `${name} has a good body`)
      const before = await stored()
      const wrong = createInvalidBodies(endpoint.body, good)
      assert.ok(wrong.length >= 5, `${wrong.length} wrong bodies`)
      for (const { name: what, body } of wrong)
        expectRefusal(
          await send(endpoint.method, url, { payload: JSON.stringify(body) }),
          422,
          what,
        )
      for (const payload of ['{', '{"name": }', '"\xff', '['.repeat(100), ''])
        expectRefusal(await send(endpoint.method, url, { payload }), 400, payload)
      const payload = JSON.stringify(good)
      expectRefusal(await send(endpoint.method, url, { payload, type: 'text/plain' }), 415, 'text')
      const large = ' '.repeat((endpoint.max_body_bytes ?? MAX_CALL_BODY_BYTES) + 1)
      expectRefusal(await send(endpoint.method, url, { payload: large }), 413, 'too large')
      assert.deepEqual(await stored(), before)
    })
  }
})

describe('wrong ids in a path', () => {
  const wrongIds = [
    '0',
    'undefined',
    "'; drop table quizzes; --",
    '00000000-0000-4000-8000-00000000000',
  ]
  for (const [name, endpoint] of contractCalls.filter(([, { path }]) => path.includes('{')))
    test(`the call ${name} answers 404 to an invalid id`, async () => {
      for (const id of wrongIds) {
        const nothing = { ...quiz, id, question_id: id, answer_ids: [id], result_ids: [id] }
        const url = callUrl(endpoint, nothing).replace(` `, '%20')
        const payload = JSON.stringify(validBodies(quiz)[name] ?? {})
        expectRefusal(await send(endpoint.method, encodeURI(url), { payload }), 404, id)
      }
    })

  testInAll('a path that cannot be decoded or is too long is a 404', async () => {
    for (const id of ['%', '%E0%A4%A', '%ff', '%00', '%2e%2e%2f', 'a'.repeat(1_000)])
      for (const [name, endpoint] of contractCalls.filter(([, { path }]) => path.includes('{'))) {
        const nothing = { ...quiz, id, question_id: id, answer_ids: [id], result_ids: [id] }
        const payload = JSON.stringify(validBodies(quiz)[name] ?? {})
        const answer = await send(endpoint.method, callUrl(endpoint, nothing), { payload })
        expectRefusal(answer, 404, `${endpoint.method} ${endpoint.path} ${id.slice(0, 20)}`)
      }
  })
})
