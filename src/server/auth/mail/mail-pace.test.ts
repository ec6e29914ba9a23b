import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { createAuth } from '#server/auth/create-auth.ts'
import { catchMails } from '#server/testing/mail-catcher.ts'
import { createTestApp } from '#server/testing/test-app.ts'

const t = await createTestApp({ AUTH_AUTOCONFIRM: 'false' })
const catcher = await catchMails()
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
  await catcher.close()
  await t.close()
})

/** The auth service alone, with its limits on, as nobody has called it yet. */
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

test('the same mail to one address waits a minute, known or not, from wherever', async () => {
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

test('signing up again within a minute waits too, and a confirmed address tells nothing by it', async () => {
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

test('all mails together have a limit, which unknown addresses use up alike', async () => {
  const post = limitedApp(3)
  const statuses: number[] = []
  for (const name of ['a', 'b', 'c', 'd'])
    statuses.push((await post('/recover', { email: `${name}@example.org` })).status)
  assert.deepEqual(statuses, [200, 200, 200, 429])
})

test('an address on the network may ask thirty times, and try thirty codes', async () => {
  const post = limitedApp()
  const refused = async (path: string, body: object) => {
    const all = await Promise.all(Array.from({ length: 31 }, () => post(path, body)))
    return all.filter(({ body }) => body.code === 'over_request_rate_limit').length
  }
  for (const path of ['/otp', '/recover', '/resend', '/verify', '/sso'])
    assert.equal(await refused(path, {}), 1, path)
  assert.equal((await post('/verify', {}, '203.0.113.8')).status, 400)
})
