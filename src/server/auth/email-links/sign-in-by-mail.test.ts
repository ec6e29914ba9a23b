import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const t = await createMailApp()
after(() => t.close())
const {
  catcher,
  createConfirmedAccount,
  followLink,
  newAccount,
  openTab,
  waitForMails,
  signInInTab,
} = t

const ask = (email: string, options = {}) => openTab().signInWithOtp({ email, options })

test('a known address gets a link and a code, and each signs in', async () => {
  const { account, user } = await createConfirmedAccount()
  assert.equal((await ask(account.email)).error, null)
  const mail = await catcher.next(account.email)
  assert.equal(mail.subject, 'Votre lien de connexion')
  assert.equal(new URL(mail.link).searchParams.get('type'), 'magiclink')
  const { fragment } = await followLink(mail.link)
  assert.equal(fragment.type, 'magiclink')
  assert.ok(fragment.access_token)
  assert.deepEqual(
    await getAuthError(
      openTab().verifyOtp({ type: 'email', email: account.email, token: mail.code }),
    ),
    [403, 'otp_expired'],
    'the link used its code up',
  )
  await ask(account.email)
  const { code: token } = await catcher.next(account.email)
  const { data, error } = await openTab().verifyOtp({ type: 'email', email: account.email, token })
  assert.equal(error, null)
  assert.equal(data.user?.id, user.id)
  await signInInTab(account)
})

test('an unknown address gets an account without a password, confirmed by the mail', async () => {
  const { email } = newAccount()
  assert.equal((await ask(email, { data: { ville: 'Lyon' } })).error, null)
  const { link, code: token, subject } = await catcher.next(email)
  assert.equal(subject, 'Votre lien de connexion')
  assert.equal(new URL(link).searchParams.get('type'), 'signup')
  const client = openTab()
  const { data, error } = await client.verifyOtp({ type: 'email', email, token })
  assert.equal(error, null)
  assert.equal(data.user?.user_metadata.ville, 'Lyon')
  for (const password of ['', 'secret1'])
    assert.deepEqual(await getAuthError(openTab().signInWithPassword({ email, password })), [
      400,
      'invalid_credentials',
    ])
  assert.equal((await client.updateUser({ password: 'secret1' })).error, null)
  await signInInTab({ email, password: 'secret1' })
})

test('a sign-up sets no password on an unconfirmed account that was created without one', async () => {
  const account = newAccount()
  await ask(account.email)
  await catcher.next(account.email)
  assert.equal((await openTab().signUp(account)).error, null)
  assert.ok((await followLink((await catcher.next(account.email)).link)).fragment.access_token)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'invalid_credentials',
  ])
})

test('a password removed by a sign-in by mail is not restored by a later confirmation', async () => {
  const stranger = newAccount()
  await openTab().signUp(stranger)
  await catcher.next(stranger.email)
  await ask(stranger.email)
  await catcher.next(stranger.email)
  await openTab().signUp(stranger)
  assert.ok((await followLink((await catcher.next(stranger.email)).link)).fragment.access_token)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(stranger)), [
    400,
    'invalid_credentials',
  ])
})

test('without create_user, an unknown address gets no mail but the same answer', async () => {
  const { account } = await createConfirmedAccount()
  const { email } = newAccount()
  const known = await ask(account.email, { shouldCreateUser: false })
  const unknown = await ask(email, { shouldCreateUser: false })
  assert.deepEqual(unknown, known)
  await catcher.next(account.email)
  await waitForMails()
  assert.deepEqual(
    catcher.mails.filter(({ to }) => to === email),
    [],
  )
})

test('a sign-in by mail removes the password of a stranger who signed up with the address', async () => {
  const stranger = newAccount()
  await openTab().signUp(stranger)
  await catcher.next(stranger.email)
  await ask(stranger.email)
  const { code: token } = await catcher.next(stranger.email)
  const owner = await openTab().verifyOtp({ type: 'email', email: stranger.email, token })
  assert.equal(owner.error, null)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(stranger)), [
    400,
    'invalid_credentials',
  ])
})

const over = [429, 'over_request_rate_limit']
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')
const verifyFor = (email: string) => (token: string) =>
  getAuthError(openTab().verifyOtp({ type: 'email', email, token }))

test('a code is invalid after five wrong attempts, but its link stays valid', async () => {
  const { account } = await createConfirmedAccount()
  await ask(account.email)
  const { code, link } = await catcher.next(account.email)
  const verify = verifyFor(account.email)
  const all = await Promise.all(Array.from({ length: 60 }, () => verify(wrongOf(code))))
  assert.equal(all.filter((answer) => String(answer) === '403,otp_expired').length, 5)
  assert.deepEqual(await verify(code), over)
  assert.ok((await followLink(link)).fragment.access_token)
})

testInAll(
  'another mail does not reset the hourly attempts of a known or unknown address',
  async () => {
    const { account } = await createConfirmedAccount()
    const verify = verifyFor(account.email)
    for (let mail = 0; mail < 5; mail += 1) {
      await ask(account.email)
      const { code } = await catcher.next(account.email)
      assert.deepEqual(await verify(wrongOf(code)), [403, 'otp_expired'])
    }
    await ask(account.email)
    const { code, link } = await catcher.next(account.email)
    assert.deepEqual(await verify(code), over)
    assert.ok(
      (await followLink(link)).fragment.access_token,
      'its link opens the account all the same',
    )
    const unknown = verifyFor('inconnue@example.org')
    for (let tries = 0; tries < 5; tries += 1)
      assert.deepEqual(await unknown('abcdef'), [403, 'otp_expired'])
    assert.deepEqual(await unknown('abcdef'), over)
    await t.pool.query(`update recent_attempts set began_at = began_at - interval '61 minutes'`)
    await ask(account.email)
    assert.equal(await verify((await catcher.next(account.email)).code), undefined, 'an hour later')
  },
)

test('a new code has all its attempts after those at the code before were used up', async () => {
  const { account } = await createConfirmedAccount()
  const verify = verifyFor(account.email)
  await ask(account.email)
  const { code } = await catcher.next(account.email)
  for (let tries = 0; tries < 5; tries += 1)
    assert.deepEqual(await verify(wrongOf(code)), [403, 'otp_expired'])
  await t.pool.query(`update recent_attempts set began_at = began_at - interval '61 minutes'`)
  await ask(account.email)
  assert.equal(await verify((await catcher.next(account.email)).code), undefined)
})

testInAll('the fifth attempt can succeed, and correct codes are not counted', async () => {
  const { account } = await createConfirmedAccount()
  const verify = verifyFor(account.email)
  await ask(account.email)
  const first = await catcher.next(account.email)
  for (let tries = 0; tries < 4; tries += 1) await verify('abcdef')
  assert.equal(await verify(first.code), undefined)
  for (let again = 0; again < 3; again += 1) {
    await ask(account.email)
    assert.equal(await verify((await catcher.next(account.email)).code), undefined)
  }
})

test('a recovery link signs in and lets its owner choose a password', async () => {
  const { account, client: elsewhere } = await createConfirmedAccount()
  const { error } = await openTab().resetPasswordForEmail(account.email, {
    redirectTo: `${t.config.public_url}/nouveau-mot-de-passe`,
  })
  assert.equal(error, null)
  const mail = await catcher.next(account.email)
  assert.equal(mail.subject, 'Choisissez un nouveau mot de passe')
  const { fragment, location } = await followLink(mail.link)
  assert.equal(location.pathname, '/nouveau-mot-de-passe')
  assert.equal(fragment.type, 'recovery')
  const client = openTab()
  await client.setSession({
    access_token: fragment.access_token ?? '',
    refresh_token: fragment.refresh_token ?? '',
  })
  assert.equal((await client.updateUser({ password: 'another1' })).error, null)
  assert.equal((await elsewhere.getUser()).error?.name, 'AuthSessionMissingError')
  await signInInTab({ ...account, password: 'another1' })
  const notice = await catcher.next(account.email)
  assert.equal(notice.subject, 'Votre mot de passe a été changé')
  assert.equal(notice.link, '')
})

test('a recovery code triggers the PASSWORD_RECOVERY event of the client', async () => {
  const { account } = await createConfirmedAccount()
  const client = openTab()
  const events: string[] = []
  client.onAuthStateChange((event) => void events.push(event))
  await client.resetPasswordForEmail(account.email)
  const { code: token } = await catcher.next(account.email)
  const { error } = await client.verifyOtp({ type: 'recovery', email: account.email, token })
  assert.equal(error, null)
  assert.ok(events.includes('PASSWORD_RECOVERY'))
})

test('a password change invalidates every link and code sent before', async () => {
  const { client, account } = await createConfirmedAccount()
  await openTab().resetPasswordForEmail(account.email)
  const { link, code } = await catcher.next(account.email)
  assert.equal((await client.updateUser({ password: 'another1' })).error, null)
  assert.equal((await followLink(link)).fragment.error_code, 'otp_expired')
  assert.deepEqual(
    await getAuthError(
      openTab().verifyOtp({ type: 'recovery', email: account.email, token: code }),
    ),
    [403, 'otp_expired'],
  )
})

test('known and unknown addresses get the same answer to every request', async () => {
  const { account } = await createConfirmedAccount()
  const raw = async (path: string, body: object) => {
    const reply = await t.raw({
      method: 'POST',
      url: `/auth/v1${path}`,
      headers: { 'x-supabase-api-version': '2024-01-01' },
      body,
    })
    const { date: _date, 'x-request-id': _id, ...headers } = reply.headers
    return { status: reply.statusCode, headers, body: reply.body }
  }
  const alike = async (path: string, more: object = {}) => {
    const known = await raw(path, { email: account.email, ...more })
    const unknown = await raw(path, { email: 'nobody@example.org', ...more })
    assert.deepEqual(unknown, known, path)
    return known
  }
  for (const path of ['/recover', '/otp']) {
    const { status, body } = await alike(path)
    assert.deepEqual([status, body], [200, '{}'])
  }
  for (const type of ['signup', 'email_change'])
    assert.equal((await alike('/resend', { type })).body, '{}')
  for (const type of ['signup', 'invite', 'magiclink', 'recovery', 'email'])
    assert.equal((await alike('/verify', { type, token: 'abcdef' })).status, 403)
  await t.pool.query('delete from recent_attempts')
  assert.equal((await alike('/verify', { type: 'email_change', token: 'abcdef' })).status, 403)
  assert.equal((await alike('/token?grant_type=password', { password: 'wrong1' })).status, 400)
})

test('a malformed verification request is refused', async () => {
  const verify = async (body: object) => {
    const reply = await t.raw({ method: 'POST', url: '/auth/v1/verify', body })
    return [reply.statusCode, reply.json().error_code]
  }
  const bad = [400, 'validation_failed']
  const email = 'a@example.org'
  assert.deepEqual(await verify({}), bad)
  assert.deepEqual(await verify({ type: 'signup' }), bad)
  assert.deepEqual(await verify({ type: 'signup', token: '123456' }), bad)
  assert.deepEqual(await verify({ type: 'signup', token: '1', token_hash: '2' }), bad)
  assert.deepEqual(await verify({ type: 'signup', token_hash: '2', email }), bad)
  assert.deepEqual(await verify({ type: 'toString', token_hash: '2' }), bad)
  assert.deepEqual(await verify({ type: 'sms', phone: 'x', token: '123456' }), bad)
  assert.deepEqual(await verify({ type: 'signup', email: 'x', token: '1' }), [422, bad[1]])
  assert.deepEqual(await verify({ type: 'signup', token_hash: 'x' }), [403, 'otp_expired'])
  const missing = await t.raw({ url: '/auth/v1/verify?type=signup' })
  assert.deepEqual([missing.statusCode, missing.json().error_code], bad)
})
