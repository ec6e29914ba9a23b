import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import { createJwk, signToken } from '#server/testing/people/service-tokens.ts'

const provider = await startOpenidProvider()
const app = await createTestApp({
  AUTH_EXTERNAL_GOOGLE_CLIENT_ID: provider.client_id,
  AUTH_EXTERNAL_GOOGLE_SECRET: provider.secret,
  AUTH_EXTERNAL_GOOGLE_ISSUER: provider.issuer,
  AUTH_MANUAL_LINKING: 'on',
})
after(async () => {
  await app.close()
  await provider.close()
})
const { openTab, signUpInTab } = createAuthClients(
  await app.app.listen({ port: 0, host: '127.0.0.1' }),
)

const newPerson = () => ({
  sub: randomUUID(),
  email: `${randomUUID()}@example.org`,
  email_verified: true,
})
const sha = (text: string) => createHash('sha256').update(text).digest('hex')

test('an ID token of a provider signs in, and the client must send its nonce', async () => {
  provider.person = newPerson()
  const token = await provider.idToken({ nonce: sha('abc') })
  const { data, error } = await openTab().signInWithIdToken({
    provider: 'google',
    token,
    nonce: 'abc',
  })
  assert.equal(error, null)
  assert.equal(data.user?.email, provider.person.email)
  const plain = await openTab().signInWithIdToken({
    provider: 'google',
    token: await provider.idToken(),
  })
  assert.equal(plain.data.user?.id, data.user?.id)
})

test('an invalid ID token is refused', async () => {
  provider.person = newPerson()
  const call = (body: object) =>
    app.raw({ method: 'POST', url: '/auth/v1/token?grant_type=id_token', body })
  const foreign = await signToken(
    await createJwk('RS256', { kid: 'provider' }),
    { ...provider.person, iss: provider.issuer, aud: provider.client_id, exp: 4e9 },
    { alg: 'RS256', kid: 'provider' },
  )
  const google = { provider: 'google' }
  for (const [what, body] of Object.entries({
    'no token': google,
    garbage: { ...google, id_token: 'x' },
    'a foreign key': { ...google, id_token: foreign },
    'another audience': { ...google, id_token: await provider.idToken({ aud: 'x' }) },
    'another issuer': { ...google, id_token: await provider.idToken({ iss: 'https://x.example' }) },
    'a nonce on one side': { ...google, id_token: await provider.idToken({ nonce: 'x' }) },
    'another nonce': {
      ...google,
      id_token: await provider.idToken({ nonce: sha('a') }),
      nonce: 'b',
    },
    'another access token': {
      ...google,
      id_token: await provider.idToken({ at_hash: 'x' }),
      access_token: 'y',
    },
  })) {
    const reply = await call(body)
    assert.equal(reply.statusCode, 400, what)
    assert.deepEqual(Object.keys(reply.json<object>()).sort(), ['error', 'error_description'], what)
  }
  const off = openTab().signInWithIdToken({ provider: 'apple', token: 'x' })
  assert.deepEqual(await getAuthError(off), [400, 'provider_disabled'])
})

test('an ID token links its identity to the signed-in account', async () => {
  provider.person = newPerson()
  const { client, user } = await signUpInTab()
  const token = await provider.idToken()
  const { data, error } = await client.linkIdentity({ provider: 'google', token })
  assert.equal(error, null)
  assert.equal(data.user?.id, user.id)
  const other = await signUpInTab()
  assert.deepEqual(await getAuthError(other.client.linkIdentity({ provider: 'google', token })), [
    422,
    'identity_already_exists',
  ])
})
