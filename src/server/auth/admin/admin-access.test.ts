import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { createJwk, signToken } from '#server/testing/people/service-tokens.ts'

const t = await createAdminApp()
after(() => t.close())
const { createConfirmedAccount, get, service_token: service } = t
const { signing: jwk, shared } = t.keys
const ES = { alg: 'ES256', kid: 'first' }

test('the admin calls accept only a service token', async () => {
  const { session, user } = await createConfirmedAccount()
  const exp = Math.floor(Date.now() / 1000)
  const other = await createJwk('ES256')
  const HS = { alg: 'HS256' }
  const rows: [
    name: string,
    token: string | undefined,
    status: number,
    code: string | undefined,
  ][] = [
    ['nothing', undefined, 401, 'no_authorization'],
    ["a creator's token", session.access_token, 403, 'not_admin'],
    ['no role', await signToken(jwk, {}, ES), 403, 'not_admin'],
    ['anon', await signToken(jwk, { role: 'anon' }, ES), 403, 'not_admin'],
    ['another key', await signToken(other, { role: 'service_role' }, ES), 403, 'bad_jwt'],
    ['ended', await signToken(jwk, { role: 'service_role', exp: exp - 1 }, ES), 403, 'bad_jwt'],
    [
      'unknown kid',
      await signToken(jwk, { role: 'service_role' }, { ...ES, kid: 'x' }),
      403,
      'bad_jwt',
    ],
    ['no kid', await signToken(jwk, { role: 'service_role' }, { alg: 'ES256' }), 403, 'bad_jwt'],
    ['garbage', 'a.b.c', 403, 'bad_jwt'],
    [
      'a session that ended',
      await signToken(
        jwk,
        { role: 'service_role', sub: user.id, session_id: '01890000-0000-7000-8000-000000000000' },
        ES,
      ),
      403,
      'session_not_found',
    ],
    ['supabase_admin', await signToken(jwk, { role: 'supabase_admin' }, ES), 200, undefined],
    ['the shared secret', await signToken(shared, { role: 'service_role' }, HS), 200, undefined],
    [
      'the public key as a secret',
      await signToken(
        {
          kty: 'oct',
          k: Buffer.from(JSON.stringify({ ...jwk, d: undefined })).toString('base64url'),
        },
        { role: 'service_role' },
        { ...HS, kid: 'first' },
      ),
      403,
      'bad_jwt',
    ],
  ]
  for (const [name, token, status, code] of rows) {
    const answer = await get('/admin/users', token && `Bearer ${token}`)
    assert.deepEqual([answer.status, answer.code], [status, code], name)
  }
  for (const [method, path] of [
    ['POST', '/admin/users'],
    ['GET', `/admin/users/${user.id}`],
    ['PUT', `/admin/users/${user.id}`],
    ['DELETE', `/admin/users/${user.id}`],
    ['POST', '/invite'],
    ['POST', '/admin/generate_link'],
  ] as const) {
    const headers = { authorization: `Bearer ${session.access_token}` }
    const reply = await t.raw({
      method,
      url: `/auth/v1${path}`,
      headers,
      ...(method !== 'GET' && { body: {} }),
    })
    assert.deepEqual([reply.statusCode, reply.json().error_code], [403, 'not_admin'], path)
  }
  assert.deepEqual((await get('/user', `Bearer ${service}`)).code, 'bad_jwt')
  const product = await t.raw({
    url: '/api/v1/quizzes',
    headers: { authorization: `Bearer ${service}` },
  })
  assert.equal(product.statusCode, 401)
})
