import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const t = await createMailApp({ AUTH_REDIRECT_URLS: 'https://app.example/retour' })
after(() => t.close())
const { catcher, createConfirmedAccount, followLink } = t

const CURRENT = { 'x-supabase-api-version': '2024-01-01' }
const post = async (path: string, more: InjectOptions = {}) => {
  const reply = await t.raw({ method: 'POST', url: `/auth/v1${path}`, ...more })
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() }
}
const CALLS = ['/otp', '/recover', '/resend', '/verify', '/token?grant_type=pkce']

test('every call refuses in both error formats and in JSON', async () => {
  for (const path of CALLS) {
    const now = await post(path, { headers: CURRENT, body: {} })
    assert.equal(now.status, 400, path)
    assert.equal(now.headers['x-supabase-api-version'], '2024-01-01')
    assert.deepEqual(Object.keys(now.body), ['code', 'message'])
    assert.equal(now.body.code, 'validation_failed')
    const old = await post(path, { body: {} })
    assert.equal(old.headers['x-supabase-api-version'], undefined)
    assert.deepEqual(Object.keys(old.body), ['code', 'error_code', 'msg'])
    assert.deepEqual([old.body.code, old.body.msg], [400, now.body.message])
  }
})

test('bodies that are invalid, too large, of another type or missing are refused without a server error', async () => {
  const json = { ...CURRENT, 'content-type': 'application/json' }
  for (const path of CALLS) {
    const refusal = async (payload: string, headers: Record<string, string> = json) => {
      const { status, body } = await post(path, { headers, payload })
      return [status, body.code]
    }
    assert.deepEqual(await refusal('{'), [400, 'bad_json'], path)
    assert.deepEqual(await refusal('[1]'), [400, 'bad_json'], path)
    assert.deepEqual(await refusal('{"email":7,"auth_code":7}'), [400, 'bad_json'], path)
    assert.deepEqual(await refusal('{"email":"a\\u0000@b.fr","auth_code":"\\u0000"}'), [
      400,
      'bad_json',
    ])
    assert.deepEqual(await refusal(`{"email":"${'a'.repeat(40_000)}"}`), [
      413,
      'request_entity_too_large',
    ])
    assert.deepEqual(await refusal('email=a', { ...CURRENT, 'content-type': 'text/plain' }), [
      415,
      'bad_json',
    ])
    assert.deepEqual(await refusal(''), [400, 'validation_failed'], path)
  }
})

test('single sign-on is disabled with its own error code', async () => {
  const { status, body } = await post('/sso', { headers: CURRENT, body: { domain: 'example.org' } })
  assert.equal(status, 404)
  assert.deepEqual(body, { code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' })
})

test('phone numbers are refused in every call', async () => {
  const phone = '33600000000'
  const code = async (path: string, body: object) =>
    (await post(path, { headers: CURRENT, body })).body.code
  assert.equal(await code('/otp', { phone }), 'phone_provider_disabled')
  assert.equal(await code('/resend', { type: 'sms', phone }), 'phone_provider_disabled')
  assert.equal(await code('/otp', { phone, email: 'a@example.org' }), 'validation_failed')
  assert.equal(await code('/otp', { email: 'a@example.org', channel: 'sms' }), 'validation_failed')
})

test('reauthentication requires a session', async () => {
  const { statusCode, body } = await t.raw({ url: '/auth/v1/reauthenticate', headers: CURRENT })
  assert.equal(statusCode, 401)
  assert.equal(JSON.parse(body).code, 'no_authorization')
})

/** Requests a recovery mail and returns the URL to which its link redirects. */
const landing = async (more: InjectOptions, query = '') => {
  const { account } = await createConfirmedAccount()
  const { status } = await post(`/recover${query}`, {
    ...more,
    body: { email: account.email, ...(more.body as object) },
  })
  assert.equal(status, 200)
  const { location } = await followLink((await catcher.next(account.email)).link)
  return location.origin + location.pathname + location.search
}

testInAll(
  'the redirect target is the first allowed one of query, header, body and Referer',
  async () => {
    const home = `${t.config.public_url}/`
    const good = 'https://app.example/retour'
    assert.equal(await landing({}), home)
    assert.equal(
      await landing({}, `?redirect_to=${encodeURIComponent(`${good}?a=1`)}`),
      `${good}?a=1`,
    )
    assert.equal(await landing({ headers: { redirect_to: good } }), good)
    assert.equal(await landing({ body: { redirect_to: good } }), good)
    assert.equal(await landing({ headers: { referer: good } }), good)
    assert.equal(await landing({}, '?redirect_to=https://evil.example'), home)
    const both = { headers: { referer: good } }
    assert.equal(await landing(both, '?redirect_to=https://evil.example'), good)
  },
)

test('a link with an altered target redirects to the home page without the email address', async () => {
  const { account } = await createConfirmedAccount()
  await post('/recover', { body: { email: account.email } })
  const { link } = await catcher.next(account.email)
  const altered = new URL(link)
  altered.searchParams.set('redirect_to', 'https://evil.example/')
  altered.searchParams.set('token', '0'.repeat(56))
  const { status, location } = await followLink(altered.href)
  assert.equal(status, 303)
  assert.equal(location.origin, new URL(t.config.public_url).origin)
  assert.ok(!decodeURIComponent(location.href).includes(account.email))
  altered.searchParams.set('token', new URL(link).searchParams.get('token') ?? '')
  const genuine = await followLink(altered.href)
  assert.equal(genuine.location.origin, new URL(t.config.public_url).origin)
  assert.ok(genuine.fragment.access_token)
})

test('the server answers a malformed link with a redirect and not with a server error', async () => {
  const odd = async (query: string) => {
    const { status, fragment } = await followLink(`${t.config.public_url}/auth/v1/verify?${query}`)
    return [status, fragment.error, fragment.error_code]
  }
  const expired = [303, 'access_denied', 'otp_expired']
  assert.deepEqual(await odd('token=x&type=signup'), expired)
  assert.deepEqual(await odd(`token=${'%00'.repeat(4)}&type=signup`), expired)
  assert.deepEqual(await odd(`token=${'a'.repeat(3000)}&type=signup`), expired)
  assert.deepEqual(await odd('token=x&type=constructor'), [
    303,
    'invalid_request',
    'validation_failed',
  ])
  const twice = await t.raw({ url: '/auth/v1/verify?token=a&token=b&type=signup' })
  assert.equal(twice.statusCode, 400)
})
