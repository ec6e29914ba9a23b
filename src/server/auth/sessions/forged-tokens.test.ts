import assert from 'node:assert/strict'
import { createHmac, createPublicKey } from 'node:crypto'
import { after, test } from 'node:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
import { loadSigningKey } from './key-ring.ts'

const t = await createTestApp()
after(() => t.close())

const signUp = async (email: string) => {
  const body = { email, password: 'secret1' }
  const reply = await t.app.inject({ method: 'POST', url: '/auth/v1/signup', body })
  return reply.json<{ access_token: string; refresh_token: string; user: { id: string } }>()
}
const { access_token, refresh_token } = await signUp('ada@example.org')

const statuses = async (authorization: string, query = '') => {
  const urls = [`/auth/v1/user${query}`, `/api/v1/quizzes${query}`]
  const replies = await Promise.all(
    urls.map((url) => t.app.inject({ url, headers: authorization ? { authorization } : {} })),
  )
  return replies.map(({ statusCode }) => statusCode)
}

const refusesAll = async (tokens: Record<string, string>, expected: number[]) => {
  for (const [name, token] of Object.entries(tokens))
    assert.deepEqual(await statuses(`Bearer ${token}`), expected, name)
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part: string): JWTPayload => JSON.parse(Buffer.from(part, 'base64url').toString())
const [head = '', claims = '', signature = ''] = access_token.split('.')
const header = { ...decode(head), alg: 'ES256' }
const payload = decode(claims)

const secretKey = t.config.secret_key ?? ''
const ours = await loadSigningKey(t.db, secretKey)

/** Returns a token signed with the real key, with changed claims or header. */
const genuine = async (changes: object, head: object = {}) => {
  const { kid } = ours
  const told = { alg: 'ES256', typ: 'JWT', kid, ...head }
  const input = `${encode(told)}.${encode({ ...payload, ...changes })}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signed = await crypto.subtle.sign(algorithm, ours.private_key, Buffer.from(input))
  return `${input}.${Buffer.from(signed).toString('base64url')}`
}

test('a valid token is accepted, whatever the case of the scheme', async () => {
  assert.deepEqual(await statuses(`Bearer ${access_token}`), [200, 200])
  assert.deepEqual(await statuses(`bearer ${access_token}`), [200, 200])
  assert.deepEqual(await statuses(`Bearer ${await genuine({})}`), [200, 200])
})

test('a call without a bearer token answers 401', async () => {
  assert.deepEqual(await statuses(''), [401, 401])
  assert.deepEqual(await statuses('Bearer'), [401, 401])
  assert.deepEqual(await statuses('Bearer '), [401, 401])
  assert.deepEqual(await statuses(access_token), [401, 401])
  assert.deepEqual(await statuses(`Token ${access_token}`), [401, 401])
  assert.deepEqual(await statuses(`Bearer ${access_token} ${access_token}`), [401, 401])
  const basic = Buffer.from('ada@example.org:secret1').toString('base64')
  assert.deepEqual(await statuses(`Basic ${basic}`), [401, 401])
  for (const name of ['access_token', 'token', 'apikey', 'authorization'])
    assert.deepEqual(await statuses('', `?${name}=${access_token}`), [401, 401], name)
})

test('a token without our signature is refused', async () => {
  const flipped = Buffer.from(signature, 'base64url')
  flipped[10] = (flipped[10] ?? 0) ^ 1
  const other = await generateKeyPair('ES256')
  const foreign = (head: object) =>
    new SignJWT(payload).setProtectedHeader({ ...header, ...head }).sign(other.privateKey)
  const jwk = await exportJWK(other.publicKey)
  await refusesAll(
    {
      empty: '.',
      'three empty parts': '..',
      text: 'not-a-token',
      'refresh token': refresh_token,
      'two parts': `${head}.${claims}`,
      'stripped signature': `${head}.${claims}.`,
      'altered signature': `${head}.${claims}.${flipped.toString('base64url')}`,
      'cut signature': `${head}.${claims}.${signature.slice(0, -2)}`,
      'zero signature': `${head}.${claims}.${Buffer.alloc(64).toString('base64url')}`,
      'altered claims': `${head}.${encode({ ...payload, email: 'x' })}.${signature}`,
      'foreign key with our kid': await foreign({}),
      'foreign key with its own jwk': await foreign({ jwk }),
      'foreign key with a jku': await foreign({ jku: 'http://127.0.0.1:1/keys', kid: 'x' }),
      'another kid, our signature': await genuine({}, { kid: 'x' }),
      'no kid': await genuine({}, { kid: undefined }),
      'another type': await genuine({}, { typ: 'at+jwt' }),
      'kid as a path': await genuine({}, { kid: '../../dev/null' }),
    },
    [403, 401],
  )
})

test('only our own signing algorithm is accepted, whatever the token’s header states', async () => {
  const unsigned = (alg: unknown) => `${encode({ ...header, alg })}.${claims}.`
  const kept = (alg: unknown) => `${encode({ ...header, alg })}.${claims}.${signature}`
  const confused = (secret: string | Buffer) => {
    const input = `${encode({ ...header, alg: 'HS256' })}.${claims}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }
  const unnamed = (secret: string) => {
    const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
  }
  const key = createPublicKey({ key: ours.public_jwk, format: 'jwk' })
  await refusesAll(
    {
      none: unsigned('none'),
      None: unsigned('None'),
      nOnE: unsigned('nOnE'),
      NONE: unsigned('NONE'),
      'no algorithm': unsigned(undefined),
      'null algorithm': unsigned(null),
      'list of algorithms': unsigned(['none']),
      'none with a signature': kept('none'),
      'ES384 with our signature': kept('ES384'),
      'HS256 with our signature': kept('HS256'),
      'HS256 keyed with the public PEM': confused(key.export({ format: 'pem', type: 'spki' })),
      'HS256 keyed with the public DER': confused(key.export({ format: 'der', type: 'spki' })),
      'HS256 keyed with the public JWK': confused(JSON.stringify(ours.public_jwk)),
      'HS256 keyed with nothing': confused(''),
      'HS256 without a kid, keyed with the public JWK': unnamed(JSON.stringify(ours.public_jwk)),
      'HS256 without a kid, keyed with nothing': unnamed(''),
      'HS256 without a kid, keyed with the key id': unnamed(ours.kid),
      'an unencoded payload': await genuine({}, { b64: false, crit: ['b64'] }),
      'an unknown critical header': await genuine({}, { crit: ['x'], x: 1 }),
    },
    [403, 401],
  )
})

test('a token with our signature but wrong claims is refused', async () => {
  const past = Math.floor(Date.now() / 1000) - 1
  await refusesAll(
    {
      expired: await genuine({ exp: past }),
      'no expiry': await genuine({ exp: undefined }),
      'expiry as text': await genuine({ exp: String(past + 3600) }),
      'not yet valid': await genuine({ nbf: past + 3600 }),
      'another audience': await genuine({ aud: 'anon' }),
      'no audience': await genuine({ aud: undefined }),
      'another issuer': await genuine({ iss: 'https://elsewhere.example/auth/v1' }),
      'no issuer': await genuine({ iss: undefined }),
      'another role': await genuine({ role: 'service_role' }),
      'no role': await genuine({ role: undefined }),
      'no subject': await genuine({ sub: undefined }),
      'a subject that is no id': await genuine({ sub: 'ada@example.org' }),
      'no session': await genuine({ session_id: undefined }),
      'a session that is no id': await genuine({ session_id: "' or true --" }),
    },
    [403, 401],
  )
})

test('an access token is refused if its session ended, belongs to another user, or its user was deleted', async () => {
  const bob = await signUp('bob@example.org')
  const stranger = await genuine({ sub: bob.user.id })
  const unknown = await genuine({ session_id: '01890000-0000-7000-8000-000000000000' })
  await refusesAll({ stranger, unknown }, [403, 401])

  const carol = await signUp('carol@example.org')
  const headers = { authorization: `Bearer ${carol.access_token}` }
  assert.deepEqual(await statuses(headers.authorization), [200, 200])
  await t.app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
  assert.deepEqual(await statuses(headers.authorization), [403, 401])

  assert.deepEqual(await statuses(`Bearer ${bob.access_token}`), [200, 200])
  await t.db.deleteFrom('users').where('id', '=', bob.user.id).execute()
  assert.deepEqual(await statuses(`Bearer ${bob.access_token}`), [403, 401])
  const reply = await t.app.inject({
    url: '/auth/v1/user',
    headers: { authorization: `Bearer ${bob.access_token}` },
  })
  assert.equal(reply.json().error_code, 'user_not_found')
})

test('the refusal of a forged token has the error message of the original auth server', async () => {
  const { openTab } = createAuthClients(await t.app.listen({ port: 0, host: '127.0.0.1' }))
  const words = async (token: string) => (await openTab().getUser(token)).error?.message
  const start = 'invalid JWT: unable to parse or verify signature, '
  const other = await generateKeyPair('ES256')
  const foreign = await new SignJWT(payload).setProtectedHeader(header).sign(other.privateKey)
  const past = Math.floor(Date.now() / 1000) - 60
  const rows: [token: string, message: string][] = [
    [foreign, `${start}token signature is invalid`],
    [`${head}.${claims}.${'A'.repeat(86)}`, `${start}token signature is invalid`],
    [await genuine({}, { kid: 'x' }), `${start}token is unverifiable: unknown key`],
    [
      `${encode({ ...header, alg: 'none' })}.${claims}.`,
      `${start}token signature is invalid: signing method is invalid`,
    ],
    ['not-a-token', `${start}token is malformed`],
    [await genuine({ exp: past }), `${start}token has invalid claims: token is expired`],
    [await genuine({ aud: 'anon' }), `${start}token has invalid claims: aud`],
    [await genuine({ sub: undefined }), 'invalid claim: missing sub claim'],
    [await genuine({ role: 'anon' }), 'invalid claim: role'],
  ]
  for (const [token, message] of rows) assert.equal(await words(token), message)
})
