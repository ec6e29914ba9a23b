import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { createIntegrationsApp } from '#server/testing/app/integrations-app.ts'
import { listAuditEventNames } from '#server/testing/app/list-audit-event-names.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { connectAccount } from '#server/testing/app/store-connections.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { AUDIT_EVENTS } from './audit-events.ts'

// Runs in test:all, because it repeats its rule for each tool and event.

const t = await createIntegrationsApp()
after(() => t.close())

test('publication, withdrawal, deletion, exports and erasures of a quiz are recorded', async () => {
  const creator = await t.signUp()
  const { client, user_id } = creator
  const quiz = await publishedScoreQuiz(client)
  const { id } = quiz
  const submit = (email: string) =>
    t.client.publicQuiz.submit({
      id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: email },
        email,
      },
    })
  const { participant_uuid } = await submit('ada@exemple.fr')
  await submit('alan@exemple.fr')
  await client.statisticsLinks.create({ id })
  await client.statisticsLinks.create({ id })
  await client.statisticsLinks.revoke({ id })
  await client.statisticsLinks.revoke({ id })
  const { url } = await client.exports.link({ id, body: { format: 'csv' } })
  assert.equal((await t.raw({ url })).statusCode, 200)
  await client.participants.remove({ id, participantId: participant_uuid })
  await client.participants.removePerson({ body: { email: 'alan@exemple.fr' } })
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  await client.quizzes.update({ id, body: { status: 'Publié' } })
  await client.quizzes.remove({ id })
  await client.trash.restore({ id })
  await client.trash.restore({ id })
  await client.quizzes.remove({ id, permanently: '1' })
  await client.trash.empty()
  const body = { name: 'Tableur', scope: 'lecture', expires_in_days: null } as const
  const { key } = await client.apiKeys.create({ body })
  await client.apiKeys.revoke({ id: key.id })
  await client.account.exportData()
  await client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  assert.deepEqual(await listAuditEventNames(t, user_id), [
    'sign_in password',
    'quiz_published',
    'statistics_shared',
    'statistics_unshared',
    'export_made csv',
    'export_downloaded csv',
    'participant_erased',
    'person_erased 1',
    'quiz_withdrawn',
    'quiz_published',
    'quiz_trashed',
    'quiz_restored',
    'quiz_deleted',
    'trash_emptied 0',
    'api_key_made lecture',
    'api_key_revoked',
    'account_exported',
    'account_deleted',
  ])
  const { rows } = await t.pool.query('select * from audit_events')
  for (const email of ['ada@', 'alan@', creator.email])
    assert.ok(!JSON.stringify(rows).includes(email))
})

test('connections to email tools are recorded', async () => {
  const creator = await t.signUp()
  await t.connectKit(creator)
  await t.requestAs(creator, 'POST', '/integrations/convertkit/disconnect')
  await t.requestAs(creator, 'PUT', '/integrations/brevo', { api_key: 'xkeysib-demo' })
  t.brevo.keys.remove('xkeysib-demo')
  await t.requestAs(creator, 'POST', '/integrations/brevo/check')
  assert.deepEqual(await listAuditEventNames(t, creator.user_id), [
    'sign_in password',
    'integration_connected convertkit',
    'integration_disconnected convertkit',
    'integration_key_saved brevo',
    'integration_refused refused brevo',
  ])
})

test('a permanent refusal by a tool is recorded', async () => {
  const outbox = await createOutboxApp()
  const creator = await outbox.connectCreator()
  const quiz = await outbox.createForwardingQuiz(creator, ['systemio'])
  await outbox.submitParticipant(quiz, 'personne@sans-courrier.test', 0)
  await outbox.finishDeliveries()
  assert.deepEqual(await listAuditEventNames(outbox, quiz.id), [
    'quiz_published',
    'delivery_given_up failed systemio invalid_email',
  ])
  await outbox.close()
})

test('the erasure of a person here and at tools is recorded', async () => {
  const outbox = await createOutboxApp()
  const creator = await outbox.connectCreator()
  const quiz = await outbox.createForwardingQuiz(creator, ['brevo', 'systemio'])
  await outbox.submitParticipant(quiz, 'ada@exemple.fr')
  await outbox.finishDeliveries()
  const body = { email: 'ada@exemple.fr', brevo: 'unsubscribe', systemio: 'delete' } as const
  await creator.client.participants.removePerson({ body })
  outbox.fakes.systemio.fail({ mode: 'before', status: 422, body: { detail: 'non' } })
  await outbox.finishDeliveries()
  const log = await listAuditEventNames(outbox, creator.user_id)
  assert.deepEqual(log.slice(-3).sort(), [
    'erasure_settled brevo unsubscribe unsubscribed',
    'erasure_settled failed systemio delete refused',
    'person_erased 1, systemio delete, brevo unsubscribe',
  ])
  await outbox.close()
})

test('equal refusals are recorded at most once a minute', async () => {
  const limited = await createTestApp({ RATE_LIMITS: 'on' })
  const call = (authorization: string) =>
    limited.raw({ url: '/api/v1/quizzes', headers: { authorization } })
  for (let count = 0; count < 200; count += 1) await call('Bearer forged')
  await limited.raw({ url: '/auth/v1/admin/users', headers: { authorization: 'Bearer forged' } })
  const { access_token } = await limited.signUp()
  await limited.raw({
    url: '/auth/v1/admin/users',
    headers: { authorization: `Bearer ${access_token}` },
  })
  await limited.app.close()
  const { rows } = await limited.pool.query<{ event: string; detail: string; count: number }>(
    `select event, detail, count(*) from audit_events where outcome = 'refused'
      group by event, detail order by event, detail`,
  )
  const told = rows.map(({ event, detail, count }) => `${event} ${detail} ${count}`)
  assert.ok(told.includes('token_refused GET /api/v1/quizzes 1'), told.join())
  assert.ok(told.includes('rate_limited GET /api/v1/quizzes 1'), told.join())
  assert.ok(told.some((line) => line.startsWith('access_refused GET /auth/v1/admin/users')))
  await limited.close()
})

test('changes of webhooks are recorded', async () => {
  const { client, user_id } = await t.signUp()
  const { id } = await publishedScoreQuiz(client)
  const { webhook } = await client.webhooks.add({ id, body: { url: 'http://127.0.0.1:9999/hook' } })
  const at = { id, webhookId: webhook.id }
  await client.webhooks.update({ ...at, body: { is_paused: true } })
  await client.webhooks.rotate(at)
  await client.webhooks.remove(at)
  assert.deepEqual((await listAuditEventNames(t, user_id)).slice(-4), [
    'webhook_added',
    'webhook_changed',
    'webhook_secret_changed',
    'webhook_removed',
  ])
})

test('changes of mails are recorded', async () => {
  const { client, user_id } = await t.signUp()
  const { id } = await publishedScoreQuiz(client)
  await client.quizMails.set({ id, body: { subject: 'Votre résultat' } })
  assert.equal((await listAuditEventNames(t, user_id)).at(-1), 'mails_changed')
})

test('changes of automations are recorded', async () => {
  const creator = await t.signUp()
  const { id, result_ids } = await publishedScoreQuiz(creator.client)
  await connectAccount(t.db, creator, 'brevo')
  const body = { provider: 'brevo', result_id: result_ids[0], label_name: 'A' } as const
  const { automation } = await creator.client.automations.add({ id, body })
  await creator.client.automations.remove({ id, automationId: automation.id })
  const written = await listAuditEventNames(t, creator.user_id)
  assert.deepEqual(written.slice(-2), ['automation_added', 'automation_removed'])
})

test('changes of mapped fields are recorded', async () => {
  const creator = await t.signUp()
  const { id } = await publishedScoreQuiz(creator.client)
  await connectAccount(t.db, creator, 'brevo')
  const body = { provider: 'brevo', source: 'score', field_name: 'POINTS' } as const
  const { fieldMappings } = creator.client
  const { mapping } = await fieldMappings.add({ id, body })
  const at = { id, mappingId: mapping.id }
  await fieldMappings.update({ ...at, body: { source: 'result' } })
  await fieldMappings.remove(at)
  const written = await listAuditEventNames(t, creator.user_id)
  assert.deepEqual(written.slice(-3), ['mapping_added', 'mapping_changed', 'mapping_removed'])
})

test('every audit event has a test', async () => {
  const here = ['account-events', 'product-events', 'audit-log'].map((name) => `${name}.test.ts`)
  const elsewhere = [
    '../admin/admin-accounts.test.ts',
    '../admin/sign-up-modes.test.ts',
    '../campaigns/campaigns.test.ts',
    '../confirmations/confirmations.test.ts',
    '../evidence/evidence.test.ts',
    '../mail-senders/mail-senders.test.ts',
    '../participant-pages/page-rights.test.ts',
    '../../../e2e/server/canary.spec.ts',
  ]
  const files = [...here, ...elsewhere]
  const texts = await Promise.all(
    files.map((file) => readFile(`${import.meta.dirname}/${file}`, 'utf8')),
  )
  const all = texts.join('\n')
  assert.deepEqual(
    AUDIT_EVENTS.filter((event) => !new RegExp(`['"\` ]${event}\\b`).test(all)),
    [],
  )
})
