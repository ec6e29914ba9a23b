import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { KIT_RETURN_LABELS } from '#domain/deliveries/integrations.ts'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import type { SignedUp } from '#server/testing/app/test-app.ts'
import { refusalOf } from '#server/testing/network/bodies/refusals.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

const t = await createIntegrationsApp()
after(() => t.close())
for (const name of ['une', 'autre']) {
  t.brevo.keys.add(`xkeysib-${name}`, { account: name })
  t.systemio.keys.add(`systemeio-${name}`, { account: name })
}

/** Creates a quiz that forwards, and a delivery started at the current account. */
const quizWithWaiting = async ({ client }: SignedUp, provider: 'systemio' | 'brevo') => {
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
  const set = { systemio: client.integrations.setSystemio, brevo: client.integrations.setBrevo }
  await set[provider]({ id, body: { enabled: true } })
  await t.client.publicQuiz.submit({
    id,
    body: {
      answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'lea@exemple.fr' },
    },
  })
  await t.pool.query(
    `update deliveries set completed_calls = '{"has_contact": true, "vendor_contact_id": "1"}',
      lease_id = gen_random_uuid(), lease_until = now() + interval '1 minute' where quiz_id = $1`,
    [id],
  )
  return id
}
const stateOf = async (quiz_id: string) => {
  const { rows } = await t.pool.query(
    `select field_key, status, completed_calls, lease_id
      from quiz_integrations join deliveries using (quiz_id, provider) where quiz_id = $1`,
    [quiz_id],
  )
  return rows[0]
}

test('a key of another account replaces the first one only when its creator agrees', async () => {
  const creator = await t.signUp()
  const { integrations } = creator.client
  const save = (api_key: string, replace_account?: boolean) =>
    integrations.saveBrevo({ body: { api_key, replace_account } })
  await save('xkeysib-une')
  const refusal = await refusalOf(save('xkeysib-autre'))
  assert.deepEqual(
    [refusal.status, refusal.code, refusal.message],
    [
      409,
      'other_account',
      'Cette clé ouvre un autre compte Brevo (autre@brevo.test) que celui qui était connecté (une@brevo.test). Les prochains participants y seraient envoyés.',
    ],
  )
  assert.equal((await integrations.brevoStatus()).email, 'une@brevo.test')

  const id = await quizWithWaiting(creator, 'brevo')
  const { message } = await refusalOf(save('xkeysib-autre'))
  assert.match(message, /Le participant en attente et les suivants y seraient envoyés\.$/)
  const before = await stateOf(id)
  assert.equal(before.field_key, 'RESULTAT_QUIZ')
  assert.ok(before.completed_calls && before.lease_id)
  // A key of the current account needs no question and deletes no data.
  await save('xkeysib-une')
  assert.deepEqual(await stateOf(id), before)

  assert.equal((await save('xkeysib-autre', true)).email, 'autre@brevo.test')
  // Pending deliveries start again at the new account, whose field does not exist yet.
  const anew = { field_key: null, status: 'pending', completed_calls: null, lease_id: null }
  assert.deepEqual(await stateOf(id), anew)
})

test('no confirmation is needed if the first account is disconnected and has no pending delivery', async () => {
  const { client } = await t.signUp()
  const { integrations } = client
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-une' } })
  await integrations.removeBrevo()
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-autre' } })
  assert.equal((await integrations.brevoStatus()).email, 'autre@brevo.test')
})

test('a confirmation is needed while deliveries wait for the disconnected account', async () => {
  const creator = await t.signUp()
  const { integrations } = creator.client
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-une' } })
  await quizWithWaiting(creator, 'brevo')
  await integrations.removeBrevo()
  const { code } = await refusalOf(integrations.saveBrevo({ body: { api_key: 'xkeysib-autre' } }))
  assert.equal(code, 'other_account')
  assert.equal((await integrations.brevoStatus()).configured, false)
})

test('started deliveries start again, because Systeme.io does not identify the account of a key', async () => {
  const creator = await t.signUp()
  const { integrations } = creator.client
  await integrations.saveSystemio({ body: { api_key: 'systemeio-une' } })
  const id = await quizWithWaiting(creator, 'systemio')
  await integrations.saveSystemio({ body: { api_key: 'systemeio-autre' } })
  const anew = { field_key: null, status: 'pending', completed_calls: null, lease_id: null }
  assert.deepEqual(await stateOf(id), anew)
})

test('a delivery refused by the previous account starts again when retried', async () => {
  const creator = await t.signUp()
  const { integrations } = creator.client
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-une' } })
  const id = await quizWithWaiting(creator, 'brevo')
  await t.pool.query(
    `update deliveries set status = 'refused', next_attempt_at = null, lease_id = null,
      lease_until = null, settled_at = now() where quiz_id = $1`,
    [id],
  )
  await integrations.saveBrevo({ body: { api_key: 'xkeysib-autre', replace_account: true } })
  const body = { provider: 'brevo' as const }
  assert.deepEqual(await creator.client.deliveries.retry({ id, body }), { nb_retried: 1 })
  const anew = { field_key: null, status: 'pending', completed_calls: null, lease_id: null }
  assert.deepEqual(await stateOf(id), anew)
})

test('another account at Kit needs a confirmation, and its tokens are not kept before that', async () => {
  const creator = await t.signUp()
  const { integrations } = creator.client
  await t.connectKit(creator, 'une')
  t.kit.switches.account = 'autre'
  const visit = async (query = '') => {
    const { auth_url, cookie } = await t.startConsent(creator, query)
    const back = await t.visitConsentPage(auth_url)
    return [await t.followCallback(back, cookie), await t.followCallback(back, cookie)]
  }
  const asked = '/settings?convertkit=error&reason=other'
  assert.deepEqual(await visit(), [asked, asked])
  assert.equal((await integrations.kitStatus()).email, 'une@kit.test')
  assert.ok(
    t.kit.grants.filter(({ account }) => account === 'autre').every((grant) => grant.is_over),
  )
  assert.match(KIT_RETURN_LABELS.other, /autre compte Kit/)
  const done = '/settings?convertkit=ok'
  assert.deepEqual(await visit('?replace_account=true'), [done, done])
  assert.equal((await integrations.kitStatus()).email, 'autre@kit.test')
})
