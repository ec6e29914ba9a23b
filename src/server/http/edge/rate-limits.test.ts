import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, mock, test } from 'node:test'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const app = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' })
after(() => app.close())
// Time is mocked, because allowances grow with it and these calls take long on a slow machine.
mock.timers.enable({ apis: ['Date'], now: Date.now() })

let creator: SignedUp
let quizzes: SampleQuiz[]
before(async () => {
  creator = await app.signUp()
  quizzes = [await publishedScoreQuiz(creator.client), await publishedScoreQuiz(creator.client)]
})

/** Makes calls at once and returns the number admitted and the last refusal. */
const callTogether = async (count: number, call: () => ReturnType<typeof app.raw>) => {
  const answers = await Promise.all(Array.from({ length: count }, call))
  const refused = answers.filter(({ statusCode }) => statusCode === 429)
  const [answer] = refused.slice(-1)
  assert.ok(answer, 'Nothing was refused')
  return { let_in: count - refused.length, answer }
}

const submit = (quiz: SampleQuiz, from: string) =>
  app.raw({
    method: 'POST',
    url: `/api/v1/quizzes/${quiz.id}/submit`,
    headers: { 'x-forwarded-for': from },
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[0], [quiz.open_id]: 'camille@exemple.fr' },
    },
  })

describe('the rate limits of one network address', () => {
  const [one, two] = ['203.0.113.1', '203.0.113.2']

  test('one address may submit for four classes at once to a quiz, and must then wait', async () => {
    const [quiz, other] = quizzes as [SampleQuiz, SampleQuiz]
    const { let_in, answer } = await callTogether(240, () => submit(quiz, one))
    assert.equal(let_in, 120)
    assert.deepEqual(answer.json(), {
      error: 'Trop de requêtes : réessayez dans un instant',
      code: 'too_many_requests',
    })
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal((await submit(other, one)).statusCode, 201, 'another quiz is not concerned')
    assert.equal((await submit(quiz, two)).statusCode, 201, 'nor is another address')
  })

  test('the limited address is the one that the proxy saw, whatever the client forwarded', async () => {
    const [quiz] = quizzes as [SampleQuiz]
    let caller = 0
    const call = () => submit(quiz, `198.51.100.${++caller}, 203.0.113.3`)
    const { let_in } = await callTogether(240, call)
    assert.equal(let_in, 120)
  })

  test('one address has one allowance for a quiz in every spelling of its id', async () => {
    const [quiz] = quizzes as [SampleQuiz]
    const shouted = { ...quiz, id: quiz.id.toUpperCase() }
    const from = '203.0.113.5'
    let calls = 0
    const call = () => submit(calls++ % 2 ? quiz : shouted, from)
    const { let_in } = await callTogether(400, call)
    assert.equal(let_in, 120)
  })

  test('one address has one allowance, whatever port its proxy appends', async () => {
    const [quiz] = quizzes as [SampleQuiz]
    let port = 1024
    const { let_in } = await callTogether(240, () => submit(quiz, `203.0.113.7:${port++}`))
    assert.equal(let_in, 120)
    const { let_in: ipv6 } = await callTogether(240, () => submit(quiz, `[2001:db8::7]:${port++}`))
    assert.equal(ipv6, 120)
  })

  testInAll('one address has a limit for all quizzes together', async () => {
    const [quiz] = quizzes as [SampleQuiz]
    const call = () => submit({ ...quiz, id: randomUUID() }, '203.0.113.6')
    const { let_in } = await callTogether(900, call)
    assert.equal(let_in, 600)
  })

  testInAll(
    'one address may send twenty megabytes of replies, and a class of normal size never notices',
    async () => {
      const [quiz] = quizzes as [SampleQuiz]
      const heavy = (from: string) =>
        app.raw({
          method: 'POST',
          url: `/api/v1/quizzes/${quiz.id}/submit`,
          headers: { 'x-forwarded-for': from },
          body: { answers: { [quiz.question_id]: 'é'.repeat(125_000) } },
        })
      const statuses: number[] = []
      for (let call = 0; call < 100; call++) statuses.push((await heavy('203.0.113.60')).statusCode)
      const nb_read = statuses.filter((status) => status === 422).length
      assert.ok(nb_read >= 70 && nb_read <= 80, `${nb_read} bodies of 250 kB`)
      assert.deepEqual([...new Set(statuses)], [422, 429])
      const last = await heavy('203.0.113.60')
      assert.ok(Number(last.headers['retry-after']) > 5)
      assert.equal((await submit(quiz, '203.0.113.61')).statusCode, 201)
    },
  )

  test('a body whose length is not announced counts as the largest one', async () => {
    const [quiz] = quizzes as [SampleQuiz]
    const body = Buffer.from(JSON.stringify({ answers: {} }))
    const statuses = new Set<number>()
    for (let call = 0; call < 30; call++) {
      const { statusCode } = await app.raw({
        method: 'POST',
        url: `/api/v1/quizzes/${quiz.id}/submit`,
        headers: {
          'x-forwarded-for': '203.0.113.62',
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        },
        payload: Readable.from([body]),
      })
      statuses.add(statusCode)
    }
    assert.ok(statuses.has(429), [...statuses].join())
  })

  test('one address may read a public quiz often', async () => {
    const [quiz] = quizzes as [SampleQuiz]
    const url = `/api/v1/quizzes/${quiz.id}/snapshot`
    const headers = { 'x-forwarded-for': '203.0.113.4' }
    const { let_in } = await callTogether(400, () => app.raw({ url, headers }))
    assert.equal(let_in, 300)
  })

  test('one address may read shared figures twice a second over all links', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' }
    let calls = 0
    const call = () =>
      app.raw({ url: `/api/v1/shared-statistics/${`${calls++}`.padStart(24, 'a')}`, headers })
    const { let_in } = await callTogether(200, call)
    assert.equal(let_in, 120)
  })
})

describe('the rate limits of a creator', () => {
  const list = (authorization: string, from = '203.0.113.20') =>
    app.raw({
      url: '/api/v1/quizzes',
      headers: { authorization, 'x-forwarded-for': from },
    })

  test('a creator is counted by session, separately from others at the same address', async () => {
    const [busy, other] = [await app.signUp(), await app.signUp()]
    const { let_in } = await callTogether(240, () => list(`Bearer ${busy.access_token}`))
    assert.equal(let_in, 120)
    assert.equal((await list(`Bearer ${other.access_token}`)).statusCode, 200)
  })

  test('a session has one allowance, whatever the header’s spelling and the address', async () => {
    const { access_token } = await app.signUp()
    const schemes = ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer  ', 'Bearer     ']
    let calls = 0
    const call = () =>
      list(`${schemes[calls++ % schemes.length]}${access_token}`, `198.51.100.${calls % 200}`)
    const { let_in } = await callTogether(400, call)
    assert.equal(let_in, 120)
  })

  test('a caller without a valid token is counted by address', async () => {
    let calls = 0
    const { let_in } = await callTogether(240, () =>
      list(`Bearer made-up-${calls++}`, '203.0.113.21'),
    )
    assert.equal(let_in, 120)
    const site = await callTogether(1200, () =>
      list('Bearer made-up', `2001:db8:8:${(calls++).toString(16)}::1`),
    )
    assert.equal(site.let_in, 960, 'the subnets of a /48 have eight addresses’ allowance together')
  })
})

testInAll(
  'a quiz accepts a limited number of submissions a minute from all addresses',
  async () => {
    const small = await createTestApp({
      RATE_LIMITS: 'on',
      TRUST_PROXY: 'true',
      SUBMIT_PER_QUIZ: '50',
      SUBMIT_PER_ADDRESS: '2',
    })
    try {
      const quiz = await publishedScoreQuiz((await small.signUp()).client)
      let caller = 0
      const call = () =>
        small.raw({
          method: 'POST',
          url: `/api/v1/quizzes/${quiz.id}/submit`,
          headers: { 'x-forwarded-for': `198.51.100.${++caller}` },
          body: { answers: {} },
        })
      const { let_in } = await callTogether(120, call)
      assert.equal(let_in, 50)

      const other = await publishedScoreQuiz((await small.signUp()).client)
      const fromOneSite = () =>
        small.raw({
          method: 'POST',
          url: `/api/v1/quizzes/${other.id}/submit`,
          headers: { 'x-forwarded-for': `2001:db8:7:${(++caller).toString(16)}::1` },
          body: { answers: {} },
        })
      const site = await callTogether(60, fromOneSite)
      assert.equal(site.let_in, 16, 'the subnets of a /48 have eight addresses’ allowance together')
    } finally {
      await small.close()
    }
  },
)
