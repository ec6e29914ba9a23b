import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hashPassword } from '#server/auth/password/passwords.ts'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const t = await createAdminApp()
after(() => t.close())
const {
  admin,
  catcher,
  createConfirmedAccount,
  followLink,
  get,
  newAccount,
  openTab,
  signInInTab,
} = t
const service = t.service_token
const { email: taken } = (await createConfirmedAccount()).account

test('an account is created with exactly the given metadata and can sign in', async () => {
  const account = newAccount()
  const { data, error } = await admin.createUser({
    ...account,
    email_confirm: true,
    user_metadata: { ville: 'Lyon' },
    app_metadata: { plan: 'libre' },
  })
  assert.equal(error, null)
  assert.deepEqual(data.user?.user_metadata, { ville: 'Lyon', email_verified: true })
  assert.deepEqual(data.user?.app_metadata, {
    provider: 'email',
    providers: ['email'],
    plan: 'libre',
  })
  assert.equal(data.user?.identities?.[0]?.id, data.user?.id)
  const { session } = await signInInTab(account)
  assert.equal(session.user.app_metadata.plan, 'libre')
  assert.deepEqual(await getAuthError(admin.createUser(account)), [422, 'email_exists'])
  const unconfirmed = await admin.createUser({ email: newAccount().email, user_metadata: { a: 1 } })
  assert.deepEqual(unconfirmed.data.user?.user_metadata, { a: 1 })
  assert.equal(unconfirmed.data.user?.email_confirmed_at, undefined)
})

test('an administrator can create an account with an id and a password hash, but not with a role or a phone number', async () => {
  const { email } = newAccount()
  const id = 'a1b2c3d4-e5f6-4a7b-8c9d-0e1f2a3b4c5d'
  const made = await admin.createUser({
    id,
    email,
    email_confirm: true,
    password_hash: await hashPassword('venu d’ailleurs'),
  })
  assert.equal(made.data.user?.id, id)
  await signInInTab({ email, password: 'venu d’ailleurs' })
  const refused = (body: Parameters<typeof admin.createUser>[0]) =>
    getAuthError(admin.createUser(body))
  const bad = [400, 'validation_failed']
  const other = newAccount().email
  assert.deepEqual(await refused({ email: 'xx:;x@x.x' }), bad)
  assert.deepEqual(await refused({}), bad)
  assert.deepEqual(await refused({ email: other, id }), bad)
  assert.deepEqual(await refused({ email: other, role: 'service_role' }), bad)
  assert.deepEqual(await refused({ email: other, password_hash: '$2a$10$abc' }), bad)
  const costly = (await hashPassword('x')).replace(/m=\d+/, 'm=4000000')
  assert.deepEqual(await refused({ email: other, password_hash: costly }), bad)
  assert.deepEqual(await refused({ email: other, ban_duration: 'toujours' }), bad)
  assert.deepEqual(await refused({ email: other, password: '12345' }), [422, 'weak_password'])
  assert.deepEqual(await refused({ phone: '33600000000' }), [400, 'phone_provider_disabled'])
})

test('accounts are listed in pages, newest first', async () => {
  const first = await admin.listUsers({ page: 1, perPage: 2 })
  assert.equal(first.error, null)
  assert.equal(first.data.users.length, 2)
  assert.ok('nextPage' in first.data && first.data.nextPage === 2)
  const { headers } = await get('/admin/users?page=1&per_page=2', `Bearer ${service}`)
  const total = Number(headers['x-total-count'])
  assert.ok(total > 2)
  const last = Math.ceil(total / 2)
  assert.equal(
    headers.link,
    `</admin/users?page=2&per_page=2>; rel="next", </admin/users?page=${last}&per_page=2>; rel="last"`,
  )
  const all = await admin.listUsers()
  const [newest, second] = all.data.users.map(({ created_at }) => Date.parse(created_at))
  assert.ok((newest ?? 0) >= (second ?? 0))
  assert.equal(all.data.users.length, total)
  for (const query of ['page=-1', 'per_page=x', 'page=1.5', 'page=0'])
    assert.equal((await get(`/admin/users?${query}`, `Bearer ${service}`)).status, 400, query)
  assert.equal((await get('/admin/users?page=&per_page=', `Bearer ${service}`)).status, 200)
})

test('accounts are found by part of their address or full name', async () => {
  const full_name = 'Éloïse Fontaine_Petit'
  const { data } = await admin.createUser({
    email: 'eloise.100%@example.org',
    user_metadata: { full_name },
  })
  const found = async (filter: string) => {
    const query = new URLSearchParams({ page: '1', per_page: '1', filter })
    const url = `/auth/v1/admin/users?${query}`
    const reply = await t.raw({ url, headers: { authorization: `Bearer ${service}` } })
    const { users } = reply.json<{ users: { id: string }[] }>()
    return { ids: users.map(({ id }) => id), total: Number(reply.headers['x-total-count']), reply }
  }
  for (const part of ['eloise', 'ELOISE.', '100%@', 'fontaine', 'Fontaine_P'])
    assert.deepEqual((await found(part)).ids, [data.user?.id], part)
  // The characters % and _ are not wildcards.
  for (const part of ['eloise_100', '%fontaine', 'nobody has this'])
    assert.deepEqual((await found(part)).ids, [], part)
  const { total, reply } = await found('@example.org')
  assert.ok(total > 2)
  assert.equal(
    reply.headers.link,
    `</admin/users?page=2&per_page=1&filter=%40example.org>; rel="next", </admin/users?page=${total}&per_page=1&filter=%40example.org>; rel="last"`,
  )
  assert.equal((await found('')).total, (await admin.listUsers()).data.users.length)
  const long = `/admin/users?filter=${'a'.repeat(256)}`
  assert.equal((await get(long, `Bearer ${service}`)).code, 'validation_failed')
})

test('a suspended account cannot sign in, refresh, follow a link or call until the suspension ends', async () => {
  const { client, account, user, session } = await createConfirmedAccount()
  await openTab().resetPasswordForEmail(account.email)
  const { link, code: token } = await catcher.next(account.email)
  const banned = await admin.updateUserById(user.id, { ban_duration: '1h30m' })
  const left = Date.parse(banned.data.user?.banned_until ?? '') - Date.now()
  assert.ok(left > 5_300_000 && left <= 5_400_000)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [400, 'user_banned'])
  assert.deepEqual(await getAuthError(client.refreshSession()), [400, 'user_banned'])
  assert.deepEqual(await getAuthError(openTab().getUser(session.access_token)), [
    403,
    'user_banned',
  ])
  const verify = openTab().verifyOtp({ type: 'recovery', email: account.email, token })
  assert.deepEqual(await getAuthError(verify), [403, 'user_banned'])
  assert.equal((await followLink(link)).fragment.error_code, 'user_banned')
  await admin.updateUserById(user.id, { ban_duration: 'none' })
  await signInInTab(account)
  assert.equal((await openTab().getUser(session.access_token)).error, null)
})

test('an administrator’s change takes effect immediately, and a new password ends every session and link', async () => {
  const { account, user, session } = await createConfirmedAccount()
  await openTab().resetPasswordForEmail(account.email)
  const { link } = await catcher.next(account.email)
  const { email } = newAccount()
  const { data, error } = await admin.updateUserById(user.id, {
    email,
    password: 'another1',
    user_metadata: { ville: 'Nantes' },
    app_metadata: { plan: 'pro' },
  })
  assert.equal(error, null)
  assert.deepEqual([data.user?.email, data.user?.user_metadata.ville], [email, 'Nantes'])
  assert.equal(data.user?.app_metadata.plan, 'pro')
  assert.deepEqual(await getAuthError(openTab().refreshSession(session)), [
    400,
    'refresh_token_not_found',
  ])
  assert.equal((await followLink(link)).fragment.error_code, 'otp_expired')
  await signInInTab({ email, password: 'another1' })
  assert.deepEqual(await getAuthError(admin.updateUserById(user.id, { email: taken })), [
    422,
    'email_exists',
  ])
})

test('an account is deleted completely or softly', async () => {
  const { user, session, account } = await createConfirmedAccount()
  assert.equal((await admin.getUserById(user.id)).data.user?.email, account.email)
  assert.equal((await admin.deleteUser(user.id)).error, null)
  assert.deepEqual(await getAuthError(admin.getUserById(user.id)), [404, 'user_not_found'])
  assert.deepEqual(await getAuthError(admin.deleteUser(user.id)), [404, 'user_not_found'])
  assert.equal((await get('/user', `Bearer ${session.access_token}`)).code, 'user_not_found')
  assert.equal((await get('/admin/users/7', `Bearer ${service}`)).status, 404)

  const soft = await createConfirmedAccount()
  assert.equal((await admin.deleteUser(soft.user.id, true)).error, null)
  const kept = (await admin.getUserById(soft.user.id)).data.user
  assert.ok(kept?.deleted_at)
  assert.deepEqual([kept.email, kept.user_metadata, kept.identities], ['', {}, []])
  assert.equal(
    (await get('/user', `Bearer ${soft.session.access_token}`)).code,
    'session_not_found',
  )
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(soft.account)), [
    400,
    'invalid_credentials',
  ])
  await createConfirmedAccount(soft.account)
})

testInAll(
  'only one of several concurrent changes to one address succeeds, and the others get `email_exists`',
  async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => createConfirmedAccount()))
    const { email } = newAccount()
    const answers = await Promise.all(
      users.map(({ user }) => getAuthError(admin.updateUserById(user.id, { email }))),
    )
    assert.equal(answers.filter((answer) => answer === undefined).length, 1)
    for (const answer of answers.filter(Boolean)) assert.deepEqual(answer, [422, 'email_exists'])
  },
)
