import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'

const recent = await createMailApp()
const current = await createMailApp({ AUTH_PASSWORD_CHANGE: 'current' })
after(async () => {
  await recent.close()
  await current.close()
})

const makeOld = (user_id: string) =>
  recent.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
    .where('user_id', '=', user_id)
    .execute()

test('a password change in a session older than a day needs a code sent by mail', async () => {
  const { client, account, user } = await recent.createConfirmedAccount()
  await makeOld(user.id)
  const change = (nonce?: string) =>
    client.updateUser({ password: 'another1', ...(nonce === undefined ? {} : { nonce }) })
  assert.deepEqual(await getAuthError(change()), [400, 'reauthentication_needed'])
  assert.deepEqual(await getAuthError(change('123456')), [422, 'reauthentication_not_valid'])
  assert.equal((await client.reauthenticate()).error, null)
  const mail = await recent.catcher.next(account.email)
  assert.equal(mail.subject, 'Votre code de vérification')
  assert.equal(mail.link, '')
  const wrong = mail.code === '000000' ? '000001' : '000000'
  assert.deepEqual(await getAuthError(change(wrong)), [422, 'reauthentication_not_valid'])
  assert.equal(await getAuthError(change(mail.code)), undefined)
  const again = client.updateUser({ password: 'another2', nonce: mail.code })
  assert.deepEqual(await getAuthError(again), [422, 'reauthentication_not_valid'])
  await recent.signInInTab({ ...account, password: 'another1' })
})

test('a reauthentication code works only for its account and does not sign anyone in', async () => {
  const one = await recent.createConfirmedAccount()
  const two = await recent.createConfirmedAccount()
  await makeOld(two.user.id)
  await one.client.reauthenticate()
  const { code } = await recent.catcher.next(one.account.email)
  const stolen = two.client.updateUser({ password: 'another1', nonce: code })
  assert.deepEqual(await getAuthError(stolen), [422, 'reauthentication_not_valid'])
  const { email } = one.account
  for (const type of ['email', 'recovery', 'signup', 'email_change'] as const)
    assert.deepEqual(await getAuthError(recent.openTab().verifyOtp({ type, email, token: code })), [
      403,
      'otp_expired',
    ])
})

test('an account without a confirmed address gets no reauthentication code', async () => {
  const { client, user } = await recent.createConfirmedAccount()
  await recent.db
    .updateTable('users')
    .set({ email_confirmed_at: null })
    .where('id', '=', user.id)
    .execute()
  assert.deepEqual(await getAuthError(client.reauthenticate()), [422, 'email_not_confirmed'])
})

test('if the current password is required, it must be present and correct', async () => {
  const { client, account } = await current.createConfirmedAccount()
  const change = (more: object) =>
    getAuthError(client.updateUser({ password: 'another1', ...more }))
  assert.deepEqual(await change({}), [400, 'current_password_required'])
  assert.deepEqual(await change({ current_password: 'wrong' }), [400, 'current_password_invalid'])
  assert.equal(await change({ current_password: account.password }), undefined)
  await current.signInInTab({ ...account, password: 'another1' })
})

test('a session from a recovery code does not need the current password', async () => {
  const { account } = await current.createConfirmedAccount()
  const client = current.openTab()
  await client.resetPasswordForEmail(account.email)
  const { code: token } = await current.catcher.next(account.email)
  await client.verifyOtp({ type: 'recovery', email: account.email, token })
  assert.equal((await client.updateUser({ password: 'another1' })).error, null)
})

test('the current password is checked whenever the caller sends it', async () => {
  const { client } = await recent.createConfirmedAccount()
  const change = client.updateUser({ password: 'another1', current_password: 'wrong' })
  assert.deepEqual(await getAuthError(change), [400, 'current_password_invalid'])
})
