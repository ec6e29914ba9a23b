import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { formatApiKey } from '#domain/accounts/api-key.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'

const app = await createTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' })
after(() => app.close())
// The clock is fixed because allowances grow with time, and calls can be slow on a busy machine.
mock.timers.enable({ apis: ['Date'], now: Date.now() })

const newKey = async ({ client }: SignedUp) =>
  (
    await client.apiKeys.create({
      body: { name: 'Tableur', scope: 'lecture', expires_in_days: null },
    })
  ).secret

const ask = (bearer: string, from: string) =>
  app.raw({
    url: '/api/v1/images/usage',
    headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': from },
  })
const countOf = async (asked: ReturnType<typeof ask>[]) => {
  const answers = await Promise.all(asked)
  const of = (status: number) => answers.filter(({ statusCode }) => statusCode === status)
  return { let_in: of(200).length, refused: of(401).length, held: of(429) }
}

test('each key has its own burst of 60 calls, from any network address', async () => {
  const creator = await app.signUp()
  const [key, other] = [await newKey(creator), await newKey(creator)]
  // The first call lets the process know that the key is valid.
  assert.equal((await ask(key, '203.0.113.1')).statusCode, 200)
  const addresses = Array.from({ length: 80 }, (_, index) => `203.0.113.${10 + (index % 2)}`)
  const { let_in, held } = await countOf(addresses.map((from) => ask(key, from)))
  assert.equal(let_in, 60)
  assert.match(String(held[0]?.headers['retry-after']), /^[1-9]\d*$/)
  assert.equal((await ask(other, '203.0.113.10')).statusCode, 200, 'another key is not concerned')
  assert.equal((await ask(creator.access_token, '203.0.113.10')).statusCode, 200, 'nor a session')
})

test('invented keys are limited by network address and do not block a valid key', async () => {
  const key = await newKey(await app.signUp())
  const from = '203.0.113.40'
  assert.equal((await ask(key, from)).statusCode, 200)
  const madeUp = Array.from({ length: 140 }, (_, index) =>
    formatApiKey(String(index).padStart(34, 'a')),
  )
  const { refused, held } = await countOf(madeUp.map((key) => ask(key, from)))
  assert.ok(refused <= 120 && held.length >= 20, `${refused} ${held.length}`)
  assert.equal((await ask(key, from)).statusCode, 200)
  assert.equal((await ask(formatApiKey('b'.repeat(34)), '203.0.113.41')).statusCode, 401)
})
