import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'
import { startOpenidProvider } from '#server/testing/people/openid-provider.ts'
import {
  createJourneys,
  createProviderUser,
  fragmentOf,
  REDIRECT_URL,
} from '#server/testing/people/provider-journeys.ts'

const provider = await startOpenidProvider()
const app = await createTestApp({
  AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
  AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
  AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
  AUTH_MANUAL_LINKING: 'on',
  AUTH_PHONE: 'on',
})
after(async () => {
  await app.close()
  await provider.close()
})
const { browser, openTab, signUpInTab, signInInTab } = createAuthClients(
  await app.app.listen({ port: 0, host: '127.0.0.1' }),
)
const { openInBrowser, startSignIn, completeSignIn, linkIdentity } = createJourneys(
  app,
  provider,
  browser,
)
beforeEach(() => {
  provider.person = createProviderUser()
})

/** Marks the email address of an account as proven by mail. */
const proveByMail = (id: string) =>
  app.pool.query(`update users set email_proven_by = 'mail' where id = $1`, [id])

test('a verified provider address opens the existing account, and an unverified address does not', async () => {
  const { account, user } = await signUpInTab()
  await proveByMail(user.id)
  provider.person = createProviderUser({ email: account.email })
  const { access_token } = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(access_token ?? '').sub, user.id)
  const { data } = await (await signInInTab(account)).client.getUser()
  assert.deepEqual(data.user?.app_metadata.providers, ['email', 'maison'])

  const other = await signUpInTab()
  provider.person = createProviderUser({ email: other.account.email, email_verified: false })
  const landed = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.notEqual(decodeJwt(landed.access_token ?? '').sub, other.user.id)
  assert.equal(decodeJwt(landed.access_token ?? '').email, '')
})

test('a verified address with different characters before the @ does not open the account', async () => {
  const { account, user } = await signUpInTab()
  await proveByMail(user.id)
  const [name = '', domain = ''] = account.email.split('@')
  const wide = String.fromCodePoint((name.codePointAt(0) ?? 0) + 0xfee0) + name.slice(1)
  for (const email of [`${wide}@${domain}`, `\u200b${account.email}`]) {
    provider.person = createProviderUser({ email })
    const landed = await completeSignIn(await startSignIn(openTab()))
    const { access_token } = fragmentOf(landed)
    assert.notEqual(access_token ? decodeJwt(access_token).sub : undefined, user.id)
  }
  provider.person = createProviderUser({ email: account.email.replace('.', '。') })
  const { access_token } = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(access_token ?? '').sub, user.id)
})

test('a verified provider address removes the password, sessions and factors of an account that was only autoconfirmed', async () => {
  const { account, user, client } = await signUpInTab()
  const { data: enrolled } = await client.mfa.enroll({ factorType: 'totp' })
  assert.ok(enrolled?.type === 'totp')
  const code = new TOTP({ secret: enrolled.totp.secret }).generate()
  await client.mfa.challengeAndVerify({ factorId: enrolled.id, code })
  provider.person = createProviderUser()
  assert.ok(fragmentOf(await linkIdentity(client)).access_token)
  const strangers = provider.person
  const begun = await client.linkIdentity({
    provider: 'maison' as 'google',
    options: { redirectTo: REDIRECT_URL, skipBrowserRedirect: true },
  })

  provider.person = createProviderUser({ email: account.email })
  const { access_token = '' } = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(access_token).sub, user.id)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'invalid_credentials',
  ])
  assert.equal((await client.getUser()).error?.name, 'AuthSessionMissingError')
  const quizzes = { url: '/api/v1/quizzes', headers: { authorization: `Bearer ${access_token}` } }
  assert.equal((await app.raw(quizzes)).statusCode, 200, 'no factor of before is asked for')
  const proof = 'select email_proven_by from users where id = $1'
  const { rows } = await app.pool.query(proof, [user.id])
  assert.deepEqual(rows, [{ email_proven_by: 'provider' }])

  provider.person = strangers
  const { sub } = decodeJwt(
    fragmentOf(await completeSignIn(await startSignIn(openTab()))).access_token ?? '',
  )
  assert.notEqual(sub, user.id, 'another identity that was linked opens it no more')
  provider.person = createProviderUser()
  const back = await provider.visit(begun.data?.url ?? '')
  assert.match(
    (await openInBrowser(back.href)).location,
    /bad_oauth_state/,
    'nor does one that was begun',
  )

  provider.person = createProviderUser({ email: account.email })
  await openTab().signUp(account)
  const again = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(again.access_token ?? '').sub, user.id)
  assert.equal((await app.raw(quizzes)).statusCode, 200, 'once proven, sessions stay')
})

test('a person who signed up with an address and never confirmed it loses access when a provider verifies the address', async () => {
  const { account, user, client } = await signUpInTab()
  await app.pool.query('update users set email_confirmed_at = null where id = $1', [user.id])
  provider.person = createProviderUser({ email: account.email })
  const { access_token } = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(access_token ?? '').sub, user.id)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), [
    400,
    'invalid_credentials',
  ])
  assert.notEqual((await client.getUser()).error, null)
})

test('an unconfirmed phone number is removed when a provider verifies the email address', async () => {
  const { account, user, client } = await signUpInTab()
  const phone = '33612345678'
  assert.equal((await client.updateUser({ phone })).data.user?.new_phone, phone)
  provider.person = createProviderUser({ email: account.email })
  const { access_token } = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(access_token ?? '').sub, user.id)

  assert.equal((await openTab().resend({ type: 'phone_change', phone })).error, null)
  const { rows } = await app.pool.query(
    `select type from one_time_tokens where user_id = $1 union all
    select new_phone from users where id = $1 and new_phone is not null`,
    [user.id],
  )
  assert.deepEqual(rows, [], 'no code opens the account for the number')
})
