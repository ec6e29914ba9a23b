import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/integrations-app.ts'
import { refusalOf, refuses } from '#server/testing/refusals.ts'

const t = await createIntegrationsApp()
after(() => t.close())
const usual = { ...t.brevo.switches }
afterEach(() => {
  Object.assign(t.brevo.switches, usual)
  for (const fake of [t.kit, t.systemio, t.brevo]) fake.heal()
})
const rowsOf = async (user_id: string) =>
  (
    await t.pool.query<{ provider: string; status: string; sealed_secret: Buffer | null }>(
      'select provider, status, sealed_secret from integration_connections where user_id = $1',
      [user_id],
    )
  ).rows

describe('a key', () => {
  test('is checked, stored sealed, shown to be there and never shown', async () => {
    const { client, user_id } = await t.signUp()
    const { integrations } = client
    assert.deepEqual(await integrations.saveBrevo({ body: { api_key: ' xkeysib-demo ' } }), {
      configured: true,
      email: 'compte@brevo.test',
      needs_attention: false,
      message: null,
    })
    assert.deepEqual(await integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } }), {
      configured: true,
      email: null,
      needs_attention: false,
      message: null,
    })
    const shown = JSON.stringify([
      await integrations.brevoStatus(),
      await integrations.systemioStatus(),
      await client.account.exportData(),
    ])
    assert.ok(!/xkeysib|systemeio-demo|sealed/.test(shown))
    const rows = await rowsOf(user_id)
    assert.equal(rows.length, 2)
    for (const { sealed_secret } of rows)
      assert.ok(sealed_secret && !/demo/.test(sealed_secret.toString('latin1')))
  })

  test('is replaced by the next and forgotten on demand', async () => {
    const { client, user_id } = await t.signUp()
    const { integrations } = client
    t.brevo.keys.add('xkeysib-next', { account: 'suivante' })
    await integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
    const next = await integrations.saveBrevo({ body: { api_key: 'xkeysib-next' } })
    assert.equal(next.email, 'suivante@brevo.test')
    await integrations.removeBrevo()
    await integrations.removeBrevo()
    assert.equal((await integrations.brevoStatus()).configured, false)
    assert.deepEqual(await rowsOf(user_id), [
      { provider: 'brevo', status: 'disconnected', sealed_secret: null },
    ])
  })

  test('that its tool refuses is not stored, and it is said why', async () => {
    const { client, user_id } = await t.signUp()
    const { integrations } = client
    const said = async (call: Promise<unknown>) => {
      const { status, code, message } = await refusalOf(call)
      return [status, code, message]
    }
    const brevo = (api_key: string) => said(integrations.saveBrevo({ body: { api_key } }))
    const invalid = [422, 'invalid_key', 'Clé API invalide ou expirée.']
    assert.deepEqual(await brevo('wrong'), invalid)
    assert.deepEqual(await said(integrations.saveSystemio({ body: { api_key: 'wrong' } })), invalid)
    t.brevo.keys.add('xkeysib-old', { life_ms: 0 })
    assert.deepEqual(await brevo('xkeysib-old'), invalid)
    assert.deepEqual(await brevo('xsmtpsib-demo'), [
      422,
      'smtp_key',
      'Ceci ressemble à une clé SMTP ; créez une clé API.',
    ])
    t.brevo.keys.add('xkeysib-narrow', { can_contacts: false })
    assert.deepEqual(await brevo('xkeysib-narrow'), [
      422,
      'forbidden',
      'Cette clé n’a pas accès aux contacts.',
    ])
    t.brevo.switches.allowed_ips = ['203.0.113.9']
    assert.deepEqual(await brevo('xkeysib-demo'), [
      422,
      'ip_blocked',
      'Brevo refuse notre adresse IP (127.0.0.1). Autorisez-la dans Brevo > Sécurité > IP autorisées, puis réessayez.',
    ])
    assert.deepEqual(await rowsOf(user_id), [])
  })

  test('of characters that no header can have is refused before anybody is asked', async () => {
    const { client } = await t.signUp()
    const calls = t.brevo.journal.length
    for (const api_key of ['', '   ', 'a b', 'clé', 'a\r\nx: y', 'x'.repeat(501)])
      await refuses(client.integrations.saveBrevo({ body: { api_key } }), 422, 'invalid')
    assert.equal(t.brevo.journal.length, calls)
  })

  for (const [what, fault] of Object.entries({
    HTML: { status: 200, body: '<html>' },
    'a redirect': { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
    'ten megabytes': { status: 200, body: 'x'.repeat(10_485_760) },
    nothing: {},
    'a 429': { status: 429 },
    'a 500': { status: 500, body: '<h1>' },
  }))
    test(`is not stored while its tool answers ${what}`, async () => {
      const { client, user_id } = await t.signUp()
      for (const fake of [t.brevo, t.systemio]) fake.fail({ mode: 'before', ...fault })
      const { message } = await refusalOf(
        client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } }),
      )
      assert.equal(message, 'Le service ne répond pas, réessayez dans quelques minutes.')
      await refuses(
        client.integrations.saveSystemio({ body: { api_key: 'systemeio-demo' } }),
        503,
        'provider_unavailable',
      )
      assert.deepEqual(await rowsOf(user_id), [])
    })
})

test('a refused account is asked about again when its creator has acted', async () => {
  const { client } = await t.signUp()
  const { integrations } = client
  await refuses(integrations.checkBrevo(), 409, 'not_connected')
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  t.brevo.switches.allowed_ips = ['203.0.113.9']
  const blocked = await integrations.checkBrevo()
  assert.ok(blocked.needs_attention && blocked.message?.includes('adresse IP'))
  t.brevo.switches.allowed_ips = null
  t.brevo.fail({ mode: 'before', status: 503 })
  await refuses(integrations.checkBrevo(), 503, 'provider_unavailable')
  assert.equal((await integrations.brevoStatus()).needs_attention, true)
  assert.equal((await integrations.checkBrevo()).needs_attention, false)

  t.brevo.keys.add('xkeysib-paused')
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-paused' } })
  t.brevo.keys.remove('xkeysib-paused')
  assert.match((await integrations.checkBrevo()).message ?? '', /n’accepte plus la clé API/)
  t.brevo.keys.add('xkeysib-paused')
  assert.equal((await integrations.checkBrevo()).needs_attention, false)
})

test('nothing that was logged holds a key, a token or a code', async () => {
  const creator = await t.signUp()
  await t.connectKit(creator)
  await creator.client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  t.brevo.fail({ mode: 'before' })
  await refusalOf(creator.client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } }))
  await creator.client.integrations.disconnectKit()
  assert.ok(t.logged().includes('"event":"integration_connected"'))
  assert.doesNotMatch(
    t.logged(),
    /xkeysib-|systemeio-demo|cs_demo|\bat_[\w-]{10}|\brt_[\w-]{10}|\bac_[\w-]{10}/,
  )
})

test('an account that is deleted takes its connections along and ends its consent', async () => {
  const creator = await t.signUp()
  await t.connectKit(creator, 'effacee')
  await creator.client.integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
  const { connections } = await creator.client.account.exportData()
  assert.deepEqual(
    connections.map(({ provider, vendor_email }) => [provider, vendor_email]).sort(),
    [
      ['brevo', 'compte@brevo.test'],
      ['convertkit', 'effacee@kit.test'],
    ],
  )
  await creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  assert.deepEqual(await rowsOf(creator.user_id), [])
  assert.equal(t.kit.grants.find(({ account }) => account === 'effacee')?.uninstalled, true)
})

test('five keys in ten minutes are enough', async () => {
  const limited = await createIntegrationsApp({ RATE_LIMITS: 'on' })
  const { client } = await limited.signUp()
  const save = () => client.integrations.saveBrevo({ body: { api_key: 'wrong' } })
  for (let attempt = 0; attempt < 5; attempt += 1) await refuses(save(), 422, 'invalid_key')
  await refuses(save(), 429, 'too_many_requests')
  assert.equal(limited.brevo.journal.length, 5)
  await limited.close()
})
