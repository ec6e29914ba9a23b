import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BASE_PATH } from '#contract/kit/initial-endpoints.ts'
import { ADMIN_ENV, signUpAdministrator } from '#server/testing/app/administrators.ts'
import { contractCalls, validBodies } from '#server/testing/app/contract-calls.ts'
import { createLinkCallUrls } from '#server/testing/app/link-call-urls.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import {
  createMalformedBodies,
  isAlwaysMalformed,
  readFuzzSeeds,
} from '#server/testing/network/bodies/malformed-bodies.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because it sends thousands of random bodies.

/** Address of a closed port, so that calls to vendors reach no one. */
const NOWHERE = 'http://127.0.0.1:9'
const app = await createTestApp({
  BREVO_API_URL: NOWHERE,
  SYSTEMEIO_API_URL: NOWHERE,
  ...ADMIN_ENV,
})
after(() => app.close())

let creator: SignedUp
let quiz: SampleQuiz
/** Writes addresses with valid tokens, because the body of a call with a link is read only with one. */
let urlOf: Awaited<ReturnType<typeof createLinkCallUrls>>
before(async () => {
  // Calls of administrators read the body of an administrator only.
  creator = await signUpAdministrator(app)
  quiz = await publishedScoreQuiz(creator.client)
  urlOf = await createLinkCallUrls(app, creator, quiz)
})

const AT_RANDOM = 20
/** A visitor is served after every so many bodies. */
const VISIT_EVERY = 40
const MAX_DURATION_MS = 5_000
const INTERNALS =
  /\bat \/|node_modules|\/src\/|select |insert |update |syntax error|stack|kysely|postgres/i

let sent = 0
const visit = async (): Promise<void> => {
  const { statusCode } = await app.raw({ url: `${BASE_PATH}/quizzes/${quiz.id}/snapshot` })
  assert.equal(statusCode, 200)
}

const fuzz = async (
  { method, url }: { method: string; url: () => string },
  good: unknown,
  refuses: number[],
): Promise<void> => {
  for (const seed of readFuzzSeeds())
    for (const body of createMalformedBodies(good, seed, AT_RANDOM)) {
      const answer = await app.raw({
        method: method as 'POST',
        url: url(),
        headers: {
          authorization: `Bearer ${creator.access_token}`,
          'content-type': 'application/json',
          ...body.headers,
        },
        payload: body.payload,
        signal: AbortSignal.timeout(MAX_DURATION_MS),
      })
      const what = `${body.name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`
      assert.ok(answer.statusCode < 500, what)
      assert.doesNotMatch(answer.body, INTERNALS, what)
      if (isAlwaysMalformed(body)) assert.ok(refuses.includes(answer.statusCode), what)
      if (++sent % VISIT_EVERY === 0) await visit()
    }
}

/** Calls that delete the account, or ask a vendor that is unreachable (503). */
const LEFT_OUT = [
  'account.remove',
  'integrations.saveBrevo',
  'integrations.saveSystemio',
  'deliveries.test',
]

describe('malformed bodies', () => {
  for (const [name, endpoint] of contractCalls.filter(([, { body }]) => body))
    if (!LEFT_OUT.includes(name))
      test(`the call ${name} refuses a malformed body without side effects`, async () => {
        const good = validBodies(quiz)[name]
        const { method } = endpoint
        await fuzz({ method, url: () => urlOf(endpoint) }, good, [400, 413, 415, 422])
      })

  const email = 'ada@example.org'
  const password = 'secret1'
  const auth: Record<string, object> = {
    '/signup': { email, password, data: { name: 'Ada' } },
    '/token?grant_type=password': { email, password },
    '/token?grant_type=refresh_token': { refresh_token: 'abc' },
    '/recover': { email },
    '/resend': { type: 'signup', email },
    '/otp': { email, create_user: false },
    '/verify': { type: 'signup', email, token: '123456' },
    '/factors': { factor_type: 'totp', friendly_name: 'Téléphone' },
  }
  for (const [path, good] of Object.entries(auth))
    test(`/auth/v1${path} refuses a malformed body without side effects`, () =>
      fuzz({ method: 'POST', url: () => `/auth/v1${path}` }, good, [400, 413, 415, 422]))
})

test('the test sends enough malformed bodies to find most mistakes', () => {
  assert.ok(sent >= 780 * readFuzzSeeds().length, `${sent} bodies`)
})
