import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { type KitReturn, kitReturnQuery } from '#domain/deliveries/integrations.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'

const t = await createIntegrationsApp()
after(() => t.close())
const usual = { ...t.kit.switches }
afterEach(() => {
  Object.assign(t.kit.switches, usual)
  t.kit.heal()
})

const pathAfter = (outcome: KitReturn): string => `/settings?${kitReturnQuery(outcome)}`
const DONE = pathAfter('ok')
const EXPIRED = pathAfter('expired')
const exchanges = () => t.kit.journal.filter(({ path }) => path.endsWith('/token')).length

describe('the connection of Kit', () => {
  test('connecting Kit stores the account that consented and shows its address', async () => {
    const creator = await t.signUp()
    assert.deepEqual(await creator.client.integrations.kitStatus(), {
      connected: false,
      email: null,
      needs_attention: false,
      message: null,
    })
    await t.connectKit(creator, 'autrice')
    assert.deepEqual(await creator.client.integrations.kitStatus(), {
      connected: true,
      email: 'autrice@kit.test',
      needs_attention: false,
      message: null,
    })
  })

  test('a consent returns to the screen on which it was started, by default to the integrations of the quiz', async () => {
    const creator = await t.signUp()
    const quiz_id = '019b8d6a-5a20-7aa6-86d4-8b52991207fa'
    const tab = `/quiz/${quiz_id}/settings?onglet=integrations`
    const { auth_url, cookie } = await t.startConsent(creator, `?quiz_id=${quiz_id}`)
    const back = await t.visitConsentPage(auth_url)
    for (const _ of ['once', 'loaded again'])
      assert.equal(await t.followCallback(back, cookie), `${tab}&convertkit=ok`)
    for (const [query, path] of [
      [
        `?quiz_id=${quiz_id}&screen=automatisations`,
        `/quiz/${quiz_id}/settings?onglet=automatisations&`,
      ],
      [`?quiz_id=${quiz_id}&screen=statistics`, `/quiz/${quiz_id}/statistics?`],
      ['?screen=dashboard', '/dashboard?'],
      ['?screen=statistics', '/settings?'],
    ]) {
      const started = await t.startConsent(creator, query)
      const url = await t.visitConsentPage(started.auth_url)
      assert.equal(await t.followCallback(url, started.cookie), `${path}convertkit=ok`)
    }
    t.kit.switches.consent = 'deny'
    const next = await t.startConsent(creator, `?quiz_id=${quiz_id}`)
    assert.equal(
      await t.followCallback(await t.visitConsentPage(next.auth_url), next.cookie),
      `${tab}&convertkit=error&reason=denied`,
    )
    const elsewhere = await t.requestAs(
      creator,
      'POST',
      '/integrations/convertkit/connect?quiz_id=%2F%2Fexemple.fr',
    )
    assert.equal(elsewhere.statusCode, 422)
  })

  test('connecting Kit sets a cookie that scripts cannot read, for ten minutes', async () => {
    const creator = await t.signUp()
    const reply = await t.requestAs(creator, 'POST', '/integrations/convertkit/connect')
    assert.match(
      String(reply.headers['set-cookie']),
      /^quizaine_kit=[\w-]{43}; Path=\/api\/v1\/integrations\/convertkit; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const { auth_url } = reply.json<{ auth_url: string }>()
    const query = new URL(auth_url).searchParams
    assert.equal(query.get('code_challenge_method'), 'S256')
    assert.ok(!auth_url.includes('cs_demo'))
  })

  test('connecting Kit ends without a connection if the consent is refused', async () => {
    const creator = await t.signUp()
    const { auth_url, cookie } = await t.startConsent(creator)
    t.kit.switches.consent = 'deny'
    const before = exchanges()
    const back = await t.visitConsentPage(auth_url)
    for (const _ of ['once', 'loaded again'])
      assert.equal(await t.followCallback(back, cookie), pathAfter('denied'))
    assert.equal(exchanges(), before)
    assert.equal((await creator.client.integrations.kitStatus()).connected, false)
  })

  test('connecting Kit works only in the browser that started the consent', async () => {
    const creator = await t.signUp()
    const victim = await t.signUp()
    const { auth_url, cookie } = await t.startConsent(creator)
    const other = await t.startConsent(victim)
    const back = await t.visitConsentPage(auth_url)
    assert.equal(await t.followCallback(back, other.cookie), EXPIRED)
    assert.equal(await t.followCallback(back, ''), EXPIRED)
    assert.equal((await victim.client.integrations.kitStatus()).connected, false)
    assert.equal(await t.followCallback(back, cookie), DONE)
  })

  test('connecting Kit survives a reload without a second exchange', async () => {
    const creator = await t.signUp()
    const { auth_url, cookie } = await t.startConsent(creator)
    const back = await t.visitConsentPage(auth_url)
    assert.equal(await t.followCallback(back, cookie), DONE)
    const before = exchanges()
    assert.equal(await t.followCallback(back, cookie), DONE)
    assert.equal(exchanges(), before)
  })

  test('connecting Kit refuses a state that is unknown, forged or ten minutes old', async () => {
    const creator = await t.signUp()
    const { auth_url, cookie } = await t.startConsent(creator)
    const back = await t.visitConsentPage(auth_url)
    const altered = back.replace(/state=[^&]+/, 'state=another')
    assert.equal(await t.followCallback(altered, cookie), EXPIRED)
    assert.equal(await t.followCallback(back.replace(/state=[^&]+&?/, ''), cookie), EXPIRED)
    await t.pool.query(
      `update integration_states set created_at = created_at - interval '601 seconds'`,
    )
    assert.equal(await t.followCallback(back, cookie), EXPIRED)
  })

  for (const [what, fault] of Object.entries({
    'HTML in place of tokens': { status: 200, body: '<html>' },
    'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    'ten megabytes': { status: 200, body: 'x'.repeat(10_485_760) },
    'nothing at all': {},
    'too many requests': { status: 429, body: 'Retry later' },
  }))
    for (const path of ['/v4/oauth/token', '/v4/account'])
      test(`connecting Kit stores nothing if Kit answers ${what} at ${path}`, async () => {
        const creator = await t.signUp()
        const { auth_url, cookie } = await t.startConsent(creator)
        const back = await t.visitConsentPage(auth_url)
        t.kit.fail({ path, mode: 'before', ...fault })
        assert.equal(await t.followCallback(back, cookie), pathAfter('silent'))
        assert.equal((await creator.client.integrations.kitStatus()).connected, false)
      })

  test('an installation that started at Kit redirects only back to Kit', async () => {
    const creator = await t.signUp()
    const install = async (redirect: string) => {
      const url = `/api/v1/integrations/convertkit/install?redirect=${encodeURIComponent(redirect)}`
      return (await t.raw({ url })).headers.location
    }
    const home = 'https://app.kit.com/apps/1'
    const led = `/settings?convertkit=install&redirect=${encodeURIComponent(home)}`
    assert.equal(await install(home), led)
    for (const elsewhere of [
      'https://app.kit.com.evil.example/',
      'https://evil.example/https://app.kit.com',
      'http://app.kit.com/',
      'https://a:b@app.kit.com/',
      '//app.kit.com',
      'javascript:alert(1)',
    ]) {
      assert.equal(await install(elsewhere), '/settings?convertkit=install', elsewhere)
      const { auth_url, cookie } = await t.startConsent(
        creator,
        `?return_to=${encodeURIComponent(elsewhere)}`,
      )
      assert.equal(
        await t.followCallback(await t.visitConsentPage(auth_url), cookie),
        DONE,
        elsewhere,
      )
    }
    const { auth_url, cookie } = await t.startConsent(
      creator,
      `?return_to=${encodeURIComponent(home)}`,
    )
    assert.equal(await t.followCallback(await t.visitConsentPage(auth_url), cookie), home)
  })

  test('a server without a Kit application does not offer the connection', async () => {
    const bare = await createTestApp()
    const { client } = await bare.signUp()
    await refuses(client.integrations.connectKit({}), 409, 'not_configured')
    await bare.close()
  })
})

describe('the disconnection of Kit', () => {
  test('disconnecting Kit revokes the consent and deletes the tokens', async () => {
    const creator = await t.signUp()
    await t.connectKit(creator, 'partante')
    assert.deepEqual(await creator.client.integrations.disconnectKit(), {
      connected: false,
      email: null,
      needs_attention: false,
      message: null,
    })
    const grant = t.kit.grants.find(({ account }) => account === 'partante')
    assert.equal(grant?.uninstalled, true)
    const { rows } = await t.pool.query(
      'select sealed_secret from integration_connections where user_id = $1',
      [creator.user_id],
    )
    assert.deepEqual(rows, [{ sealed_secret: null }])
  })

  test('disconnecting Kit works while Kit is unreachable', async () => {
    const creator = await t.signUp()
    await t.connectKit(creator)
    t.kit.fail({ path: '/v4/oauth/revoke', mode: 'before' })
    await creator.client.integrations.disconnectKit()
    assert.equal((await creator.client.integrations.kitStatus()).connected, false)
  })
})
