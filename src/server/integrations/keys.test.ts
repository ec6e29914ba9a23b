import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'

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

describe('the key of a tool', () => {
  test('a key is checked, stored encrypted, and never returned', async () => {
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

  test('a key is replaced by the next key and deleted on request', async () => {
    const { client, user_id } = await t.signUp()
    const { integrations } = client
    t.brevo.keys.add('xkeysib-next', { account: 'suivante' })
    await integrations.saveBrevo({ body: { api_key: 'xkeysib-demo' } })
    t.brevo.keys.add('xkeysib-same')
    const same = await integrations.saveBrevo({ body: { api_key: 'xkeysib-same' } })
    assert.equal(same.email, 'compte@brevo.test')
    const body = { api_key: 'xkeysib-next', replace_account: true }
    assert.equal((await integrations.saveBrevo({ body })).email, 'suivante@brevo.test')
    await integrations.removeBrevo()
    await integrations.removeBrevo()
    assert.equal((await integrations.brevoStatus()).configured, false)
    assert.deepEqual(await rowsOf(user_id), [
      { provider: 'brevo', status: 'disconnected', sealed_secret: null },
    ])
  })

  test('a key with characters that are invalid in a header is refused without a call', async () => {
    const { client } = await t.signUp()
    const calls = t.brevo.journal.length
    for (const api_key of ['', '   ', 'a b', 'clé', 'a\r\nx: y', 'x'.repeat(501)])
      await refuses(client.integrations.saveBrevo({ body: { api_key } }), 422, 'invalid')
    assert.equal(t.brevo.journal.length, calls)
  })
})

test('a refused account is checked again after its creator has acted', async () => {
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

test('deleting an account deletes its connections and revokes its consent', async () => {
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

test('a creator has five attempts in ten minutes to store a key', async () => {
  const limited = await createIntegrationsApp({ RATE_LIMITS: 'on' })
  const { client } = await limited.signUp()
  const save = () => client.integrations.saveBrevo({ body: { api_key: 'wrong' } })
  for (let attempt = 0; attempt < 5; attempt += 1) await refuses(save(), 422, 'invalid_key')
  await refuses(save(), 429, 'too_many_requests')
  assert.equal(limited.brevo.journal.length, 5)
  await limited.close()
})
