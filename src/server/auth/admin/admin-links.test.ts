import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createAdminApp } from '#server/testing/app/admin-app.ts'
import { getAuthError } from '#server/testing/people/auth-clients.ts'

const t = await createAdminApp()
after(() => t.close())
const { admin, catcher, createConfirmedAccount, followLink, newAccount, openTab, signInInTab } = t

test('an invitation creates an account that its owner accepts by mail', async () => {
  const { email } = newAccount()
  const redirectTo = `${t.config.public_url}/bienvenue`
  const { data, error } = await admin.inviteUserByEmail(email, {
    data: { ville: 'Lyon' },
    redirectTo,
  })
  assert.equal(error, null)
  assert.ok(data.user?.invited_at && data.user.confirmation_sent_at)
  const mail = await catcher.next(email)
  assert.equal(mail.subject, 'Votre invitation sur Quizaine')
  const { fragment, location } = await followLink(mail.link)
  assert.deepEqual([fragment.type, location.pathname], ['invite', '/bienvenue'])
  const client = openTab()
  await client.setSession({
    access_token: fragment.access_token ?? '',
    refresh_token: fragment.refresh_token ?? '',
  })
  assert.equal((await client.updateUser({ password: 'secret1' })).error, null)
  await signInInTab({ email, password: 'secret1' })
  assert.deepEqual(await getAuthError(admin.inviteUserByEmail(email)), [422, 'email_exists'])
})

test('links of every type are returned to an administrator and not sent', async () => {
  // The mails of earlier tests may be on their way.
  await t.waitForMails()
  const sent = catcher.mails.length
  const { account } = await createConfirmedAccount()
  const fresh = newAccount()
  const signup = await admin.generateLink({ type: 'signup', ...fresh })
  assert.equal(signup.error, null)
  assert.deepEqual(
    [signup.data.user?.email, signup.data.properties?.verification_type],
    [fresh.email, 'signup'],
  )
  assert.ok((await followLink(signup.data.properties?.action_link ?? '')).fragment.access_token)
  await signInInTab(fresh)

  const token_hash = async (params: Parameters<typeof admin.generateLink>[0]) => {
    const { data, error } = await admin.generateLink(params)
    assert.equal(error, null, params.type)
    return data.properties?.hashed_token ?? ''
  }
  const opens = async (type: 'magiclink' | 'recovery' | 'invite' | 'email_change', hash: string) =>
    (await openTab().verifyOtp({ type, token_hash: hash })).data.session !== null
  const { email } = account
  assert.ok(await opens('magiclink', await token_hash({ type: 'magiclink', email })))
  assert.ok(await opens('recovery', await token_hash({ type: 'recovery', email })))
  const invited = newAccount().email
  assert.ok(await opens('invite', await token_hash({ type: 'invite', email: invited })))
  const newEmail = newAccount().email
  const one = await token_hash({ type: 'email_change_current', email, newEmail })
  const two = await token_hash({ type: 'email_change_new', email, newEmail })
  assert.equal(await opens('email_change', one), false)
  assert.ok(await opens('email_change', two))
  await signInInTab({ ...account, email: newEmail })

  const unknown = newAccount().email
  assert.deepEqual(await getAuthError(admin.generateLink({ type: 'recovery', email: unknown })), [
    404,
    'user_not_found',
  ])
  assert.ok(await opens('magiclink', await token_hash({ type: 'magiclink', email: unknown })))
  await catcher.next(email)
  const subjects = catcher.mails.slice(sent).map(({ subject }) => subject)
  const expected = ['Confirmez votre adresse email', 'L’adresse de votre compte a été changée']
  assert.deepEqual(new Set(subjects), new Set(expected))
})

test('an accepted invitation removes the password of a stranger who signed up with the address before', async () => {
  const stranger = newAccount()
  await openTab().signUp(stranger)
  await catcher.next(stranger.email)
  assert.equal((await admin.inviteUserByEmail(stranger.email)).error, null)
  const { link } = await catcher.next(stranger.email)
  assert.ok((await followLink(link)).fragment.access_token)
  const refused = await getAuthError(openTab().signInWithPassword(stranger))
  assert.deepEqual(refused, [400, 'invalid_credentials'])
})

test('a sign-up link and an invitation set exactly the requested metadata', async () => {
  const data = { status: 'alpha' }
  const account = newAccount()
  const signup = await admin.generateLink({ type: 'signup', ...account, options: { data } })
  assert.deepEqual(signup.data.user?.user_metadata, data)
  const [identity] = signup.data.user?.identities ?? []
  assert.deepEqual(identity?.identity_data, {
    sub: signup.data.user?.id,
    email: account.email,
    email_verified: false,
    phone_verified: false,
  })
  const invited = await admin.inviteUserByEmail(newAccount().email, { data })
  assert.deepEqual(invited.data.user?.user_metadata, data)
  const { email } = newAccount()
  const made = await admin.generateLink({ type: 'invite', email, options: { data } })
  assert.deepEqual(made.data.user?.user_metadata, data)

  const more = { plan: 'libre', status: 'beta' }
  const again = await admin.generateLink({ type: 'signup', ...account, options: { data: more } })
  assert.deepEqual(again.data.user?.user_metadata, more)
  assert.ok((await followLink(again.data.properties?.action_link ?? '')).fragment.access_token)
  const { session } = await signInInTab(account)
  assert.deepEqual(session.user.user_metadata, { ...more, email_verified: true })
})
