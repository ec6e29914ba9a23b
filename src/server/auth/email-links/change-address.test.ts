import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMailApp, type MailApp } from '#server/testing/app/mail-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'

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

/** Creates an account with a pending change of address, and returns both mails. */
const changing = async () => {
  const { client, account, user } = await createConfirmedAccount()
  const { email: new_email } = newAccount()
  const { data, error } = await client.updateUser({ email: new_email })
  assert.equal(error, null)
  const current = await catcher.next(account.email)
  const next = await catcher.next(new_email)
  return { client, account, user, new_email, current, next, answer: data.user }
}

/** Returns the last mail to an address, after all mails were sent. */
const findLastMail = async ({ catcher, waitForMails }: MailApp, address: string) => {
  await waitForMails()
  return catcher.mails.findLast(({ to }) => to === address)
}

test('a change of address takes effect only after both addresses confirm it', async () => {
  const { client, account, new_email, current, next, answer } = await changing()
  assert.deepEqual([answer?.email, answer?.new_email], [account.email, new_email])
  assert.ok(answer?.email_change_sent_at)
  assert.equal(current.subject, 'Confirmez le changement d’adresse email')
  assert.ok(current.text.includes(new_email))
  assert.equal(next.subject, 'Confirmez votre nouvelle adresse email')
  assert.notEqual(current.code, '')
  assert.notEqual(current.link, next.link)

  const half = await followLink(next.link)
  assert.equal(half.status, 303)
  assert.deepEqual(Object.keys(half.fragment), ['message', 'sb'])
  assert.match(half.fragment.message ?? '', /^Confirmation link accepted/)
  assert.equal((await client.getUser()).data.user?.email, account.email)

  const { fragment } = await followLink(current.link)
  assert.equal(fragment.type, 'email_change')
  assert.ok(fragment.access_token)
  const { data } = await client.getUser()
  assert.equal(data.user?.email, new_email)
  assert.equal(data.user.new_email, undefined)
  assert.equal(data.user.user_metadata.email, new_email)
  assert.deepEqual(
    data.user.identities?.map(({ identity_data }) => identity_data?.email),
    [new_email],
  )
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'invalid_credentials',
  ])
  await signInInTab({ ...account, email: new_email })
  const notice = await findLastMail(t, account.email)
  assert.equal(notice?.subject, 'L’adresse de votre compte a été changée')
  assert.ok(notice.text.includes(new_email))
})

test('a code confirms a change of address only together with the address that received it', async () => {
  const { client, account, new_email, current, next } = await changing()
  const verify = (email: string, token: string) =>
    openTab().verifyOtp({ type: 'email_change', email, token })
  assert.deepEqual(await getAuthError(verify(account.email, next.code)), [403, 'otp_expired'])
  const half = await verify(account.email, current.code)
  assert.equal(half.error, null)
  assert.deepEqual(half.data, { user: null, session: null })
  const raw = await t.raw({
    method: 'POST',
    url: '/auth/v1/verify',
    body: { type: 'email_change', email: new_email, token: next.code },
  })
  assert.equal(raw.statusCode, 200)
  assert.equal(raw.json().user.email, new_email)
  assert.equal((await client.getUser()).data.user?.email, new_email)
})

test('the first confirmation answers with a message and the code 200', async () => {
  const { account, current } = await changing()
  const { statusCode, body } = await t.raw({
    method: 'POST',
    url: '/auth/v1/verify',
    body: { type: 'email_change', email: account.email, token: current.code },
  })
  assert.equal(statusCode, 200)
  const { msg, ...rest } = JSON.parse(body)
  assert.deepEqual(rest, { code: '200' })
  assert.match(msg, /^Confirmation link accepted/)
})

test('one address that confirms twice does not replace the confirmation of the other address', async () => {
  const { client, account, new_email, next } = await changing()
  await followLink(next.link)
  assert.equal((await openTab().resend({ type: 'email_change', email: account.email })).error, null)
  await catcher.next(account.email)
  const again = await catcher.next(new_email)
  assert.deepEqual(Object.keys((await followLink(again.link)).fragment), ['message', 'sb'])
  assert.equal((await client.getUser()).data.user?.email, account.email)
})

test('a second change replaces the first and invalidates its links', async () => {
  const { client, account, new_email, current, next } = await changing()
  await followLink(next.link)
  const { email: third } = newAccount()
  await client.updateUser({ email: third })
  const asked = await catcher.next(third)
  await catcher.next(account.email)
  assert.equal((await followLink(current.link)).fragment.error_code, 'otp_expired')
  assert.ok((await followLink(asked.link)).fragment.message)
  await waitForMails()
  const { data } = await client.getUser()
  assert.deepEqual([data.user?.email, data.user?.new_email], [account.email, third])
  assert.notEqual(new_email, third)
})

test('an address in use is refused at the request, and also at the confirmation if another account took it meanwhile', async () => {
  const { account: other } = await createConfirmedAccount()
  const { client, account, new_email, current, next } = await changing()
  assert.deepEqual(await getAuthError(client.updateUser({ email: other.email.toUpperCase() })), [
    422,
    'email_exists',
  ])
  await createConfirmedAccount({ email: new_email, password: 'secret1' })
  await followLink(next.link)
  const late = await followLink(current.link)
  assert.equal(late.fragment.error_code, 'email_exists')
  assert.equal(late.fragment.error, undefined)
  assert.equal((await client.getUser()).data.user?.email, account.email)
})

test('a password change cancels a pending change of address', async () => {
  const { client, account, current, next } = await changing()
  await client.updateUser({ password: 'another1' })
  for (const { link } of [current, next])
    assert.equal((await followLink(link)).fragment.error_code, 'otp_expired')
  assert.equal((await client.getUser()).data.user?.email, account.email)
})

test('with PKCE, the first confirmation of a change of address adds a message to the query, and the second returns a code', async () => {
  const { account, session } = await createConfirmedAccount()
  const client = openTab('pkce')
  await client.setSession(session)
  const { email: new_email } = newAccount()
  assert.equal((await client.updateUser({ email: new_email })).error, null)
  const half = await followLink((await catcher.next(new_email)).link)
  assert.match(half.query.message ?? '', /^Confirmation link accepted/)
  assert.equal(half.fragment.message, half.query.message)
  const { query } = await followLink((await catcher.next(account.email)).link)
  const { data, error } = await client.exchangeCodeForSession(query.code ?? '')
  assert.equal(error, null)
  assert.equal(data.user?.email, new_email)
})

test('with autoconfirmation, one link is enough to change an address', async () => {
  const relaxed = await createMailApp({ AUTH_AUTOCONFIRM: 'true' })
  after(() => relaxed.close())
  for (const followed of ['current', 'new'] as const) {
    const { client, account } = await relaxed.signUpInTab()
    const { email } = relaxed.newAccount()
    assert.equal((await client.updateUser({ email })).error, null)
    const current = await relaxed.catcher.next(account.email)
    const next = await relaxed.catcher.next(email)
    assert.ok(current.text.includes('depuis l’une de vos deux adresses'))
    assert.equal((await client.getUser()).data.user?.email, account.email)
    const [one, other] = followed === 'current' ? [current, next] : [next, current]
    const { fragment } = await relaxed.followLink(one.link)
    assert.equal(fragment.type, 'email_change')
    assert.ok(fragment.access_token)
    const { user } = (await client.getUser()).data
    assert.equal(user?.email, email)
    // A link sent to the former address does not prove who owns the new address.
    const [identity] = user?.identities ?? []
    assert.equal(identity?.identity_data?.email_verified, followed === 'new')
    assert.equal((await relaxed.followLink(other.link)).fragment.error_code, 'otp_expired')
    await relaxed.signInInTab({ ...account, email })
    const notice = await findLastMail(relaxed, account.email)
    assert.equal(notice?.subject, 'L’adresse de votre compte a été changée')
  }
})
