import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'

const t = await createAdminApp({ AUTH_PHONE: 'on' })
const believing = await createAdminApp({
  AUTH_PHONE: 'on',
  AUTH_SMS_AUTOCONFIRM: 'on',
  AUTH_AUTOCONFIRM: 'true',
})
after(async () => {
  await t.close()
  await believing.close()
})
const { admin, createConfirmedAccount, newAccount, openTab, signInInTab } = t
const password = 'secret1'
type EmailCredentials = { email: string; password: string }

test('an account created with only a phone number can sign in with its confirmed number', async () => {
  const phone = '33611111111'
  const { data, error } = await admin.createUser({
    phone: '+33 6 11 11 11 11',
    password,
    phone_confirm: true,
    user_metadata: { ville: 'Lyon' },
  })
  assert.equal(error, null)
  assert.deepEqual([data.user?.phone, data.user?.email], [phone, ''])
  assert.ok(data.user?.phone_confirmed_at)
  assert.deepEqual(data.user?.user_metadata, { ville: 'Lyon' })
  assert.deepEqual(data.user?.app_metadata, { provider: 'phone', providers: ['phone'] })
  const [identity, ...others] = data.user?.identities ?? []
  assert.deepEqual([identity?.provider, identity?.id, others], ['phone', data.user?.id, []])
  const signed = await openTab().signInWithPassword({ phone, password })
  assert.equal(signed.data.user?.id, data.user?.id)
  assert.deepEqual(await getAuthError(admin.createUser({ phone })), [422, 'phone_exists'])
  assert.deepEqual(await getAuthError(admin.createUser({ phone: '0611' })), [
    400,
    'validation_failed',
  ])
})

test('an unconfirmed phone number cannot sign in', async () => {
  const phone = '33622222222'
  const { data } = await admin.createUser({ phone, password })
  assert.equal(data.user?.phone_confirmed_at, undefined)
  const refused = await getAuthError(openTab().signInWithPassword({ phone, password }))
  assert.deepEqual(refused, [400, 'phone_not_confirmed'])
  const confirmed = await admin.updateUserById(data.user?.id ?? '', { phone_confirm: true })
  assert.ok(confirmed.data.user?.phone_confirmed_at)
  assert.equal((await openTab().signInWithPassword({ phone, password })).error, null)
})

test('an account can have an email address and a phone number, and a conflict on either creates nothing', async () => {
  const account = newAccount()
  const phone = '33633333333'
  const { data } = await admin.createUser({
    ...account,
    phone,
    email_confirm: true,
    phone_confirm: true,
  })
  assert.deepEqual(data.user?.app_metadata, { provider: 'email', providers: ['email', 'phone'] })
  assert.deepEqual(
    data.user?.identities?.map(({ provider }) => provider),
    ['email', 'phone'],
  )
  assert.deepEqual(data.user?.user_metadata, { email_verified: true })
  await signInInTab(account)
  assert.equal((await openTab().signInWithPassword({ phone, password })).error, null)

  const { email } = newAccount()
  assert.deepEqual(await getAuthError(admin.createUser({ email, phone })), [422, 'phone_exists'])
  const free = '33644444444'
  const taken = await getAuthError(admin.createUser({ email: account.email, phone: free }))
  assert.deepEqual(taken, [422, 'email_exists'])
  const rows = await t.db
    .selectFrom('users')
    .select('id')
    .where((where) => where.or([where('email', '=', email), where('phone', '=', free)]))
    .execute()
  assert.deepEqual(rows, [])
})

test('an administrator can set and replace the phone number of an account', async () => {
  const { user, account } = await createConfirmedAccount()
  const given = await admin.updateUserById(user.id, { phone: '33655555555', phone_confirm: true })
  assert.equal(given.error, null)
  assert.equal(given.data.user?.phone, '33655555555')
  assert.deepEqual(given.data.user?.app_metadata.providers, ['email', 'phone'])
  const signIn = (phone: string) => openTab().signInWithPassword({ phone, password })
  assert.equal((await signIn('33655555555')).error, null)

  const changed = await admin.updateUserById(user.id, {
    phone: '+33666666666',
    phone_confirm: true,
  })
  assert.equal(changed.data.user?.phone, '33666666666')
  const phones = changed.data.user?.identities?.filter(({ provider }) => provider === 'phone')
  assert.deepEqual(
    phones?.map(({ identity_data }) => identity_data?.phone),
    ['33666666666'],
  )
  assert.equal((await signIn('33666666666')).error, null)
  assert.deepEqual(await getAuthError(signIn('33655555555')), [400, 'invalid_credentials'])
  await signInInTab(account)
  const other = await createConfirmedAccount()
  const taken = admin.updateUserById(other.user.id, { phone: '33666666666' })
  assert.deepEqual(await getAuthError(taken), [422, 'phone_exists'])
})

test('a new phone number is unconfirmed even if the previous number was confirmed', async () => {
  const { user } = await createConfirmedAccount()
  await admin.updateUserById(user.id, { phone: '33610000001', phone_confirm: true })
  const { data } = await admin.updateUserById(user.id, { phone: '33610000002' })
  assert.deepEqual([data.user?.phone, data.user?.phone_confirmed_at], ['33610000002', undefined])
})

describe('sign-ups while email addresses and phone numbers are autoconfirmed', () => {
  const taken = [422, 'user_already_exists']
  const another = 'un-autre-1'

  test('a sign-up with the unconfirmed number of an account in use is refused', async () => {
    const { user, account } = await believing.signUpInTab()
    const phone = '33677777777'
    const { data } = await believing.admin.updateUserById(user.id, { phone })
    assert.deepEqual([data.user?.phone, data.user?.phone_confirmed_at], [phone, undefined])
    const signUp = believing.openTab().signUp({ phone, password: another })
    assert.deepEqual(await getAuthError(signUp), taken)
    await believing.signInInTab(account)
  })

  test('a sign-up with the unconfirmed address of an account with a confirmed number is refused', async () => {
    const { email } = believing.newAccount()
    const phone = '33688888888'
    const body = { email, phone, password, phone_confirm: true }
    assert.equal((await believing.admin.createUser(body)).error, null)
    const signUp = believing.openTab().signUp({ email, password: another })
    assert.deepEqual(await getAuthError(signUp), taken)
    const signedIn = await believing.openTab().signInWithPassword({ phone, password })
    assert.equal(signedIn.error, null)
  })

  test('the first sign-up takes over an account that was never used or confirmed', async () => {
    const { email } = believing.newAccount()
    const phone = '33699999999'
    for (const unused of [{ email }, { phone }]) {
      const { data } = await believing.admin.createUser({ ...unused, password })
      const signedUp = await believing
        .openTab()
        .signUp({ ...unused, password: another } as EmailCredentials)
      assert.equal(signedUp.data.user?.id, data.user?.id)
      const identity = signedUp.data.user?.identities?.find(({ provider }) => provider === 'email')
      assert.notEqual(
        identity?.identity_data?.email_verified,
        true,
        'autoconfirmed is not verified',
      )
    }
  })
})
