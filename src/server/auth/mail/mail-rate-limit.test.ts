import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { createAuth } from '#server/auth/create-auth.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { startMailCatcher } from '#server/testing/network/mail/mail-catcher.ts'
import { createMailRateLimit } from './mail-rate-limit.ts'

const t = await createTestApp({ AUTH_AUTOCONFIRM: 'false' })
const catcher = await startMailCatcher()
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
  await catcher.close()
  await t.close()
})

/** Creates a fresh auth service with rate limits on. Returns a function that posts to it. */
const limitedApp = (mails_per_hour = 300) => {
  const app = Fastify()
  closers.push(() => app.close())
  const config = {
    ...t.config,
    smtp_url: catcher.url,
    mail_from: 'bonjour@quiz.example',
    rate_limits: true,
    auth: { ...t.config.auth, mails_per_hour },
  }
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

const known = { email: 'ada@example.org', password: 'secret1' }
await t.raw({ method: 'POST', url: '/auth/v1/signup', body: known })
await t.db.updateTable('users').set({ email_confirmed_at: new Date() }).execute()

test('the same mail to one address is limited to one a minute, for known and unknown addresses and from any network', async () => {
  const post = limitedApp()
  for (const { email } of [known, { email: 'nobody@example.org' }])
    for (const path of ['/recover', '/otp', '/resend']) {
      const body = { email, type: 'signup' }
      assert.equal((await post(path, body)).status, 200, `${path} ${email}`)
      const again = await post(path, { ...body, email: email.toUpperCase() }, '203.0.113.8')
      assert.equal(again.status, 429)
      assert.equal(again.body.code, 'over_email_send_rate_limit')
      assert.match(
        again.body.message,
        /^For security purposes, you can only request this after \d+ seconds\.$/,
      )
      assert.ok(Number(again.headers['retry-after']) > 50)
    }
})

test('a second sign-up within a minute is refused for confirmed and new addresses alike', async () => {
  const post = limitedApp()
  for (const email of [known.email, 'new@example.org']) {
    const account = { email, password: 'secret1' }
    const statuses = [await post('/signup', account), await post('/signup', account)]
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [200, 429],
    )
  }
})

/** Returns the answers to mail requests of one network for different addresses. */
const askFrom = async (post: ReturnType<typeof limitedApp>, network: string, calls: number) => {
  const answers: string[] = []
  for (let call = 0; call < calls; call += 1) {
    const email = `${network.replaceAll(':', '-')}.${call}@example.org`
    // The paths alternate because each path also has its own limit.
    const { body } = await post(call % 2 === 0 ? '/recover' : '/otp', { email }, network)
    answers.push(body.code ?? 'asked')
  }
  return answers
}
const times = (count: number) => Array<string>(count).fill('asked')
const TOO_SOON = 'over_email_send_rate_limit'

test('each network can request a tenth of the hourly mails', async () => {
  const post = limitedApp(300)
  assert.deepEqual(await askFrom(post, '203.0.113.7', 31), [...times(30), TOO_SOON])
  assert.deepEqual(await askFrom(post, '2001:db8:1:2::1', 30), times(30))
  assert.deepEqual(await askFrom(post, '2001:db8:1:2:3::1', 1), [TOO_SOON], 'the same /64')
  assert.deepEqual(await askFrom(post, '2001:db8:1:3::1', 1), [TOO_SOON], 'the same /48')
  assert.deepEqual(await askFrom(post, '2001:db8:2:2::1', 1), times(1), 'another /48')
  assert.deepEqual(await askFrom(post, '203.0.113.8', 1), times(1))
})

test('a third of the mails is reserved for known accounts, and the answer does not reveal unknown addresses', async () => {
  const post = limitedApp(30)
  for (const network of ['203.0.113.7', '203.0.113.8']) await askFrom(post, network, 10)
  const network = '203.0.113.9'
  const stranger = { email: 'stranger@example.org', password: 'secret1' }
  const [forKnown, forStranger] = [
    await post('/otp', { email: known.email }, network),
    await post('/otp', { email: stranger.email }, network),
  ]
  assert.deepEqual([forKnown.status, forKnown.body], [200, {}])
  assert.deepEqual([forStranger.status, forStranger.body], [200, {}])
  assert.ok((await catcher.next(known.email)).link)
  const asked = t.db.selectFrom('mail_jobs').select('id').where('email', '=', stranger.email)
  assert.deepEqual(await asked.execute(), [])
  assert.equal((await post('/signup', stranger, network)).status, 429)
})

test('the limit on all mails refuses known and unknown addresses alike', async () => {
  const { check } = createMailRateLimit(true, 30)
  const ask = (number: number, isKnown: boolean) =>
    check({
      kind: 'recovery',
      pause_key: `${isKnown} ${number}`,
      network: String(number),
      isKnown: async () => isKnown,
    })
  for (let number = 0; number < 20; number += 1) assert.equal(await ask(number, false), true)
  assert.equal(await ask(20, false), false)
  for (let number = 0; number < 10; number += 1) assert.equal(await ask(number, true), true)
  for (const isKnown of [true, false])
    await assert.rejects(ask(30, isKnown), { status: 429, code: TOO_SOON })
})

test('a recipient gets at most twenty mails an hour, of which one network can request at most half', async () => {
  const { check } = createMailRateLimit(true, 300)
  const ask = (number: number, network: string) =>
    check({
      kind: 'email_change',
      pause_key: `account ${number}`,
      recipient: 'ada@example.org',
      network,
      isKnown: async () => true,
    })
  const tooSoon = { status: 429, code: TOO_SOON }
  for (let number = 0; number < 10; number += 1) await ask(number, 'a')
  await assert.rejects(ask(10, 'a'), tooSoon)
  for (let number = 20; number < 30; number += 1) await ask(number, 'b')
  await assert.rejects(ask(30, 'c'), tooSoon)
})

test('an IP address has a burst of thirty calls for each kind of mail request or verification', async () => {
  const post = limitedApp()
  const refused = async (path: string, body: object) => {
    const all = await Promise.all(Array.from({ length: 31 }, () => post(path, body)))
    return all.filter(({ body }) => body.code === 'over_request_rate_limit').length
  }
  for (const path of ['/otp', '/recover', '/resend', '/verify', '/sso'])
    assert.equal(await refused(path, {}), 1, path)
  assert.equal((await post('/verify', {}, '203.0.113.8')).status, 400)
})
