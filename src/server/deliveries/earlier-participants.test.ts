import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { setForwarding } from '#server/testing/app/store-connections.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  publishedOptionalEmailQuiz,
  publishedScoreQuiz,
} from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { reconcile } from './reconcile.store.ts'

const app = await createOutboxApp()
after(() => app.close())
afterEach(async () => {
  assert.deepEqual(await findDifferences(app.pool), [])
  assert.equal(await reconcile(app.db), 0)
})
const { db, submitParticipant, finishDeliveries, listPeopleAtTools } = app
const BREVO = { provider: 'brevo' } as const

/** Enables Brevo for the quiz, whose attribute does not exist yet. */
const switchOn = async (quiz_id: string): Promise<void> => {
  await setForwarding(db, quiz_id, 'brevo')
  await db
    .updateTable('quiz_integrations')
    .set({ field_key: null })
    .where('quiz_id', '=', quiz_id)
    .execute()
}

test('participants who agreed before a tool was enabled are forwarded once on request', async () => {
  const creator = await app.connectCreator()
  const { deliveries } = creator.client
  const { id, ...quiz } = await publishedOptionalEmailQuiz(creator.client)
  const ready = { id, ...quiz }
  await creator.client.quizzes.update({ id, body: { consent_mode: 'box' } })
  await submitParticipant(ready, 'sans-question@exemple.fr')
  await setForwarding(db, id, 'systemio')
  while (
    (await app.client.publicQuiz.snapshot({ id })).snapshot.questions[1]?.consent === undefined
  );
  const agreed = await submitParticipant(ready, 'oui@exemple.fr', 0, 1)
  const again = await submitParticipant(ready, 'encore@exemple.fr', 1, 1)
  await submitParticipant(ready, 'non@exemple.fr', 0, 0)
  await submitParticipant(ready, '', 0, 1)
  await refuses(deliveries.sendEarlier({ id, body: BREVO }), 409, 'not_enabled')
  assert.deepEqual(await deliveries.earlier({ id }), {
    providers: [{ provider: 'systemio', nb_participants: 0, nb_not_asked: 1 }],
  })

  await switchOn(id)
  await submitParticipant(ready, 'ensuite@exemple.fr', 0, 1)
  const providers = (nb_participants: number) => [
    { provider: 'brevo', nb_participants, nb_not_asked: 1 },
    { provider: 'systemio', nb_participants: 0, nb_not_asked: 1 },
  ]
  assert.deepEqual(await deliveries.earlier({ id }), { providers: providers(2) })
  assert.deepEqual(await deliveries.sendEarlier({ id, body: BREVO }), { nb_sent: 2 })
  assert.deepEqual(await deliveries.sendEarlier({ id, body: BREVO }), { nb_sent: 0 })
  assert.deepEqual(await deliveries.earlier({ id }), { providers: providers(0) })
  await finishDeliveries()
  const people = listPeopleAtTools(creator.account).brevo.toSorted((a, b) =>
    a.email < b.email ? -1 : 1,
  )
  assert.deepEqual(people, [
    { email: 'encore@exemple.fr', result: again.result_name },
    { email: 'ensuite@exemple.fr', result: agreed.result_name },
    { email: 'oui@exemple.fr', result: agreed.result_name },
  ])
  const { ledgers } = await deliveries.list({ id })
  const brevo = ledgers.find(({ provider }) => provider === 'brevo')?.balance
  assert.deepEqual([brevo?.nb_participants, brevo?.delivered, brevo?.not_forwarded], [6, 3, 3])
  // Participants who were forwarded before the tool was disabled are not forwarded again.
  await setForwarding(db, id, 'brevo', false)
  await switchOn(id)
  assert.deepEqual(await deliveries.sendEarlier({ id, body: BREVO }), { nb_sent: 0 })
})

test('a quiz that announces the transfer forwards all addresses except those of participants who declined', async () => {
  const creator = await app.connectCreator()
  const { client } = creator
  const quiz = await publishedScoreQuiz(client)
  await submitParticipant(quiz, 'a@exemple.fr')
  await submitParticipant(quiz, 'b@exemple.fr')
  const declined = await submitParticipant(quiz, 'c@exemple.fr')
  await db
    .updateTable('responses')
    .set({ consent_version: 0 })
    .where('participant_uuid', '=', declined.participant_uuid)
    .execute()
  await app.pool.query('insert into consent_counts values ($1, 0, 1)', [quiz.id])
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  await switchOn(quiz.id)
  assert.deepEqual(await client.deliveries.sendEarlier({ id: quiz.id, body: BREVO }), {
    nb_sent: 2,
  })
  await finishDeliveries()
  assert.equal(listPeopleAtTools(creator.account).brevo.length, 2)
})

test('an older result sent late does not replace the newer result', async () => {
  const creator = await app.connectCreator()
  const { client } = creator
  const quiz = await publishedScoreQuiz(client)
  await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
  const first = await submitParticipant(quiz, 'lea@exemple.fr', 0)
  await switchOn(quiz.id)
  const last = await submitParticipant(quiz, 'lea@exemple.fr', 1)
  await finishDeliveries()
  await client.deliveries.sendEarlier({ id: quiz.id, body: BREVO })
  await finishDeliveries()
  assert.notEqual(first.result_name, last.result_name)
  assert.deepEqual(listPeopleAtTools(creator.account).brevo, [
    { email: 'lea@exemple.fr', result: last.result_name },
  ])
})

test('a participant who declined is never forwarded, even if the quiz stops asking before they finish', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  await submitParticipant(quiz, 'non@exemple.fr', 0, 0)
  await submitParticipant(quiz, 'sans-case@exemple.fr')
  await finishDeliveries()
  assert.deepEqual(
    listPeopleAtTools(creator.account).brevo.map(({ email }) => email),
    ['sans-case@exemple.fr'],
  )
  const offered = await creator.client.deliveries.earlier({ id: quiz.id })
  assert.deepEqual(offered, { providers: [] })
})

test('a creator cannot forward the participants of another creator', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const { client } = await app.signUp()
  await refuses(client.deliveries.earlier({ id: quiz.id }), 404, 'not_found')
  await refuses(client.deliveries.sendEarlier({ id: quiz.id, body: BREVO }), 404, 'not_found')
})

testInAll(
  'each of ten thousand participants is queued once, even with two concurrent calls',
  async () => {
    const creator = await app.connectCreator()
    const { client } = creator
    const quiz = await publishedScoreQuiz(client)
    await client.quizzes.update({ id: quiz.id, body: { consent_mode: 'requested' } })
    const { rows } = await app.pool.query<{ count: number }>(
      `with new_responses as (
      insert into responses (quiz_id, participant_uuid, version, email, result_position, choices, texts)
      select $1, gen_random_uuid(), 1, 'p' || rank || '@exemple.fr', 0, '{}', '{}'
      from generate_series(1, 10500) as rank returning 1
    ) select count(*)::integer as count from new_responses`,
      [quiz.id],
    )
    await switchOn(quiz.id)
    const send = () => client.deliveries.sendEarlier({ id: quiz.id, body: BREVO })
    const sent = await Promise.all([send(), send()])
    assert.equal(sent[0].nb_sent + sent[1].nb_sent, rows[0]?.count)
    // The responses were inserted without counters. Their deletion makes the counters consistent again.
    await app.pool.query('delete from responses where quiz_id = $1', [quiz.id])
  },
)
