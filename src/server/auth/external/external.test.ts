import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { decodeJwt } from 'jose'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createAuthClients } from '#server/testing/people/auth-clients.ts'
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
})
const without = await createTestApp()
after(async () => {
  await app.close()
  await without.close()
  await provider.close()
})
const origin = await app.app.listen({ port: 0, host: '127.0.0.1' })
const { browser, openTab } = createAuthClients(origin)

beforeEach(() => {
  provider.person = createProviderUser()
  provider.invalid_claims = {}
})

const { openInBrowser, startSignIn, completeSignIn } = createJourneys(app, provider, browser)

test('a first sign-in through a provider creates an account', async () => {
  const tab = openTab()
  const landed = await completeSignIn(await startSignIn(tab))
  assert.equal(landed.origin + landed.pathname, REDIRECT_URL)
  const { access_token = '', refresh_token = '', token_type, sb } = fragmentOf(landed)
  assert.deepEqual([token_type, sb], ['bearer', ''])
  const { provider_token, provider_refresh_token } = fragmentOf(landed)
  assert.match(provider_token ?? '', /^access-/)
  assert.match(provider_refresh_token ?? '', /^refresh-/)
  const { data } = await tab.setSession({ access_token, refresh_token })
  assert.ok(data.user)
  assert.equal(data.user.email, provider.person.email)
  assert.ok(data.user.email_confirmed_at)
  assert.deepEqual(data.user.app_metadata, { provider: 'maison', providers: ['maison'] })
  assert.equal(data.user.user_metadata.name, 'Camille Dupré')
  const [identity] = data.user.identities ?? []
  assert.deepEqual([identity?.provider, identity?.id], ['maison', provider.person.sub])
  const amr = decodeJwt(access_token).amr as { method: string }[]
  assert.deepEqual(
    amr.map(({ method }) => method),
    ['oauth'],
  )

  const again = fragmentOf(await completeSignIn(await startSignIn(openTab())))
  assert.equal(decodeJwt(again.access_token ?? '').sub, data.user.id)
})

test('with PKCE, only the client that started the sign-in can exchange the code', async () => {
  const tab = openTab('pkce')
  const landed = await completeSignIn(await startSignIn(tab))
  const code = landed.searchParams.get('code') ?? ''
  assert.equal(landed.hash, '')
  assert.equal((await openTab('pkce').exchangeCodeForSession(code)).data.session, null)
  const { data, error } = await tab.exchangeCodeForSession(code)
  assert.equal(error, null)
  assert.equal(data.user?.email, provider.person.email)
  assert.match(data.session?.provider_token ?? '', /^access-/)
  assert.match(data.session?.provider_refresh_token ?? '', /^refresh-/)
})

test('the tokens of a provider are stored encrypted until the client fetches them', async () => {
  const landed = await completeSignIn(await startSignIn(openTab('pkce')))
  assert.ok(landed.searchParams.get('code'))
  const { rows } = await app.pool.query<{ sealed: Buffer }>(
    'select sealed_provider_tokens as sealed from flow_states',
  )
  assert.ok(rows.length > 0)
  for (const { sealed } of rows) assert.equal(sealed.includes('access-'), false)
})

test('a provider can answer with a form, and no other call accepts forms', async () => {
  const back = await provider.visit((await openInBrowser(await startSignIn(openTab()))).location)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (url: string) =>
    app.raw({ method: 'POST', url, headers: form, body: back.search.slice(1) })
  const reply = await send('/auth/v1/callback')
  // A cross-site POST has no cookie. The browser sends the cookie to the redirect target.
  assert.equal(reply.statusCode, 303)
  const onward = String(reply.headers.location)
  assert.equal(onward, `http://localhost:3000/auth/v1/callback${back.search}`)
  assert.ok(fragmentOf(new URL((await openInBrowser(onward)).location)).access_token)
  const posted = { headers: form, body: 'state=a&code=b&user=c&redirect_to=d&state_=e' } as const
  const bare = await app.raw({ method: 'POST', url: '/auth/v1/callback', ...posted })
  assert.match(String(bare.headers.location), /callback\?state=a&code=b$/)
  assert.equal((await send('/auth/v1/signup')).statusCode, 415)
  const json = { method: 'POST', url: '/auth/v1/callback', body: {} } as const
  assert.equal((await app.raw(json)).statusCode, 415)
})

test('the provider receives state, nonce and a challenge, and clients cannot override reserved parameters', async () => {
  const { location } = await openInBrowser(
    await startSignIn(openTab(), { prompt: 'consent', state: 'x', client_id: 'y' }),
  )
  const query = new URL(location).searchParams
  assert.equal(query.get('client_id'), provider.client_id)
  assert.match(query.get('state') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(query.get('prompt'), 'consent')
  assert.equal(query.get('scope'), 'openid email profile')
  assert.equal(query.get('code_challenge_method'), 'S256')
  assert.ok(query.get('nonce'))
  assert.equal(query.get('redirect_uri'), 'http://localhost:3000/auth/v1/callback')
})

test('only known parameters of a client are sent to the provider', async () => {
  const given = { prompt: 'consent', access_type: 'offline', hd: 'exemple.fr', login_hint: 'ada' }
  const others = {
    request: 'a',
    request_uri: 'https://ailleurs.example/r',
    claims: '{}',
    response_mode: 'form_post',
    registration: '{}',
    max_age: '0',
    id_token_hint: 'b',
    resource: 'c',
  }
  const { location } = await openInBrowser(await startSignIn(openTab(), { ...given, ...others }))
  const query = Object.fromEntries(new URL(location).searchParams)
  for (const name of Object.keys(others)) assert.equal(query[name], undefined, name)
  for (const [name, value] of Object.entries(given)) assert.equal(query[name], value)
})

test('a sign-in succeeds only in the browser that started it', async () => {
  const back = await provider.visit((await openInBrowser(await startSignIn(openTab()))).location)
  const other = { cookie: `quizaine_way=${'x'.repeat(43)}` }
  for (const stranger of [{ cookie: '' }, other]) {
    const { status, location } = await openInBrowser(back.href, stranger)
    assert.equal(status, 303)
    assert.equal(new URL(location).searchParams.get('error_code'), 'bad_oauth_state')
    assert.equal(new URL(location).hash, '')
  }
  assert.ok(fragmentOf(new URL((await openInBrowser(back.href)).location)).access_token)
})

test('the sign-in cookie is HttpOnly, lasts five minutes, and is shared by all tabs', async () => {
  const url = '/auth/v1/authorize?provider=maison'
  const cookieOf = async (headers: Record<string, string>) =>
    String((await app.raw({ url, headers })).headers['set-cookie'])
  const first = await cookieOf({})
  assert.match(
    first,
    /^quizaine_way=[\w-]{43}; Path=\/auth\/v1; Max-Age=300; HttpOnly; SameSite=Lax$/,
  )
  const [cookie = ''] = first.split(';')
  assert.equal(await cookieOf({ cookie }), first)
  const [one, two] = [
    await openInBrowser(await startSignIn(openTab())),
    await openInBrowser(await startSignIn(openTab())),
  ]
  for (const { location } of [two, one]) {
    const { location: landed } = await openInBrowser((await provider.visit(location)).href)
    assert.ok(fragmentOf(new URL(landed)).access_token)
  }
})

test('an unknown, used or expired state is refused with a redirect', async () => {
  const errorOf = async (query: string) => {
    const { status, location } = await openInBrowser(`${origin}/auth/v1/callback?${query}`)
    assert.equal(status, 303)
    return new URL(location).searchParams.get('error_code')
  }
  assert.equal(await errorOf('code=x'), 'bad_oauth_callback')
  assert.equal(await errorOf(`code=x&state=${randomUUID()}`), 'bad_oauth_state')
  const back = await provider.visit((await openInBrowser(await startSignIn(openTab()))).location)
  await openInBrowser(back.href)
  assert.equal(await errorOf(back.search.slice(1)), 'flow_state_already_used')
  const late = await provider.visit((await openInBrowser(await startSignIn(openTab()))).location)
  const id = late.searchParams.get('state')
  await app.pool.query(
    `update oauth_states set created_at = now() - interval '6 minutes' where id = $1`,
    [id],
  )
  assert.equal(await errorOf(late.search.slice(1)), 'bad_oauth_state')
})

test('a refusal of the provider and a forged answer are reported in the redirect', async () => {
  const state = new URL(
    (await openInBrowser(await startSignIn(openTab()))).location,
  ).searchParams.get('state')
  const denied = await openInBrowser(
    `${origin}/auth/v1/callback?state=${state}&error=access_denied`,
  )
  const landed = new URL(denied.location)
  assert.equal(landed.searchParams.get('error'), 'access_denied')
  assert.equal(fragmentOf(landed).error, 'access_denied')
  for (const lies of [{ nonce: 'x' }, { iss: 'https://ailleurs.example' }, { aud: 'autre' }]) {
    provider.invalid_claims = lies
    const refused = await completeSignIn(await startSignIn(openTab()))
    assert.equal(fragmentOf(refused).error_code, 'unexpected_failure', JSON.stringify(lies))
    assert.equal(fragmentOf(refused).access_token, undefined)
  }
})

test('without configuration, no provider and no manual linking is offered', async () => {
  const settings = async (of: typeof app) =>
    (await of.raw({ url: '/auth/v1/settings' })).json<{ external: object }>().external
  assert.ok('maison' in (await settings(app)))
  assert.ok(!('maison' in (await settings(without))))
  const reply = await without.raw({ url: '/auth/v1/authorize?provider=maison' })
  assert.deepEqual(
    [reply.statusCode, reply.json<{ error_code: string }>().error_code],
    [400, 'validation_failed'],
  )
  const { access_token } = await without.signUp()
  for (const [method, path] of [
    ['GET', '/user/identities/authorize?provider=maison'],
    ['DELETE', `/user/identities/${randomUUID()}`],
  ] as const) {
    const url = `/auth/v1${path}`
    const headers = { authorization: `Bearer ${access_token}` }
    const refused = await without.raw({ method, url, headers })
    assert.equal(refused.json<{ error_code: string }>().error_code, 'manual_linking_disabled')
    assert.equal((await without.raw({ method, url })).statusCode, 401)
  }
})
