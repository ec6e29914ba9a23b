import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { createTestApp } from '#server/testing/app/test-app.ts'

const t = await createTestApp()
after(() => t.close())

const CURRENT = { 'x-supabase-api-version': '2024-01-01' }

const call = async (method: 'GET' | 'POST' | 'PUT', path: string, more: InjectOptions = {}) => {
  const reply = await t.app.inject({ method, url: `/auth/v1${path}`, ...more })
  const body = reply.payload === '' ? undefined : reply.json()
  return { status: reply.statusCode, headers: reply.headers, body }
}

let accounts = 0
const signUp = async () => {
  accounts += 1
  const account = { email: `createur${accounts}@example.org`, password: 'secret1' }
  const { body } = await call('POST', '/signup', { body: account })
  return { account, authorization: `Bearer ${body.access_token}`, session: body }
}
const wrongSignIn = (headers: Record<string, string>) =>
  call('POST', '/token?grant_type=password', {
    headers,
    body: { email: 'nobody@example.org', password: 'secret1' },
  })

test('an error has the fields code and message if the caller sends a current API version, and the answer states the version', async () => {
  const expected = { code: 'invalid_credentials', message: 'Invalid login credentials' }
  for (const version of ['2024-01-01', '2025-06-30']) {
    const { status, headers, body } = await wrongSignIn({ 'x-supabase-api-version': version })
    assert.equal(status, 400)
    assert.equal(headers['x-supabase-api-version'], '2024-01-01')
    assert.deepEqual(body, expected)
  }
})

test('an error has the fields code, error_code and msg if the caller sends no API version, an old one or an invalid one', async () => {
  const expected = {
    code: 400,
    error_code: 'invalid_credentials',
    msg: 'Invalid login credentials',
  }
  const olds: Record<string, string>[] = [
    {},
    { 'x-supabase-api-version': '2023-12-31' },
    { 'x-supabase-api-version': 'zz' },
  ]
  for (const old of olds) {
    const { status, headers, body } = await wrongSignIn(old)
    assert.equal(status, 400)
    assert.equal(headers['x-supabase-api-version'], undefined)
    assert.deepEqual(body, expected)
  }
})

test('the refusal of a weak password states the reasons in both error formats', async () => {
  const weak = { body: { email: 'ada@example.org', password: '12345' } }
  const current = await call('POST', '/signup', { ...weak, headers: CURRENT })
  assert.deepEqual(current.body, {
    code: 'weak_password',
    message: 'Password should be at least 6 characters.',
    weak_password: { reasons: ['length'] },
  })
  const old = await call('POST', '/signup', weak)
  assert.deepEqual(old.body.weak_password, { reasons: ['length'] })
  assert.deepEqual([old.status, old.body.code, old.body.error_code], [422, 422, 'weak_password'])
})

test('a token answer and a user are plain objects, and caches must not store them', async () => {
  const { session, authorization } = await signUp()
  assert.deepEqual(Object.keys(session).sort(), [
    'access_token',
    'expires_at',
    'expires_in',
    'refresh_token',
    'token_type',
    'user',
  ])
  assert.ok(Math.abs(session.expires_at - (Date.now() / 1000 + 3600)) < 5)
  const { status, headers, body } = await call('GET', '/user', { headers: { authorization } })
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['content-type']), /^application\/json; charset=utf-8$/)
  assert.deepEqual(body, session.user)
  assert.ok(!JSON.stringify(body).includes('argon2'))
  assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('a POST with a JSON content type and no body is accepted, and a sign-out answers an empty 204', async () => {
  const { authorization } = await signUp()
  const headers = { authorization, 'content-type': 'application/json;charset=UTF-8' }
  const out = await call('POST', '/logout?scope=local', { headers })
  assert.deepEqual([out.status, out.body], [204, undefined])
  const again = await call('POST', '/logout', { headers: { ...headers, ...CURRENT } })
  assert.deepEqual([again.status, again.body.code], [403, 'session_not_found'])
})

test('signing out with an unknown scope ends no session', async () => {
  const { authorization } = await signUp()
  const headers = { authorization, ...CURRENT }
  for (const query of ['?scope=everyone', '?scope=', '?scope=local&scope=global']) {
    const { status, body } = await call('POST', `/logout${query}`, { headers })
    assert.deepEqual([status, body.code], [400, 'validation_failed'], query)
  }
  assert.equal((await call('GET', '/user', { headers })).status, 200)
})

test('the published keys are public, only verify, and can be cached for ten minutes', async () => {
  const { headers, body } = await call('GET', '/.well-known/jwks.json')
  assert.equal(headers['cache-control'], 'public, max-age=600')
  const [{ x, y, kid, ...key }, ...others] = body.keys
  assert.deepEqual(others, [])
  assert.ok(x && y && kid)
  assert.deepEqual(key, {
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    use: 'sig',
    key_ops: ['verify'],
  })
})

test('the discovery document gives the issuer of the tokens and the URL of the keys', async () => {
  const { status, headers, body } = await call('GET', '/.well-known/openid-configuration')
  assert.deepEqual([status, headers['cache-control']], [200, 'public, max-age=600'])
  const { session } = await signUp()
  const claims = JSON.parse(
    Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString(),
  )
  assert.equal(body.issuer, claims.iss)
  assert.equal(body.jwks_uri, `${claims.iss}/.well-known/jwks.json`)
  assert.deepEqual(body.id_token_signing_alg_values_supported, ['ES256'])
  assert.deepEqual(body.subject_types_supported, ['public'])
  for (const name of body.claims_supported) assert.ok(name in claims, name)
  // The issuer alone is enough to find the keys and verify a token.
  const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const found = new URL(body.jwks_uri).pathname
  const keys = createRemoteJWKSet(new URL(found, origin))
  const verified = await jwtVerify(session.access_token, keys, { issuer: body.issuer })
  assert.equal(verified.payload.sub, session.user.id)
})

test('a refusal has its error code in a header too, for every API version', async () => {
  for (const headers of [{}, CURRENT]) {
    const wrong = await wrongSignIn(headers)
    assert.equal(wrong.headers['x-sb-error-code'], 'invalid_credentials')
    const weak = await call('POST', '/signup', {
      headers,
      body: { email: 'faible@example.org', password: '1' },
    })
    assert.equal(weak.headers['x-sb-error-code'], 'weak_password')
    const unknown = await call('GET', '/nowhere', { headers })
    assert.equal(unknown.headers['x-sb-error-code'], 'not_found')
  }
  const good = await call('GET', '/health')
  assert.equal(good.headers['x-sb-error-code'], undefined)
})

test('health and settings need no authentication', async () => {
  const health = await call('GET', '/health')
  assert.deepEqual([health.status, health.body.name], [200, 'GoTrue'])
  const { status, body } = await call('GET', '/settings')
  assert.equal(status, 200)
  assert.deepEqual(body.external, { email: true, phone: false, anonymous_users: false })
  assert.equal(body.disable_signup, false)
  assert.equal(body.mailer_autoconfirm, true)
  assert.equal(body.password_policy, 'spec')
})

test('unknown grants, paths and methods are refused in the error format of the auth API', async () => {
  const unknown = async (method: 'GET' | 'POST' | 'PUT', path: string) => {
    const { status, body } = await call(method, path, { headers: CURRENT })
    return [status, body.code]
  }
  assert.deepEqual(await unknown('POST', '/token'), [400, 'invalid_credentials'])
  assert.deepEqual(await unknown('POST', '/token?grant_type=magic'), [400, 'invalid_credentials'])
  const twice = '/token?grant_type=password&grant_type=refresh_token'
  assert.deepEqual(await unknown('POST', twice), [400, 'invalid_credentials'])
  assert.deepEqual(await unknown('GET', '/nowhere'), [404, 'not_found'])
  assert.deepEqual(await unknown('PUT', '/signup'), [404, 'not_found'])
})

test('an invalid body is refused and creates no account', async () => {
  const json = { ...CURRENT, 'content-type': 'application/json' }
  const refusal = async (payload: string, headers: Record<string, string> = json) => {
    const { status, body } = await call('POST', '/signup', { headers, payload })
    return [status, body.code]
  }
  const account = { email: 'unreadable@example.org', password: 'secret1' }
  const nested = `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`
  const bad = [
    '{',
    '[]',
    '"text"',
    '7',
    JSON.stringify({ ...account, email: 7 }),
    JSON.stringify({ ...account, email: ['unreadable@example.org'] }),
    JSON.stringify({ ...account, password: {} }),
    JSON.stringify({ ...account, password: 'secret1\0' }),
    JSON.stringify({ ...account, password: 'secret1\ud800' }),
    JSON.stringify({ ...account, data: [] }),
    JSON.stringify({ ...account, data: { name: 'a\0' } }),
    JSON.stringify({ ...account, data: { 'a\0': 1 } }),
    JSON.stringify({ ...account, data: { deep: ['\udfff'] } }),
    `{"email":"unreadable@example.org","password":"secret1","data":${nested}}`,
  ]
  for (const payload of bad) assert.deepEqual(await refusal(payload), [400, 'bad_json'], payload)
  const heavy = JSON.stringify({ ...account, data: { note: 'a'.repeat(5000) } })
  assert.deepEqual(await refusal(heavy), [400, 'validation_failed'])
  const huge = JSON.stringify({ ...account, data: { note: 'a'.repeat(20_000) } })
  assert.deepEqual(await refusal(huge), [413, 'request_entity_too_large'])
  const form = { ...CURRENT, 'content-type': 'application/x-www-form-urlencoded' }
  assert.deepEqual(await refusal('email=a&password=b', form), [415, 'bad_json'])
  const made = await t.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', account.email)
    .execute()
  assert.deepEqual(made, [])
})

test('null fields count as absent, and unknown fields are ignored', async () => {
  const { status, body } = await call('POST', '/signup', {
    body: {
      email: 'nulls@example.org',
      password: 'secret1',
      phone: null,
      data: null,
      code_challenge: null,
      gotrue_meta_security: {},
      is_admin: true,
    },
  })
  assert.equal(status, 200)
  assert.ok(!JSON.stringify(body).includes('is_admin'))
  const missing = await call('POST', '/token?grant_type=password', {
    headers: CURRENT,
    body: { email: null, password: 'secret1' },
  })
  assert.deepEqual(missing.body, {
    code: 'validation_failed',
    message: 'missing email or phone',
  })
})

test('metadata accepts any key and has a maximum size, because access tokens contain it', async () => {
  const { authorization } = await signUp()
  const headers = { authorization, ...CURRENT }
  const change = (data: object) => call('PUT', '/user', { headers, body: { data } })
  const odd = await change({ constructorName: 1, toString: 'text', '': 'empty' })
  assert.equal(odd.body.user_metadata.toString, 'text')
  assert.equal((await change({ a: 'a'.repeat(2500) })).status, 200)
  const { status, body } = await change({ b: 'b'.repeat(2500) })
  assert.deepEqual([status, body.code], [400, 'validation_failed'])
  assert.equal((await call('GET', '/user', { headers })).status, 200)
})
