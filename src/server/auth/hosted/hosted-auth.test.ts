import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'
import { ADMIN_EMAILS, ADMIN_ENV } from '#server/testing/app/administrators.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
import { createJwk, signToken } from '#server/testing/people/service-tokens.ts'
import { remoteKeys } from './hosted-auth.ts'

// The host is another instance of this application. The guest has no accounts.
const port = await freePort()
const origin = `http://127.0.0.1:${port}`
const guestOrigin = 'http://127.0.0.1:9'
const keys = {
  es: await createJwk('ES256', { kid: 'es' }),
  rs: await createJwk('RS256', { kid: 'rs' }),
  hs: {
    kty: 'oct',
    kid: 'hs',
    k: Buffer.from('a secret that services share, 32+').toString('base64url'),
  },
}
const host = await createTestApp({
  PUBLIC_URL: origin,
  AUTH_CORS_ORIGINS: guestOrigin,
  AUTH_JWT_KEYS: JSON.stringify([keys.es, keys.rs, keys.hs]),
})
await host.app.listen({ port, host: '127.0.0.1' })
const guest = await createTestApp({
  ...ADMIN_ENV,
  SUPABASE_URL: origin,
  SUPABASE_ANON_KEY: 'anon',
})
after(async () => {
  await guest.close()
  await host.close()
})
const { signUpInTab } = createAuthClients(origin)

const list = (token: string) =>
  guest.raw({ url: '/api/v1/quizzes', headers: { authorization: `Bearer ${token}` } })

test('accounts of the host can use the guest, and each sees only its own quizzes', async () => {
  const [one, two] = [await signUpInTab(), await signUpInTab()]
  const headers = { authorization: `Bearer ${one.session.access_token}` }
  const body = { name: 'Chez l’autre', type: 'quiz' }
  const made = await guest.raw({ method: 'POST', url: '/api/v1/quizzes', headers, body })
  assert.equal(made.statusCode, 201, made.body)
  assert.equal(
    (await list(one.session.access_token)).json<{ quizzes: unknown[] }>().quizzes.length,
    1,
  )
  assert.equal(
    (await list(two.session.access_token)).json<{ quizzes: unknown[] }>().quizzes.length,
    0,
  )
  const stored = await guest.db.selectFrom('quizzes').select('creator_id').execute()
  assert.deepEqual(stored, [{ creator_id: one.user.id }])
  const users = await guest.db.selectFrom('users').select('id').execute()
  assert.deepEqual(users, [])
})

test('a server with hosted accounts does not offer the calls of the embedded auth service', async () => {
  for (const path of ['health', 'settings', 'user', '.well-known/jwks.json', 'signup', 'verify'])
    assert.equal((await guest.raw({ url: `/auth/v1/${path}` })).statusCode, 404, path)
})

const good = () => ({
  sub: '3f2d0f4e-6a34-4b1b-9c1f-6f3f9f6f0001',
  iss: `${origin}/auth/v1`,
  aud: 'authenticated',
  role: 'authenticated',
  exp: Math.floor(Date.now() / 1000) + 60,
})

test('tokens signed with the published ES256 and RS256 keys are accepted', async () => {
  assert.equal(
    (await list(await signToken(keys.es, good(), { alg: 'ES256', kid: 'es' }))).statusCode,
    200,
  )
  assert.equal(
    (await list(await signToken(keys.rs, good(), { alg: 'RS256', kid: 'rs' }))).statusCode,
    200,
  )
})

test('tokens with another signature or wrong claims are refused', async () => {
  const es = (claims: object) =>
    signToken(keys.es, { ...good(), ...claims }, { alg: 'ES256', kid: 'es' })
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const foreign = await exportJWK(privateKey)
  const published = await host.raw({ url: '/auth/v1/.well-known/jwks.json' })
  const confused = { kty: 'oct', k: Buffer.from(published.body).toString('base64url') }
  const unsigned = [{ alg: 'none', typ: 'JWT' }, good()]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const tokens = {
    'a shared secret': await signToken(keys.hs, good(), { alg: 'HS256', kid: 'hs' }),
    'a public key as a secret': await signToken(confused, good(), { alg: 'HS256', kid: 'es' }),
    'a foreign key': await signToken(foreign, good(), { alg: 'ES256', kid: 'es' }),
    'an unknown key': await signToken(foreign, good(), { alg: 'ES256', kid: 'x' }),
    'no signature': `${unsigned}.`,
    'another issuer': await es({ iss: 'https://ailleurs.example/auth/v1' }),
    'another audience': await es({ aud: 'autre' }),
    'another role': await es({ role: 'service_role' }),
    'an anonymous account': await es({ is_anonymous: true }),
    expired: await es({ exp: Math.floor(Date.now() / 1000) - 60 }),
    'no subject': await es({ sub: undefined }),
    garbage: 'x',
  }
  for (const [what, token] of Object.entries(tokens))
    assert.equal((await list(token)).statusCode, 401, what)
})

test('an administrator of hosted accounts needs a second factor, and manages no accounts here', async () => {
  const call = async (path: string, claims: object) => {
    const token = await signToken(keys.es, { ...good(), ...claims }, { alg: 'ES256', kid: 'es' })
    const headers = { authorization: `Bearer ${token}` }
    return guest.raw({ url: `/api/v1/admin/${path}`, headers })
  }
  const [email] = ADMIN_EMAILS
  const overview = await call('overview', { email: email.toUpperCase(), aal: 'aal2' })
  assert.equal(overview.statusCode, 200, overview.body)
  assert.equal(overview.json<{ has_accounts: boolean }>().has_accounts, false)
  assert.equal((await call('storage', { email, aal: 'aal2' })).statusCode, 200)
  const others = {
    'no second factor': { email, aal: 'aal1' },
    'no level of assurance': { email },
    'another address': { email: 'zoe@exemple.fr', aal: 'aal2' },
    'an address in the metadata': { aal: 'aal2', user_metadata: { email } },
    'no address': { email: '', aal: 'aal2' },
  }
  for (const [what, claims] of Object.entries(others))
    assert.equal((await call('overview', claims)).statusCode, 404, what)
  assert.equal((await call('accounts', { email, aal: 'aal2' })).statusCode, 404)
})

test('CORS allows only listed origins to call the host', async () => {
  const ask = (from: string) =>
    host.raw({ method: 'OPTIONS', url: '/auth/v1/token', headers: { origin: from } })
  const listed = await ask(guestOrigin)
  assert.equal(listed.statusCode, 204)
  assert.equal(listed.headers['access-control-allow-origin'], guestOrigin)
  assert.match(String(listed.headers['access-control-allow-headers']), /apikey/)
  assert.match(String(listed.headers['access-control-expose-headers']), /X-Supabase-Api-Version/)
  assert.equal(
    (await ask('https://ailleurs.example')).headers['access-control-allow-origin'],
    undefined,
  )
  assert.equal((await guest.raw({ method: 'OPTIONS', url: '/auth/v1/token' })).statusCode, 404)
})

test('an unreachable host answers 503 and does not sign out', async () => {
  const away = await createTestApp({
    SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
    SUPABASE_ANON_KEY: 'anon',
  })
  try {
    const token = await signToken(keys.es, good(), { alg: 'ES256', kid: 'es' })
    const headers = { authorization: `Bearer ${token}` }
    const reply = await away.raw({ url: '/api/v1/quizzes', headers })
    assert.equal(reply.statusCode, 503)
    assert.ok(reply.headers['retry-after'])
  } finally {
    await away.close()
  }
})

test('the keys of the host are fetched once, and again for an unknown key after a minimum interval', async () => {
  const pairs = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const published: object[] = []
  let asked = 0
  const server = createServer((_request, reply) => {
    asked += 1
    reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const publish = async (index: number) => {
    const pair = pairs[index]
    assert.ok(pair)
    published.push({ ...(await exportJWK(pair.publicKey)), kid: String(index), alg: 'ES256' })
  }
  const tokenOf = async (index: number) => {
    const key = pairs[index]?.privateKey
    assert.ok(key)
    return new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: String(index) }).sign(key)
  }
  try {
    const [eager, slow] = [remoteKeys(base, 0), remoteKeys(base)]
    await publish(0)
    const first = await tokenOf(0)
    for (let turn = 0; turn < 3; turn += 1) await jwtVerify(first, eager)
    assert.equal(asked, 1)
    await jwtVerify(first, slow)
    assert.equal(asked, 2)
    await publish(1)
    const second = await tokenOf(1)
    await jwtVerify(second, eager)
    assert.equal(asked, 3)
    await assert.rejects(jwtVerify(second, slow))
    assert.equal(asked, 3)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})
