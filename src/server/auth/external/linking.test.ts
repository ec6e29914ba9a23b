import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
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
} from '#server/testing/people/provider-journeys.ts'

const provider = await startOpenidProvider()
const app = await createTestApp({
  AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
  AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
  AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
  AUTH_MANUAL_LINKING: 'on',
  AUTH_ANONYMOUS: 'on',
})
after(async () => {
  await app.close()
  await provider.close()
})
const { browser, openTab, signUpInTab } = createAuthClients(
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

type Tab = ReturnType<typeof openTab>
const identitiesOf = async (tab: Tab) => (await tab.getUserIdentities()).data?.identities ?? []
const identityOf = async (tab: Tab, name: string) => {
  const found = (await identitiesOf(tab)).find((identity) => identity.provider === name)
  assert.ok(found)
  return found
}
const subjectOf = (landed: URL) => decodeJwt(fragmentOf(landed).access_token ?? '').sub

test('an account can link and unlink an identity, but must keep at least one', async () => {
  const { client, user } = await signUpInTab()
  assert.ok(fragmentOf(await linkIdentity(client)).access_token)
  const [first, second] = await identitiesOf(client)
  assert.ok(first && second)
  assert.equal(second.provider, 'maison')
  assert.equal(subjectOf(await completeSignIn(await startSignIn(openTab()))), user.id)

  const other = await signUpInTab()
  const taken = await linkIdentity(other.client)
  assert.equal(fragmentOf(taken).error_code, 'identity_already_exists')
  assert.equal(taken.searchParams.get('error_code'), 'identity_already_exists')
  assert.equal(fragmentOf(taken).error, 'server_error')
  const alone = [422, 'single_identity_not_deletable']
  assert.deepEqual(await getAuthError(other.client.unlinkIdentity(second)), alone)
  const foreign = {
    ...second,
    identity_id: (await identitiesOf(other.client))[0]?.identity_id ?? '',
  }
  assert.deepEqual(await getAuthError(client.unlinkIdentity(foreign)), [422, 'identity_not_found'])
  const odd = { ...second, identity_id: 'abc' }
  assert.deepEqual(await getAuthError(client.unlinkIdentity(odd)), [404, 'validation_failed'])
  assert.equal((await client.unlinkIdentity(second)).error, null)
  assert.deepEqual(await getAuthError(client.unlinkIdentity(first)), alone)
  const { data } = await client.getUser()
  assert.deepEqual(data.user?.app_metadata, { provider: 'email', providers: ['email'] })
})

test('an identity is linked only in the browser that started the linking', async () => {
  const { client } = await signUpInTab()
  const { data } = await client.linkIdentity({
    provider: 'maison' as 'google',
    options: { redirectTo: 'http://localhost:3000/settings', skipBrowserRedirect: true },
  })
  // An attacker sends this URL to another person, who returns to their own browser.
  const back = await provider.visit(data.url ?? '')
  const { location } = await openInBrowser(back.href, { cookie: '' })
  assert.equal(new URL(location).searchParams.get('error_code'), 'bad_oauth_state')
  assert.equal((await identitiesOf(client)).length, 1)
  assert.ok(fragmentOf(new URL((await openInBrowser(back.href)).location)).access_token)
  assert.equal((await identitiesOf(client)).length, 2)
})

test('with PKCE, an identity is linked when the client that started the linking exchanges the code', async () => {
  const { account } = await signUpInTab()
  const client = openTab('pkce')
  await client.signInWithPassword(account)
  const options = { redirectTo: 'https://ailleurs.example/', skipBrowserRedirect: true }
  const begun = async () => {
    const { data } = await client.linkIdentity({ provider: 'maison' as 'google', options })
    const back = await provider.visit(data.url ?? '')
    // A page of another origin or a program has no cookie of this application.
    return new URL((await openInBrowser(back.href, { cookie: '' })).location)
  }
  const code = (await begun()).searchParams.get('code') ?? ''
  assert.equal((await openTab('pkce').exchangeCodeForSession(code)).data.session, null)
  assert.equal((await identitiesOf(client)).length, 1)
  const { data, error } = await client.exchangeCodeForSession(code)
  assert.equal(error, null)
  assert.deepEqual(
    data.user?.identities?.map(({ provider }) => provider),
    ['email', 'maison'],
  )
  assert.equal((await begun()).searchParams.get('error_code'), 'identity_already_exists')
})

test('unlinking the email identity keeps the verified address of the provider and removes the password', async () => {
  const { client, account, user } = await signUpInTab()
  await linkIdentity(client)
  assert.equal((await client.unlinkIdentity(await identityOf(client, 'email'))).error, null)
  const { data } = await client.getUser()
  assert.equal(data.user?.email, provider.person.email)
  assert.deepEqual(data.user?.app_metadata, { provider: 'maison', providers: ['maison'] })
  const refused = [400, 'invalid_credentials']
  for (const email of [account.email, String(provider.person.email)]) {
    const attempt = openTab().signInWithPassword({ email, password: account.password })
    assert.deepEqual(await getAuthError(attempt), refused, email)
  }
  assert.equal(subjectOf(await completeSignIn(await startSignIn(openTab()))), user.id)
})

test('unlinking is refused if the remaining address belongs to another account', async () => {
  const { account } = await signUpInTab()
  const { client } = await signUpInTab()
  provider.person = createProviderUser({ email: account.email })
  await linkIdentity(client)
  assert.deepEqual(await getAuthError(client.unlinkIdentity(await identityOf(client, 'email'))), [
    422,
    'email_conflict_identity_not_deletable',
  ])
  assert.equal((await identitiesOf(client)).length, 2)
})

test('an anonymous account that links a provider keeps its id and gets the verified address of the provider if no account has that address', async () => {
  const client = openTab()
  const { data } = await client.signInAnonymously()
  await linkIdentity(client)
  const { data: now } = await client.getUser()
  assert.equal(now.user?.id, data.user?.id)
  assert.deepEqual([now.user?.is_anonymous, now.user?.email], [false, provider.person.email])

  const { account } = await signUpInTab()
  const second = openTab()
  await second.signInAnonymously()
  provider.person = createProviderUser({ email: account.email })
  assert.equal(fragmentOf(await linkIdentity(second)).error_code, 'email_exists')
  provider.person = createProviderUser({ email: account.email, email_verified: false })
  assert.ok(fragmentOf(await linkIdentity(second)).access_token)
  assert.equal((await second.getUser()).data.user?.email, '')
})

test('with a second factor, identities change only after the factor is verified', async () => {
  const { client, account } = await signUpInTab()
  const { data } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Téléphone' })
  assert.ok(data?.type === 'totp')
  const code = new TOTP({ secret: data.totp.secret }).generate()
  await client.mfa.challengeAndVerify({ factorId: data.id, code })
  await linkIdentity(client)
  const identity = await identityOf(client, 'maison')
  const half = openTab()
  await half.signInWithPassword(account)
  const refused = [401, 'insufficient_aal']
  assert.deepEqual(await getAuthError(half.unlinkIdentity(identity)), refused)
  const adding = half.linkIdentity({
    provider: 'maison' as 'google',
    options: { skipBrowserRedirect: true },
  })
  assert.deepEqual(await getAuthError(adding), refused)
  assert.equal((await client.unlinkIdentity(identity)).error, null)
})

test('a banned account that signs in through a provider gets `user_banned` in the redirect', async () => {
  const id = subjectOf(await completeSignIn(await startSignIn(openTab())))
  await app.pool.query(`update users set banned_until = now() + interval '1 day' where id = $1`, [
    id ?? randomUUID(),
  ])
  const landed = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.deepEqual([landed.error, landed.error_code], ['access_denied', 'user_banned'])
})

test('a new password invalidates pending linkings and unused codes', async () => {
  const { account } = await signUpInTab()
  const client = openTab('pkce')
  await client.signInWithPassword(account)
  const options = { redirectTo: 'http://localhost:3000/settings', skipBrowserRedirect: true }
  const begun = async () => {
    const { data } = await client.linkIdentity({ provider: 'maison' as 'google', options })
    return provider.visit(data.url ?? '')
  }
  const waiting = await begun()
  const code =
    new URL((await openInBrowser((await begun()).href)).location).searchParams.get('code') ?? ''
  assert.notEqual(code, '')
  assert.equal((await client.updateUser({ password: 'un-autre-1' })).error, null)
  const { location } = await openInBrowser(waiting.href)
  assert.equal(new URL(location).searchParams.get('error_code'), 'bad_oauth_state')
  assert.deepEqual(await getAuthError(client.exchangeCodeForSession(code)), [
    404,
    'flow_state_not_found',
  ])
  assert.equal((await identitiesOf(client)).length, 1)
})
