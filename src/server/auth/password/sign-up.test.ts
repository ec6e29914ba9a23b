import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

const t = await createTestApp()
after(() => t.close())
const origin = await t.app.listen({ port: 0, host: '127.0.0.1' })
const { newAccount, openTab, signInInTab, signUpInTab } = createAuthClients(origin)

test('a sign-up creates a confirmed account and a session', async () => {
  const { client, session, user } = await signUpInTab({
    email: 'Ada.Essai@Example.org',
    password: 'secret1',
  })
  assert.equal(user.email, 'ada.essai@example.org')
  assert.equal(user.aud, 'authenticated')
  assert.equal(user.role, 'authenticated')
  assert.equal(user.phone, '')
  assert.equal(user.is_anonymous, false)
  assert.deepEqual(user.app_metadata, { provider: 'email', providers: ['email'] })
  assert.equal(user.user_metadata.email, 'ada.essai@example.org')
  assert.equal(user.user_metadata.email_verified, true)
  assert.equal(user.user_metadata.sub, user.id)
  assert.ok(user.email_confirmed_at && user.last_sign_in_at && user.confirmed_at)
  const [identity] = user.identities ?? []
  assert.equal(identity?.id, user.id)
  assert.notEqual(identity?.identity_id, user.id)
  assert.equal(identity?.identity_data?.email_verified, false)
  assert.equal(session.token_type, 'bearer')
  assert.equal(session.expires_in, 3600)

  const { data, error } = await client.getUser()
  assert.equal(error, null)
  assert.deepEqual(data.user, user)
})

test('the metadata of a sign-up is stored but cannot change the identity', async () => {
  const { data } = await openTab().signUp({
    ...newAccount(),
    options: { data: { prénom: 'Ada', sub: 'me', email: 'other@example.org', nothing: null } },
  })
  assert.equal(data.user?.user_metadata.prénom, 'Ada')
  assert.equal(data.user?.user_metadata.sub, data.user?.id)
  assert.equal(data.user?.user_metadata.email, data.user?.email)
  assert.ok(!('nothing' in (data.user?.user_metadata ?? {})))
})

test('a known address cannot sign up again, whatever its case', async () => {
  const { account } = await signUpInTab()
  const again = { email: account.email.toUpperCase(), password: 'another1' }
  assert.deepEqual(await getAuthError(openTab().signUp(again)), [422, 'user_already_exists'])
  await signInInTab(account)
})

test('another spelling of the same mailbox is the same account', async () => {
  const { account, user } = await signUpInTab()
  const [name = '', domain = ''] = account.email.split('@')
  const spellings = [
    account.email.replaceAll(/[!-~]/g, (letter) =>
      String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
    ),
    `${name}@${domain.replace('.', '。')}`,
    `\u200b${name}@${domain.replace('e', 'ⓔ').replace('x', 'x\u00ad')} `,
  ]
  for (const email of spellings) {
    const again = { email, password: 'another1' }
    assert.deepEqual(await getAuthError(openTab().signUp(again)), [422, 'user_already_exists'])
    assert.deepEqual(await getAuthError(openTab().signInWithPassword(again)), [
      400,
      'invalid_credentials',
    ])
    const { session } = await signInInTab({ ...account, email })
    assert.equal(session.user.id, user.id)
  }
})

test('email addresses at an IP address or with an accent before the @ are refused', async () => {
  for (const email of ['ada@127.0.0.1', 'ada@127.1', 'ada@0x7f.1', 'ada@[::1]', 'adé@example.org'])
    assert.deepEqual(await getAuthError(openTab().signUp({ email, password: 'secret1' })), [
      400,
      'validation_failed',
    ])
})

test('twenty concurrent sign-ups of one address create one account', async () => {
  const account = newAccount()
  const refusals = await Promise.all(
    Array.from({ length: 20 }, () => getAuthError(openTab().signUp(account))),
  )
  assert.equal(refusals.filter((code) => code === undefined).length, 1)
  assert.deepEqual(
    new Set(refusals.filter(Boolean).map(String)),
    new Set(['422,user_already_exists']),
  )
})

test('a sign-up with a short password, a long password or a bad address is refused', async () => {
  const { email } = newAccount()
  const { error } = await openTab().signUp({ email, password: '12345' })
  assert.ok(error?.name === 'AuthWeakPasswordError' && 'reasons' in error)
  assert.deepEqual(error.reasons, ['length'])
  assert.equal(error.message, 'Password should be at least 6 characters.')
  const refused = (email: string, password = 'secret1') =>
    getAuthError(openTab().signUp({ email, password }))
  assert.deepEqual(await refused(email, 'a'.repeat(73)), [400, 'validation_failed'])
  assert.deepEqual(await refused('a'), [400, 'validation_failed'])
  assert.deepEqual(await refused('xx:;x@x.x'), [400, 'validation_failed'])
  assert.deepEqual(await refused(`${'a'.repeat(250)}@b.fr`), [400, 'validation_failed'])
})

test('anonymous and phone sign-ups are off by default', async () => {
  assert.deepEqual(await getAuthError(openTab().signInAnonymously()), [
    422,
    'anonymous_provider_disabled',
  ])
  assert.deepEqual(
    await getAuthError(openTab().signUp({ phone: '33600000000', password: 'secret1' })),
    [400, 'phone_provider_disabled'],
  )
})
