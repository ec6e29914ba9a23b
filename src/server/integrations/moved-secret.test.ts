import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'

const t = await createIntegrationsApp()
after(() => t.close())

type Status = { configured?: boolean; connected?: boolean; needs_attention: boolean }

test('a sealed secret that was moved to another row or altered is unusable, without an error', async () => {
  const [owner, thief] = [await t.signUp(), await t.signUp()]
  t.brevo.keys.add('xkeysib-owner')
  t.brevo.keys.add('xkeysib-thief')
  await t.requestAs(owner, 'PUT', '/integrations/brevo', { api_key: 'xkeysib-owner' })
  await t.requestAs(thief, 'PUT', '/integrations/brevo', { api_key: 'xkeysib-thief' })
  await t.connectKit(thief)
  await t.pool.query(
    `update integration_connections set sealed_secret = (
      select sealed_secret from integration_connections where user_id = $1 and provider = 'brevo'
    ) where user_id = $2`,
    [owner.user_id, thief.user_id],
  )
  for (const provider of ['brevo', 'convertkit']) {
    const checked = await t.requestAs(thief, 'POST', `/integrations/${provider}/check`)
    assert.ok(checked.statusCode < 500, checked.body)
    const status = (
      await t.requestAs(thief, 'GET', `/integrations/${provider}/status`)
    ).json<Status>()
    assert.equal(status.needs_attention, true, provider)
    const calls = t.brevo.journal.filter(({ headers }) =>
      JSON.stringify(headers).includes('xkeysib-owner'),
    )
    assert.equal(calls.length, 0)
  }
  const events = await listAuditEventNames(t, thief.user_id)
  assert.ok(events.includes('integration_refused refused brevo'))
  assert.ok(events.includes('integration_refused refused convertkit'))
  const gone = await t.requestAs(thief, 'DELETE', '/integrations/brevo')
  assert.equal(gone.statusCode, 204, gone.body)
  assert.ok(!t.logged().includes('xkeysib-owner'))
})
