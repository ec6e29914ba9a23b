import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import Fastify from 'fastify'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { createAuth } from './create-auth.ts'

const t = await createTestApp()
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
  await t.close()
})
// The clock is fixed because allowances grow with time, and calls can be slow on a busy machine.
mock.timers.enable({ apis: ['Date'], now: Date.now() })

/** Creates a fresh auth service with rate limits on. Returns a function that posts to it. */
const limitedApp = () => {
  const app = Fastify()
  closers.push(() => app.close())
  const config = { ...t.config, rate_limits: true }
  createAuth({ db: t.db, config, log: app.log, secretKey: t.config.secret_key ?? '' }).register(app)
  return async (path: string, body: object, remoteAddress = '203.0.113.7') => {
    const reply = await app.inject({
      method: 'POST',
      url: `/auth/v1${path}`,
      headers: { 'x-supabase-api-version': '2024-01-01' },
      remoteAddress,
      body,
    })
    return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
  }
}

const PASSWORD = '/token?grant_type=password'
const REFRESH = '/token?grant_type=refresh_token'
const account = { email: 'ada@example.org', password: 'secret1' }
await t.app.inject({ method: 'POST', url: '/auth/v1/signup', body: account })

test('an IP address must wait after five wrong passwords, while the owner can sign in from another IP address', async () => {
  const post = limitedApp()
  const wrong = { ...account, password: 'wrong' }
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal((await post(PASSWORD, wrong)).body.code, 'invalid_credentials')
  const { status, headers, body } = await post(PASSWORD, wrong)
  assert.equal(status, 429)
  assert.equal(headers['retry-after'], '60')
  assert.deepEqual(body, {
    code: 'over_request_rate_limit',
    message: 'Request rate limit reached',
  })
  assert.equal((await post(PASSWORD, account)).status, 429, 'the right one is not tried either')
  const capitals = { ...wrong, email: 'ADA@example.org' }
  assert.equal((await post(PASSWORD, capitals)).status, 429, 'it is the same account')
  assert.equal((await post(PASSWORD, account, '203.0.113.8')).status, 200)
})

testInAll('an unknown email address is limited exactly like a known email address', async () => {
  const post = limitedApp()
  const statuses: number[] = []
  for (let tries = 0; tries < 6; tries += 1)
    statuses.push((await post(PASSWORD, { ...account, email: 'nobody@example.org' })).status)
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
})

testInAll('concurrent guesses are limited like consecutive ones', async () => {
  const post = limitedApp()
  const guesses = Array.from({ length: 25 }, (_, index) =>
    post(PASSWORD, { ...account, password: `guess${index}` }),
  )
  const tried = (await Promise.all(guesses)).filter(({ status }) => status === 400)
  // Two passwords are hashed concurrently, so a sixth can already run when the fifth fails.
  assert.ok(tried.length <= 6, `${tried.length} were tried`)
})

testInAll('concurrent sign-ins with the correct password all succeed', async () => {
  const post = limitedApp()
  const all = await Promise.all(Array.from({ length: 12 }, () => post(PASSWORD, account)))
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]))
})

test('each IP address has a burst of 30 sign-ins and 30 sign-ups', async () => {
  const post = limitedApp()
  const statuses = async (path: string, body: object) => {
    const all = await Promise.all(Array.from({ length: 31 }, () => post(path, body)))
    return all.map(({ status }) => status)
  }
  const refused = (list: number[]) => list.filter((status) => status === 429).length
  assert.equal(refused(await statuses(PASSWORD, {})), 1)
  assert.equal(refused(await statuses('/signup', {})), 1)
  assert.equal((await post(PASSWORD, {})).headers['retry-after'], '2')
  assert.equal((await post('/signup', {})).headers['retry-after'], '10')
  assert.equal((await post(PASSWORD, {}, '203.0.113.8')).status, 400)
})

test('all networks of one IPv6 site share a limit', async () => {
  const post = limitedApp()
  const all = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      post(PASSWORD, {}, `2001:db8:5:${index.toString(16)}::1`),
    ),
  )
  assert.equal(all.filter(({ status }) => status === 429).length, 60)
})

test('token refreshes have a separate, higher limit', async () => {
  const post = limitedApp()
  for (let calls = 0; calls < 31; calls += 1) await post(PASSWORD, {})
  assert.equal((await post(PASSWORD, {})).status, 429)
  const all = await Promise.all(Array.from({ length: 100 }, () => post(REFRESH, {})))
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([400]))
})

test('no call is limited when rate limits are disabled', async () => {
  const wrong = { ...account, password: 'wrong' }
  const url = `/auth/v1${PASSWORD}`
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => t.app.inject({ method: 'POST', url, body: wrong })),
  )
  assert.deepEqual(new Set(replies.map(({ statusCode }) => statusCode)), new Set([400]))
})
