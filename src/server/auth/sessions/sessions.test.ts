import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const t = await createTestApp()
after(() => t.close())
const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
const { openTab, signInInTab, signUpInTab } = createAuthClients(origin)

test('each sign-in opens a new session, and the email address is not case-sensitive', async () => {
  const { account, session, user } = await signUpInTab()
  const second = await signInInTab({ ...account, email: account.email.toUpperCase() })
  assert.equal(second.session.user.id, user.id)
  assert.notEqual(second.session.refresh_token, session.refresh_token)
  assert.ok((second.session.user.last_sign_in_at ?? '') > (user.last_sign_in_at ?? ''))
})

test('a wrong password and an unknown address get the same answer', async () => {
  const { account } = await signUpInTab()
  const wrong = await openTab().signInWithPassword({ ...account, password: 'secret2' })
  const unknown = await openTab().signInWithPassword({ ...account, email: 'nobody@example.org' })
  assert.equal(wrong.error?.message, 'Invalid login credentials')
  assert.equal(wrong.error?.code, 'invalid_credentials')
  assert.equal(wrong.error?.status, 400)
  assert.deepEqual({ ...wrong.error }, { ...unknown.error })
})

test('an account whose address is not confirmed cannot sign in', async () => {
  const { account, user } = await signUpInTab()
  await t.db
    .updateTable('users')
    .set({ email_confirmed_at: null })
    .where('id', '=', user.id)
    .execute()
  const refused = (password: string) =>
    getAuthError(openTab().signInWithPassword({ ...account, password }))
  assert.deepEqual(await refused(account.password), [400, 'email_not_confirmed'])
  assert.deepEqual(await refused('wrong'), [400, 'invalid_credentials'])
})

test('refreshing keeps the session and replaces both tokens', async () => {
  const { client, session } = await signUpInTab()
  const { data, error } = await client.refreshSession()
  assert.equal(error, null)
  assert.notEqual(data.session?.refresh_token, session.refresh_token)
  const before = (await client.getClaims(session.access_token)).data?.claims
  const now = (await client.getClaims()).data?.claims
  assert.equal(now?.session_id, before?.session_id)
  assert.deepEqual(now?.amr, before?.amr)
  assert.equal((await client.getUser()).error, null)
})

test('two tabs that refresh concurrently without a lock both stay signed in', async () => {
  const { session } = await signUpInTab()
  const [first, second] = [openTab(), openTab()]
  const [one, two] = await Promise.all([
    first.refreshSession(session),
    second.refreshSession(session),
  ])
  assert.equal(one.error, null)
  assert.equal(two.error, null)
  assert.equal(one.data.session?.refresh_token, two.data.session?.refresh_token)
  for (const tab of [first, second]) {
    assert.equal((await tab.refreshSession()).error, null)
    assert.equal((await tab.getUser()).error, null)
  }
})

test('clients verify claims with the published keys', async () => {
  const { client, user } = await signUpInTab()
  const { data, error } = await client.getClaims()
  assert.equal(error, null)
  assert.equal(data?.header.alg, 'ES256')
  assert.ok(data?.header.kid)
  const { exp, iat, amr, session_id, ...claims } = data?.claims ?? {}
  assert.equal((exp ?? 0) - (iat ?? 0), 3600)
  assert.match(session_id ?? '', /^[0-9a-f-]{36}$/)
  const [method] = amr ?? []
  assert.ok(typeof method === 'object' && method.method === 'password')
  assert.ok(Math.abs(method.timestamp - (iat ?? 0)) <= 2)
  assert.deepEqual(claims, {
    iss: `${t.config.public_url}/auth/v1`,
    sub: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    aal: 'aal1',
    is_anonymous: false,
  })
})

test('a sign-out ends only this session, only the other sessions, or all sessions', async () => {
  const { client, account } = await signUpInTab()
  const [second, third] = [await signInInTab(account), await signInInTab(account)]
  const isSignedIn = async (tab: { client: typeof client; session: { access_token: string } }) =>
    (await tab.client.getUser(tab.session.access_token)).error === null
  const first = { client, session: (await client.getSession()).data.session ?? third.session }

  assert.equal((await second.client.signOut({ scope: 'local' })).error, null)
  assert.deepEqual(await Promise.all([first, second, third].map(isSignedIn)), [true, false, true])

  assert.equal((await third.client.signOut({ scope: 'others' })).error, null)
  assert.deepEqual(await Promise.all([first, third].map(isSignedIn)), [false, true])

  const fourth = await signInInTab(account)
  assert.equal((await fourth.client.signOut()).error, null)
  assert.deepEqual(await Promise.all([third, fourth].map(isSignedIn)), [false, false])
  assert.equal((await fourth.client.getSession()).data.session, null)
})

test('a client whose session was ended elsewhere signs out locally', async () => {
  const { client, account } = await signUpInTab()
  const elsewhere = await signInInTab(account)
  await elsewhere.client.signOut({ scope: 'global' })
  const { error } = await client.getUser()
  assert.equal(error?.name, 'AuthSessionMissingError')
  assert.equal((await client.getSession()).data.session, null)
})
