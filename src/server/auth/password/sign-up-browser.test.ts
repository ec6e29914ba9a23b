import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { createMailApp } from '#server/testing/app/mail-app.ts'
import { createAuthClients, getAuthError } from '#server/testing/people/auth-clients.ts'

// Runs in test:all, because it repeats a flow of links and addresses in many orders.

const t = await createMailApp()
after(() => t.close())
const { catcher, createConfirmedAccount, followLink, newAccount, openTab, signInInTab } = t
const notIn = [400, 'invalid_credentials']

/** Creates clients of another browser. */
const elsewhere = () => createAuthClients(t.origin)
const toConfirmation = { emailRedirectTo: `${t.config.public_url}/confirmation` }

test('a link opened in a different browser from the sign-up activates no password and asks for a new one', async () => {
  const account = newAccount()
  const stranger = elsewhere()
  await stranger.openTab().signUp({ ...account, options: toConfirmation })
  const mail = await catcher.next(account.email)
  assert.equal(new URL(mail.link).searchParams.get('redirect_to'), toConfirmation.emailRedirectTo)
  const { location, fragment } = await followLink(mail.link)
  assert.equal(location.pathname, '/new-password')
  assert.deepEqual(await getAuthError(stranger.openTab().signInWithPassword(account)), notIn)
  const client = openTab()
  const { access_token = '', refresh_token = '' } = fragment
  assert.equal((await client.setSession({ access_token, refresh_token })).error, null)
  assert.equal((await client.updateUser({ password: 'of-the-owner' })).error, null)
  await signInInTab({ ...account, password: 'of-the-owner' })
})

test('a link opened in the browser of the sign-up keeps the password', async () => {
  const account = newAccount()
  const { browser, openTab: openTheirs } = elsewhere()
  await openTheirs().signUp({ ...account, options: toConfirmation })
  const { location } = await followLink((await catcher.next(account.email)).link, browser)
  assert.equal(location.pathname, '/confirmation')
  await signInInTab(account)
})

test('a browser that signed up with another address does not confirm the password of this sign-up', async () => {
  await openTab().signUp(newAccount())
  const account = newAccount()
  await elsewhere().openTab().signUp(account)
  await followLink((await catcher.next(account.email)).link)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), notIn)
})

test('the sign-up cookie is set for known and new addresses alike, and only its hash is stored', async () => {
  const { account } = await createConfirmedAccount()
  const cookieOf = async (body: object) => {
    const reply = await t.raw({ method: 'POST', url: '/auth/v1/signup', body })
    return String(reply.headers['set-cookie'] ?? '')
  }
  for (const email of [account.email, newAccount().email])
    assert.match(
      await cookieOf({ email, password: 'secret1' }),
      /^quizaine_signup=[\w-]{43}; Path=\/auth\/v1; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    )
  assert.equal(await cookieOf({ email: 'odd', password: 'secret1' }), '')
  const stored = JSON.stringify(await t.db.selectFrom('password_origins').selectAll().execute())
  assert.ok(stored.includes('browser_hash'))
  for (const value of t.browser.cookie.split('; '))
    assert.ok(!stored.includes(value.slice(value.indexOf('=') + 1)))
})

test('a mail requested again in another browser does not change the browser of the sign-up', async () => {
  const [mine, theirs] = [newAccount(), newAccount()]
  const stranger = elsewhere()
  await openTab().signUp(mine)
  await catcher.next(mine.email)
  await stranger.openTab().resend({ type: 'signup', email: mine.email })
  await followLink((await catcher.next(mine.email)).link)
  await signInInTab(mine)

  await stranger.openTab().signUp(theirs)
  await catcher.next(theirs.email)
  await openTab().resend({ type: 'signup', email: theirs.email })
  await followLink((await catcher.next(theirs.email)).link)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(theirs)), notIn)
})

test('a person who gives the same password in a second browser can confirm it in the second browser', async () => {
  const account = newAccount()
  const earlier = elsewhere()
  await earlier.openTab().signUp(account)
  await catcher.next(account.email)
  await openTab().signUp(account)
  await followLink((await catcher.next(account.email)).link)
  await signInInTab(account)
})

test('a code or a token hash keeps the password only if it is used in the browser of the sign-up', async () => {
  for (const [isSame, form] of [
    [true, 'code'],
    [false, 'code'],
    [true, 'hash'],
    [false, 'hash'],
  ] as const) {
    const account = newAccount()
    const { email } = account
    await openTab().signUp(account)
    const { code: token, link } = await catcher.next(email)
    const token_hash = new URL(link).searchParams.get('token') ?? ''
    const tab = isSame ? openTab() : elsewhere().openTab()
    const { error } = await tab.verifyOtp(
      form === 'code' ? { type: 'signup', email, token } : { type: 'signup', token_hash },
    )
    assert.equal(error, null)
    const refused = await getAuthError(openTab().signInWithPassword(account))
    assert.deepEqual(refused, isSame ? undefined : notIn, `${form}, same browser: ${isSame}`)
  }
})

test('a PKCE sign-up confirmed without its cookie keeps its password after the client exchanges the code', async () => {
  const account = newAccount()
  const client = elsewhere().openTab('pkce')
  await client.signUp(account)
  const { query } = await followLink((await catcher.next(account.email)).link)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), notIn)
  assert.equal((await client.exchangeCodeForSession(query.code ?? '')).error, null)
  await signInInTab(account)
})

test('a PKCE sign-up that is confirmed through another client’s flow activates no password', async () => {
  const account = newAccount()
  await elsewhere().openTab('pkce').signUp(account)
  await catcher.next(account.email)
  const verifier = 'v'.repeat(64)
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const body = {
    type: 'signup',
    email: account.email,
    code_challenge,
    code_challenge_method: 's256',
  }
  await t.raw({ method: 'POST', url: '/auth/v1/resend', body })
  const { query } = await followLink((await catcher.next(account.email)).link)
  const exchanged = await t.raw({
    method: 'POST',
    url: '/auth/v1/token?grant_type=pkce',
    body: { auth_code: query.code, code_verifier: verifier },
  })
  assert.equal(exchanged.statusCode, 200)
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), notIn)
})

test('a password set before the exchange of a code stays and invalidates the code', async () => {
  const account = newAccount()
  const client = elsewhere().openTab('pkce')
  await client.signUp(account)
  const { query } = await followLink((await catcher.next(account.email)).link)
  await openTab().resetPasswordForEmail(account.email)
  const { fragment } = await followLink((await catcher.next(account.email)).link)
  const { access_token = '', refresh_token = '' } = fragment
  const owner = openTab()
  await owner.setSession({ access_token, refresh_token })
  assert.equal((await owner.updateUser({ password: 'of-the-owner' })).error, null)
  const exchange = client.exchangeCodeForSession(query.code ?? '')
  assert.deepEqual(await getAuthError(exchange), [404, 'flow_state_not_found'])
  assert.deepEqual(await getAuthError(openTab().signInWithPassword(account)), notIn)
  await signInInTab({ ...account, password: 'of-the-owner' })
})
