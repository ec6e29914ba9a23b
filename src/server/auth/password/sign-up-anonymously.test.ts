import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const mailed = await createMailApp({ AUTH_ANONYMOUS: 'on' })
const plain = await createTestApp({ AUTH_ANONYMOUS: 'on' })
const plainClients = createAuthClients(await plain.app.listen({ port: 0, host: '127.0.0.1' }))
after(async () => {
  await mailed.close()
  await plain.close()
})

const begin = async (openTab: typeof mailed.openTab) => {
  const client = openTab()
  const { data, error } = await client.signInAnonymously({ options: { data: { ville: 'Lyon' } } })
  assert.equal(error, null)
  assert.ok(data.user)
  return { client, user: data.user }
}

test('an anonymous sign-up creates an account with exactly the given metadata', async () => {
  const { client, user } = await begin(mailed.openTab)
  assert.deepEqual([user.is_anonymous, user.email, user.phone], [true, '', ''])
  assert.deepEqual(user.user_metadata, { ville: 'Lyon' })
  assert.deepEqual([user.app_metadata, user.identities], [{}, []])
  const { data } = await client.getClaims()
  assert.equal(data?.claims.is_anonymous, true)
  assert.equal(data.claims.email, '')
  const [method] = data.claims.amr ?? []
  assert.ok(typeof method === 'object' && method.method === 'anonymous')
  assert.equal((await client.refreshSession()).error, null)
  assert.deepEqual(await getAuthError(client.reauthenticate()), [400, 'validation_failed'])
})

test('a confirmed address turns an anonymous account into an ordinary one with the same id', async () => {
  const { client, user } = await begin(mailed.openTab)
  const account = mailed.newAccount()
  assert.deepEqual(await getAuthError(client.updateUser({ password: account.password })), [
    422,
    'validation_failed',
  ])
  assert.equal((await client.updateUser(account)).error, null)
  assert.equal((await client.getUser()).data.user?.is_anonymous, true)
  const { link } = await mailed.catcher.next(account.email)
  assert.ok((await mailed.followLink(link)).fragment.access_token, 'one mail is enough')
  const { data } = await client.refreshSession()
  assert.deepEqual([data.user?.id, data.user?.is_anonymous], [user.id, false])
  assert.deepEqual(data.user?.app_metadata, { provider: 'email', providers: ['email'] })
  assert.equal(data.user?.identities?.[0]?.provider, 'email')
  assert.equal(data.user?.user_metadata.ville, 'Lyon')
  const signedIn = await mailed.signInInTab(account)
  assert.equal(signedIn.session.user.id, user.id)
})

test('with autoconfirmation, an anonymous account gets its address immediately', async () => {
  const { client, user } = await begin(plainClients.openTab)
  const account = plainClients.newAccount()
  const { data, error } = await client.updateUser(account)
  assert.equal(error, null)
  assert.deepEqual([data.user?.email, data.user?.is_anonymous], [account.email, false])
  assert.equal((await plainClients.signInInTab(account)).session.user.id, user.id)
})

test('several accounts can exist without an email address', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => begin(plainClients.openTab)))
  assert.equal(new Set(all.map(({ user }) => user.id)).size, 5)
})

test('while sign-ups are disabled, no account is created, with or without an address', async () => {
  const closed = await createTestApp({ AUTH_SIGNUP: 'off', AUTH_ANONYMOUS: 'on' })
  const clients = createAuthClients(await closed.app.listen({ port: 0, host: '127.0.0.1' }))
  const email = 'nobody@example.org'
  const refused = [422, 'signup_disabled']
  assert.deepEqual(await getAuthError(clients.openTab().signInAnonymously()), refused)
  const signUp = clients.openTab().signUp({ email, password: 'secret1' })
  assert.deepEqual(await getAuthError(signUp), refused)
  assert.deepEqual(await getAuthError(clients.openTab().signInWithOtp({ email })), refused)
  const asked = clients.openTab().signInWithOtp({ email, options: { shouldCreateUser: false } })
  assert.deepEqual(await getAuthError(asked), [422, 'otp_disabled'])
  const settings = (await closed.raw({ url: '/auth/v1/settings' })).json()
  assert.equal(settings.disable_signup, true)
  assert.equal(settings.external.anonymous_users, true)
  await closed.close()
})
