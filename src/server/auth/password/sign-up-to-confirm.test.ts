import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

const t = await createMailApp()
after(() => t.close())
const {
  catcher,
  followLink,
  newAccount,
  openTab,
  signInInTab,
  createConfirmedAccount,
  waitForMails,
} = t

test('a new account has no session until its confirmation link is opened', async () => {
  const account = newAccount()
  const { data, error } = await openTab().signUp({
    ...account,
    options: {
      emailRedirectTo: `${t.config.public_url}/bienvenue?from=mail`,
      data: { ville: 'Lyon' },
    },
  })
  assert.equal(error, null)
  assert.equal(data.session, null)
  assert.ok(data.user?.confirmation_sent_at)
  assert.equal(data.user.email_confirmed_at, undefined)
  assert.equal(data.user.user_metadata.email_verified, false)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'email_not_confirmed',
  ])

  const mail = await catcher.next(account.email)
  assert.equal(mail.from, 'Quizaine <bonjour@quiz.example>')
  assert.equal(mail.subject, 'Confirmez votre adresse email')
  assert.match(mail.html, /^<!doctype html>\n<html lang="fr">/)
  assert.ok(mail.html.includes(mail.link.replaceAll('&', '&amp;')))
  assert.match(mail.code, /^\d{6}$/)
  const { origin, pathname, searchParams } = new URL(mail.link)
  assert.equal(origin + pathname, `${t.config.public_url}/auth/v1/verify`)
  assert.deepEqual([...searchParams.keys()], ['token', 'type', 'redirect_to'])
  assert.match(searchParams.get('token') ?? '', /^[0-9a-f]{56}$/)
  assert.equal(searchParams.get('type'), 'signup')

  const { status, headers, location, fragment } = await followLink(mail.link)
  assert.equal(status, 303)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(
    location.origin + location.pathname + location.search,
    `${t.config.public_url}/bienvenue?from=mail`,
  )
  assert.deepEqual(Object.keys(fragment), [
    'access_token',
    'expires_at',
    'expires_in',
    'refresh_token',
    'sb',
    'token_type',
    'type',
  ])
  assert.deepEqual([fragment.type, fragment.sb, fragment.token_type], ['signup', '', 'bearer'])
  const client = openTab()
  const { data: set, error: refused } = await client.setSession({
    access_token: fragment.access_token ?? '',
    refresh_token: fragment.refresh_token ?? '',
  })
  assert.equal(refused, null)
  assert.ok(set.user?.email_confirmed_at && set.user.last_sign_in_at)
  assert.equal(set.user.user_metadata.email_verified, true)
  assert.equal(set.user.user_metadata.ville, 'Lyon')
  assert.equal(set.user.identities?.[0]?.identity_data?.email_verified, true)
  const { data: claims } = await client.getClaims()
  assert.deepEqual(
    claims?.claims.amr?.map((entry) => (typeof entry === 'object' ? entry.method : entry)),
    ['otp'],
  )
  assert.equal(claims?.claims.aal, 'aal1')
  await signInInTab(account)
})

test('a link works once and only for its own type', async () => {
  const account = newAccount()
  await openTab().signUp(account)
  const { link } = await catcher.next(account.email)
  const other = new URL(link)
  other.searchParams.set('type', 'recovery')
  const wrong = await followLink(other.href)
  assert.deepEqual(wrong.fragment, {
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
    sb: '',
  })
  const { pathname, search } = new URL(link)
  const head = await t.app.inject({ method: 'HEAD', url: `${pathname}${search}` })
  assert.equal(head.statusCode, 200)
  assert.ok((await followLink(link)).fragment.access_token)
  assert.equal((await followLink(link)).fragment.error_code, 'otp_expired')
})

test('only one of twenty concurrent requests with one link signs in', async () => {
  const account = newAccount()
  await openTab().signUp(account)
  const { link } = await catcher.next(account.email)
  const all = await Promise.all(Array.from({ length: 20 }, () => followLink(link)))
  assert.equal(all.filter(({ fragment }) => fragment.access_token).length, 1)
  assert.equal(all.filter(({ fragment }) => fragment.error_code === 'otp_expired').length, 19)
})

test('a code works instead of the link, once and only with its own address', async () => {
  const account = newAccount()
  await openTab().signUp(account)
  const { code: token } = await catcher.next(account.email)
  const type = 'signup'
  const verify = (email: string) => openTab().verifyOtp({ type, email, token })
  assert.deepEqual(await getAuthError(verify('nobody@example.org')), [403, 'otp_expired'])
  const { data, error } = await verify(account.email.toUpperCase())
  assert.equal(error, null)
  assert.ok(data.session && data.user?.email_confirmed_at)
  const again = await verify(account.email)
  assert.equal(again.error?.message, 'Token has expired or is invalid')
})

const notIn = [400, 'invalid_credentials']

test('signing up again with the same password sends another mail and invalidates the first', async () => {
  const account = newAccount()
  const first = await openTab().signUp(account)
  const { link } = await catcher.next(account.email)
  const second = await openTab().signUp(account)
  assert.equal(second.data.user?.id, first.data.user?.id)
  const mail = await catcher.next(account.email)
  assert.equal(
    (await followLink(link)).fragment.error_code,
    'otp_expired',
    'the first link was replaced',
  )
  assert.ok((await followLink(mail.link)).fragment.access_token)
  await signInInTab(account)
})

testInAll(
  'after two sign-ups with different passwords, a confirmation activates no password',
  async () => {
    const redirect = { emailRedirectTo: `${t.config.public_url}/confirmation` }
    for (const passwords of [
      ['of-a-stranger', 'of-the-owner'],
      ['of-the-owner', 'of-a-stranger'],
      ['of-a-stranger', 'of-the-owner', 'of-a-stranger'],
    ]) {
      const { email } = newAccount()
      let link = ''
      for (const password of passwords) {
        assert.equal((await openTab().signUp({ email, password, options: redirect })).error, null)
        link = (await catcher.next(email)).link
      }
      const { location, fragment } = await followLink(link)
      assert.ok(fragment.access_token, 'its owner is in')
      assert.equal(location.pathname, '/new-password', 'and is asked for a password')
      for (const password of passwords)
        assert.deepEqual(
          await getAuthError(openTab().signInWithPassword({ email, password })),
          notIn,
        )
      const client = openTab()
      await client.setSession({
        access_token: fragment.access_token ?? '',
        refresh_token: fragment.refresh_token ?? '',
      })
      assert.equal((await client.updateUser({ password: 'of-the-owner' })).error, null)
      await signInInTab({ email, password: 'of-the-owner' })
    }
  },
)

test('the link of the first sign-up, opened after the second sign-up, restores no password', async () => {
  const { email } = newAccount()
  await openTab().signUp({ email, password: 'of-a-stranger' })
  const { link } = await catcher.next(email)
  await t.db.updateTable('mail_jobs').set({ due_at: '2100-01-01' }).execute()
  await openTab().signUp({ email, password: 'of-the-owner' })
  await followLink(link)
  for (const password of ['of-a-stranger', 'of-the-owner'])
    assert.deepEqual(await getAuthError(openTab().signInWithPassword({ email, password })), notIn)
})

test('a sign-up with a known address is answered like a new one, with an invented account', async () => {
  const { account, user } = await createConfirmedAccount()
  const sent = catcher.mails.length
  const again = { ...account, password: 'another1', options: { data: { ville: 'Lyon' } } }
  const known = await openTab().signUp(again)
  const unknown = await openTab().signUp({ ...again, email: newAccount().email })
  assert.equal(known.error, null)
  assert.equal(known.data.session, null)
  const [fake, real] = [known.data.user, unknown.data.user]
  assert.ok(fake && real)
  assert.deepEqual(Object.keys(fake), Object.keys(real))
  assert.deepEqual(Object.keys(fake.user_metadata).sort(), Object.keys(real.user_metadata).sort())
  assert.notEqual(fake.id, user.id)
  assert.deepEqual([fake.role, fake.identities, fake.email], ['', [], account.email])
  assert.deepEqual(fake.app_metadata, real.app_metadata)
  assert.deepEqual([fake.user_metadata.sub, fake.user_metadata.ville], [fake.id, 'Lyon'])
  assert.ok(Math.abs(Date.parse(fake.created_at) - Date.now()) < 60_000)
  await waitForMails()
  assert.deepEqual(
    catcher.mails.slice(sent).filter(({ to }) => to === account.email),
    [],
  )
  await signInInTab(account)
  const made = await t.db.selectFrom('users').select('id').where('id', '=', fake.id).execute()
  assert.deepEqual(made, [])
})

test('twenty concurrent sign-ups of one address create one account', async () => {
  const account = newAccount()
  const all = await Promise.all(Array.from({ length: 20 }, () => openTab().signUp(account)))
  assert.deepEqual(new Set(all.map(({ error }) => error)), new Set([null]))
  assert.equal(new Set(all.map(({ data }) => data.user?.id)).size, 1)
})

testInAll(
  'a repeated confirmation mail is sent only to unconfirmed accounts, and every address gets the same answer',
  async () => {
    const account = newAccount()
    await openTab().signUp(account)
    await catcher.next(account.email)
    const resend = (email: string) => openTab().resend({ type: 'signup', email })
    assert.equal((await resend(account.email)).error, null)
    assert.ok((await followLink((await catcher.next(account.email)).link)).fragment.access_token)
    const sent = catcher.mails.length
    assert.equal((await resend(account.email)).error, null)
    assert.equal((await resend('nobody@example.org')).error, null)
    await waitForMails()
    assert.deepEqual(
      catcher.mails
        .slice(sent)
        .filter(({ to }) => [account.email, 'nobody@example.org'].includes(to)),
      [],
    )
  },
)

test('a link and its code expire after an hour', async () => {
  const account = newAccount()
  const { data } = await openTab().signUp(account)
  const { link, code } = await catcher.next(account.email)
  await t.db
    .updateTable('one_time_tokens')
    .set({ created_at: new Date(Date.now() - 3_601_000) })
    .where('user_id', '=', data.user?.id ?? '')
    .execute()
  assert.equal((await followLink(link)).fragment.error_code, 'otp_expired')
  assert.deepEqual(
    await getAuthError(openTab().verifyOtp({ type: 'signup', email: account.email, token: code })),
    [403, 'otp_expired'],
  )
})

test('neither links nor codes are stored in clear in the database', async () => {
  const account = newAccount()
  await openTab().signUp(account)
  const { link, code } = await catcher.next(account.email)
  const token = new URL(link).searchParams.get('token') ?? ''
  const rows = await t.db.selectFrom('one_time_tokens').selectAll().execute()
  const jobs = await t.db.selectFrom('mail_jobs').selectAll().execute()
  const stored = JSON.stringify([rows, jobs])
  assert.ok(rows.some(({ relates_to }) => relates_to === account.email))
  assert.ok(!stored.includes(token) && !stored.includes(`"${code}"`))
})
