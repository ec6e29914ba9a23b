import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'

const app = await createTestApp({
  AUTH_PHONE: 'on',
  AUTH_ANONYMOUS: 'on',
  AUTH_MANUAL_LINKING: 'on',
})
after(() => app.close())
const { signUpInTab, openTab } = createAuthClients(
  await app.app.listen({ port: 0, host: '127.0.0.1' }),
)
const { account, session } = await signUpInTab()
const anonymous = await openTab().signInAnonymously()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const mine = bearer(session.access_token)
const nobodys = bearer(anonymous.data.session?.access_token ?? '')

type Row = [
  call: string,
  body: object | undefined,
  status: number,
  code: string,
  headers?: Record<string, string>,
]
const { email, password } = account
const challenge = 'x'.repeat(43)
const id = randomUUID()

/** Refusals by call: method and path, body, expected status, expected code, headers. */
const TABLE: Row[] = [
  ['POST /signup', { email, phone: '33600000001', password }, 400, 'validation_failed'],
  ['POST /signup', { email: 'a' }, 400, 'validation_failed'],
  ['POST /signup', { email: 'a', password }, 400, 'validation_failed'],
  ['POST /signup', { email: 'xx:;x@x.x', password }, 400, 'validation_failed'],
  ['POST /signup', { email: 'b@example.org', password: '12345' }, 422, 'weak_password'],
  ['POST /signup', { email: 'b@example.org', password: 'x'.repeat(73) }, 400, 'validation_failed'],
  ['POST /signup', { phone: '0612', password }, 400, 'validation_failed'],
  [
    'POST /signup',
    { phone: '33600000001', password, code_challenge: challenge, code_challenge_method: 's256' },
    400,
    'validation_failed',
  ],
  ['POST /signup', { email, password }, 422, 'user_already_exists'],
  ['POST /token?grant_type=password', { password }, 400, 'validation_failed'],
  ['POST /token?grant_type=password', { email, phone: '1', password }, 400, 'validation_failed'],
  ['POST /token?grant_type=password', { email }, 400, 'invalid_credentials'],
  ['POST /token?grant_type=password', { email, password: 'x' }, 400, 'invalid_credentials'],
  ['POST /token?grant_type=pkce', { auth_code: id }, 400, 'validation_failed'],
  [
    'POST /token?grant_type=pkce',
    { auth_code: id, code_verifier: challenge },
    404,
    'flow_state_not_found',
  ],
  ['POST /token?grant_type=refresh_token', {}, 400, 'validation_failed'],
  ['POST /token?grant_type=web3', {}, 422, 'web3_provider_disabled'],
  ['POST /token?grant_type=id_token', { provider: 'google' }, 400, 'provider_disabled'],
  ['POST /token?grant_type=magic', {}, 400, 'invalid_credentials'],
  ['POST /otp', {}, 400, 'validation_failed'],
  ['POST /otp', { email, phone: '33600000001' }, 400, 'validation_failed'],
  ['POST /otp', { email, channel: 'sms' }, 400, 'validation_failed'],
  ['POST /otp', { email, code_challenge: challenge }, 400, 'validation_failed'],
  ['POST /otp', { email: 'c@example.org', create_user: false }, 422, 'otp_disabled'],
  ['POST /otp', { phone: '33600000009', create_user: false }, 422, 'otp_disabled'],
  ['POST /verify', { email, token: '123456' }, 400, 'validation_failed'],
  ['POST /verify', { type: 'email', email }, 400, 'validation_failed'],
  ['POST /verify', { type: 'email', email, token_hash: 'x' }, 400, 'validation_failed'],
  ['POST /verify', { type: 'email', token: '123456' }, 400, 'validation_failed'],
  ['POST /verify', { type: 'sms', phone: 'x', token: '123456' }, 400, 'validation_failed'],
  ['POST /verify', { type: 'email', email: 'a', token: '123456' }, 422, 'validation_failed'],
  ['POST /verify', { type: 'email', email, token: '123456' }, 403, 'otp_expired'],
  ['POST /verify', { type: 'signup', token_hash: 'x' }, 403, 'otp_expired'],
  ['GET /verify?type=signup', undefined, 400, 'validation_failed'],
  ['POST /recover', {}, 400, 'validation_failed'],
  ['POST /resend', { type: 'recovery', email }, 400, 'validation_failed'],
  ['POST /resend', { type: 'signup' }, 400, 'validation_failed'],
  ['GET /reauthenticate', undefined, 401, 'no_authorization'],
  ['GET /reauthenticate', undefined, 400, 'validation_failed', nobodys],
  ['GET /user', undefined, 401, 'no_authorization'],
  ['GET /user', undefined, 403, 'bad_jwt', bearer('x.y.z')],
  ['PUT /user', { email: 'a' }, 400, 'validation_failed', mine],
  ['PUT /user', { password: '12345' }, 422, 'weak_password', mine],
  ['PUT /user', { password }, 422, 'same_password', mine],
  ['PUT /user', { app_metadata: { a: 1 } }, 403, 'not_admin', mine],
  ['PUT /user', { password: 'un autre secret' }, 422, 'validation_failed', nobodys],
  ['POST /logout?scope=some', undefined, 400, 'validation_failed', mine],
  ['GET /authorize?provider=nobody', undefined, 400, 'validation_failed'],
  ['POST /sso', { domain: 'example.org' }, 404, 'saml_provider_disabled'],
  ['DELETE /user/identities/x', undefined, 404, 'validation_failed', mine],
  [`DELETE /user/identities/${id}`, undefined, 422, 'single_identity_not_deletable', mine],
  ['POST /factors', { factor_type: 'x' }, 400, 'validation_failed', mine],
  ['POST /factors', { factor_type: 'totp' }, 403, 'no_authorization', nobodys],
  [
    'POST /factors',
    { factor_type: 'phone', phone: '33600000001' },
    422,
    'mfa_phone_enroll_not_enabled',
    mine,
  ],
  ['POST /factors/x/challenge', {}, 404, 'validation_failed', mine],
  [`POST /factors/${id}/challenge`, {}, 404, 'mfa_factor_not_found', mine],
  [`POST /factors/${id}/verify`, { challenge_id: id }, 404, 'mfa_factor_not_found', mine],
  [`DELETE /factors/${id}`, undefined, 404, 'mfa_factor_not_found', mine],
  ['GET /admin/users', undefined, 401, 'no_authorization'],
  ['GET /admin/users', undefined, 403, 'not_admin', mine],
]

test('every refusal has the documented status and error code', async () => {
  for (const [call, body, status, code, headers = {}] of TABLE) {
    const [method = '', path] = call.split(' ')
    const reply = await app.raw({
      method: method as 'GET',
      url: `/auth/v1${path}`,
      headers: { 'x-supabase-api-version': '2024-01-01', ...headers },
      ...(body && { body }),
    })
    const said = `${call} ${JSON.stringify(body)}`
    const answer = reply.json<{ code: string; message: string }>()
    assert.deepEqual([reply.statusCode, answer.code], [status, code], said)
    assert.equal(typeof answer.message, 'string', said)
    assert.equal(reply.headers['x-supabase-api-version'], '2024-01-01', said)
  }
})

test('every success is JSON, even without content', async () => {
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    app.raw({ method, url: `/auth/v1${path}`, headers: mine, ...(body && { body }) })
  const replies = await Promise.all([
    call('POST', '/recover', { email }),
    call('POST', '/recover', { email: 'nobody@example.org' }),
    call('POST', '/resend', { type: 'signup', email }),
    call('POST', '/otp', { email }),
    call('POST', '/otp', { phone: '33600000007' }),
    call('GET', '/reauthenticate'),
  ])
  for (const reply of replies) {
    assert.equal(reply.statusCode, 200, reply.body)
    assert.deepEqual(Object.keys(reply.json<object>()), [])
  }
})
