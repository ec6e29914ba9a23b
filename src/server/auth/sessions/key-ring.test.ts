import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { createAuth } from '#server/auth/create-auth.ts'
import { ConfigError } from '#server/config/config.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
import { createJwk, signToken } from '#server/testing/people/service-tokens.ts'
import { readConfiguredKeys } from './configured-keys.ts'

const t = await createTestApp()
const closers: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closers) await close()
  await t.close()
})

/** Starts an auth service with these keys on the same database. */
const withKeys = async (jwt_keys: string | undefined, jwt_secret?: string) => {
  const app = Fastify()
  closers.push(() => app.close())
  const config = { ...t.config, auth: { ...t.config.auth, jwt_keys, jwt_secret } }
  createAuth({ db: t.db, config, log: app.log, secretKey: t.config.secret_key ?? '' }).register(app)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const user = async (access_token: string) => {
    const headers = { authorization: `Bearer ${access_token}` }
    return (await app.inject({ url: '/auth/v1/user', headers })).statusCode
  }
  const admin = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.inject({ url: '/auth/v1/admin/users', headers })).statusCode
  }
  const keys = async () => (await app.inject('/auth/v1/.well-known/jwks.json')).json().keys
  return { ...createAuthClients(origin), user, admin, keys }
}
let accounts = 0
const signedUp = async ({ openTab }: Awaited<ReturnType<typeof withKeys>>) => {
  accounts += 1
  const client = openTab()
  const account = { email: `cle${accounts}@example.org`, password: 'secret1' }
  const { data, error } = await client.signUp(account)
  assert.equal(error, null)
  return { client, token: data.session?.access_token ?? '' }
}
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())

const old = await createJwk('ES256', { kid: 'old', key_ops: ['sign', 'verify'] })
const next = await createJwk('RS256', { kid: 'next', key_ops: ['verify', 'sign'] })

test('the first key signs, and clients verify its tokens with the published keys', async () => {
  const service = await withKeys(JSON.stringify([old]))
  const { client, token } = await signedUp(service)
  assert.deepEqual(headerOf(token), { alg: 'ES256', typ: 'JWT', kid: 'old' })
  const { data, error } = await client.getClaims()
  assert.equal(error, null)
  assert.equal(data?.header.kid, 'old')
  assert.equal(await service.user(token), 200)
})

test('a key rotation ends no session, because old keys verify until they are removed', async () => {
  const own = await withKeys(undefined)
  const [first] = await Promise.all([signedUp(own)])
  const before = await signedUp(await withKeys(JSON.stringify([old])))
  const rotated = await withKeys(JSON.stringify({ keys: [next, old] }))
  const now = await signedUp(rotated)
  assert.equal(headerOf(now.token).alg, 'RS256')
  for (const { token } of [first, before, now]) assert.equal(await rotated.user(token), 200)
  assert.equal((await now.client.getClaims()).data?.header.alg, 'RS256')
  const later = await withKeys(JSON.stringify([next]))
  assert.equal(await later.user(before.token), 403)
  assert.equal(await later.user(now.token), 200)
})

test('only public parts of asymmetric keys are published, with our generated key last', async () => {
  const secret = { kty: 'oct', kid: 'shared', k: 'A'.repeat(43) }
  const { keys } = await withKeys(JSON.stringify([old, next, secret]))
  const published: Record<string, unknown>[] = await keys()
  assert.deepEqual(published.map(({ kid }) => kid).slice(0, 2), ['old', 'next'])
  assert.equal(published.length, 3)
  for (const key of published) {
    assert.deepEqual([key.use, key.key_ops], ['sig', ['verify']])
    for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'])
      assert.equal(key[member], undefined)
  }
})

const SECRET = 'the-secret-that-several-services-share-0123456789'
const oct = { kty: 'oct', k: Buffer.from(SECRET).toString('base64url'), alg: 'HS256' }

test('a shared secret signs and verifies tokens and is never published', async () => {
  const before = await signedUp(await withKeys(undefined))
  const service = await withKeys(undefined, SECRET)
  const { client, token } = await signedUp(service)
  assert.deepEqual(headerOf(token), { alg: 'HS256', typ: 'JWT' })
  const [head, claims, signature] = token.split('.')
  const expected = createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url')
  assert.equal(signature, expected)
  assert.equal(await service.user(token), 200)
  assert.equal((await client.getClaims()).error, null)
  assert.equal((await client.refreshSession()).error, null)
  assert.equal(await service.user(before.token), 200)
  assert.ok(!JSON.stringify(await service.keys()).includes('oct'))
  const service_role = await signToken(oct, { role: 'service_role' }, { alg: 'HS256' })
  assert.equal(await service.admin(service_role), 200)
  const wrong = { ...oct, k: Buffer.from(`${SECRET}!`).toString('base64url') }
  const forged = await signToken(wrong, { role: 'service_role' }, { alg: 'HS256' })
  assert.equal(await service.admin(forged), 403)
})

test('a symmetric key signs only if its operations include `sign`; otherwise the first other key signs', async () => {
  const signs = { ...oct, kid: 'shared', key_ops: ['sign', 'verify'] }
  const service = await withKeys(JSON.stringify([signs, old]))
  const { token } = await signedUp(service)
  assert.deepEqual(headerOf(token), { alg: 'HS256', typ: 'JWT', kid: 'shared' })
  assert.equal(await service.user(token), 200)
  // The compose file of Supabase sets a signing key, a shared symmetric key and the secret.
  const both = await withKeys(
    JSON.stringify([{ ...old, key_ops: ['sign', 'verify'] }, oct]),
    SECRET,
  )
  const modern = await signedUp(both)
  assert.equal(headerOf(modern.token).kid, 'old')
  assert.equal(await both.user(modern.token), 200)
  const [only] = await readConfiguredKeys(JSON.stringify([oct]), SECRET)
  assert.equal(only?.private_key, undefined)
})

test('a key that is only for verifying never signs, whatever its position', async () => {
  const verifies = { ...old, key_ops: ['verify'] }
  const [first, second] = await readConfiguredKeys(JSON.stringify([verifies, next]))
  assert.equal(first?.private_key, undefined)
  assert.ok(second?.private_key)
})

test('keys can be read from a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quizaine-keys-'))
  const file = join(folder, 'keys.json')
  await writeFile(file, JSON.stringify([old]))
  assert.deepEqual(
    (await readConfiguredKeys(file)).map(({ kid, alg }) => [kid, alg]),
    [['old', 'ES256']],
  )
  await rm(folder, { recursive: true })
})

test('unusable keys prevent the start with a one-line error that contains no key', async () => {
  const short = { kty: 'oct', kid: 'short', k: 'c2VjcmV0LXRoYXQtaXMtdG9vLXNob3J0' }
  const { d: _, ...pub } = old
  const wrong: [value: string, line: RegExp][] = [
    ['/nowhere/keys.json', /path of a file that can be read/],
    ['[', /must be JWKs/],
    ['[]', /must be JWKs/],
    ['{"kty":"EC"}', /must be JWKs/],
    [JSON.stringify([old, short]), /must be JWKs/],
    [JSON.stringify([{ ...old, crv: 'P-384' }]), /must be JWKs/],
    [JSON.stringify([{ ...old, x: 'AAAA' }]), /cannot be imported/],
    [JSON.stringify([old, { ...next, kid: 'old' }]), /two keys have one kid/],
    [JSON.stringify([pub]), /none of the keys can sign/],
    [JSON.stringify([{ kty: 'oct', k: 'A'.repeat(43) }]), /none of the keys can sign/],
  ]
  for (const [value, line] of wrong)
    await assert.rejects(readConfiguredKeys(value), (error: unknown) => {
      assert.ok(error instanceof ConfigError, value)
      assert.match(error.message, line)
      assert.match(error.message, /^AUTH_JWT_KEYS: .+$/)
      assert.ok(!error.message.includes('c2VjcmV0'))
      return true
    })
})
