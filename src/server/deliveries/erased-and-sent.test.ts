import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import {
  createErasureScene,
  EMAIL,
  HOUR_MS,
  OTHER_EMAIL,
} from '#server/testing/app/erasure-scene.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { claimDue, openLimiters } from './claim-deliveries.store.ts'
import { sendDelivery } from './send-delivery.ts'

// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries, listPeopleAtTools } = app
const { create: scene, erase, makeErasuresDue, listContactedPeopleOf } = createErasureScene(app)
afterEach(async () => {
  for (const fake of Object.values(fakes)) fake.heal()
  assert.deepEqual(await findDifferences(app.pool), [])
})

describe('the erasure and a delivery of the same person', () => {
  test('a delivery in progress finishes before the erasure and does not write the person again', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const { participant_uuid, result_name } = await submitParticipant(quiz, EMAIL)
    await openLimiters(db, app.now())
    const shares = [{ provider: 'brevo' as const, share: 64, per_creator: 64 }]
    const [claimed] = await claimDue(db, {
      now: app.now(),
      rateLimits: CHANNEL_RATE_LIMITS,
      shares,
      limit: 64,
    })
    assert.equal(claimed?.participant_uuid, participant_uuid)
    const { participant } = await creator.client.participants.explain({
      id: quiz.id,
      participantId: participant_uuid,
    })
    assert.deepEqual(
      participant.sent_to.tools.map(({ provider }) => provider),
      ['brevo'],
    )
    await creator.client.participants.remove({
      id: quiz.id,
      participantId: participant_uuid,
      brevo: 'delete',
    })
    await makeErasuresDue()
    await app.worker.drain()
    const deletions = () => fakes.brevo.journal.filter(({ method }) => method === 'DELETE').length
    const before = deletions()
    await app.worker.drain()
    assert.equal(deletions(), before)
    // The running call reaches the tool after the erasure was requested.
    const connection_id = creator.connections.brevo
    await sendDelivery(app.tools, {
      quiz_id: quiz.id,
      provider: 'brevo',
      connection_id,
      email: EMAIL,
      result_name,
      participant_uuid: null,
      is_replaced: false,
      completed_calls: {},
    })
    assert.equal(listPeopleAtTools(creator.account).brevo.length, 1)
    await finishDeliveries(10_000)
    assert.equal(deletions(), before + 1)
    assert.deepEqual(listPeopleAtTools(creator.account).brevo, [])
  })

  test('a delivery for another response of the person is cancelled, whether it was sent or is pending', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const first = await submitParticipant(quiz, EMAIL)
    const second = await submitParticipant(quiz, EMAIL, 1)
    await finishDeliveries()
    fakes.brevo.fail({ mode: 'before', status: 503 })
    const third = await submitParticipant(quiz, EMAIL)
    await app.worker.drain()
    await creator.client.participants.remove({
      id: quiz.id,
      participantId: first.participant_uuid,
      brevo: 'delete',
    })
    await makeErasuresDue()
    await finishDeliveries(10_000)
    assert.deepEqual(listPeopleAtTools(creator.account).brevo, [])
    const { deliveries, ledgers } = await creator.client.deliveries.list({ id: quiz.id })
    assert.deepEqual(
      deliveries.map(({ participant_uuid, status, reason }) => [participant_uuid, status, reason]),
      [third, second].map(({ participant_uuid }) => [
        ...[participant_uuid, 'suppressed', 'Vous y avez fait effacer la personne.'],
      ]),
    )
    assert.equal(ledgers[0]?.balance.suppressed, 2)
    // A second deletion requests no erasure because the participant is already deleted.
    const kept = { id: quiz.id, participantId: second.participant_uuid }
    const { participant } = await creator.client.participants.explain(kept)
    assert.deepEqual(participant.sent_to.tools, [])
  })

  test('a person who returns while the tool is down is delivered after their erasure', async () => {
    const at = await scene()
    const { creator, quiz } = at
    for (const fake of Object.values(fakes))
      fake.fail({ mode: 'before', status: 503, times: 10_000 })
    await erase(at)
    await app.worker.drain()
    await advanceClock(HOUR_MS, HOUR_MS / 6)
    for (const fake of Object.values(fakes)) fake.heal()
    const { result_name } = await submitParticipant(quiz, EMAIL, 1)
    await finishDeliveries(10_000)
    for (const provider of ['brevo', 'systemio'] as const)
      assert.deepEqual(
        listPeopleAtTools(creator.account)[provider].filter(({ email }) => email === EMAIL),
        [{ email: EMAIL, result: result_name }],
      )
    // Kit keeps unsubscribed contacts unsubscribed.
    assert.deepEqual(listContactedPeopleOf(creator.account).convertkit, [OTHER_EMAIL])
  })

  test('an erasure after a lost reply finds the contact by address when the tool lists it', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['convertkit'])
    fakes.convertkit.fail({ method: 'POST', path: '/v4/subscribers', mode: 'after' })
    const { participant_uuid } = await submitParticipant(quiz, EMAIL)
    await app.worker.drain()
    const { subscribers } = fakes.convertkit.accountOf(creator.account)
    assert.deepEqual(
      [...subscribers.values()].map(({ state }) => state),
      ['active'],
    )
    const at = { id: quiz.id, participantId: participant_uuid }
    await creator.client.participants.remove({ ...at, convertkit: 'unsubscribe' })
    await makeErasuresDue()
    await finishDeliveries(10_000)
    assert.deepEqual(
      [...subscribers.values()].map(({ state }) => state),
      ['cancelled'],
    )
  })
})

testInAll('many erasures respect the rate limit, and concurrent deliveries arrive', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['systemio'])
  const people = Array.from({ length: 12 }, (_, index) => `p${index}@exemple.fr`)
  const uuids: string[] = []
  for (const email of people) uuids.push((await submitParticipant(quiz, email)).participant_uuid)
  await finishDeliveries()
  const before = fakes.systemio.journal.length
  for (const participantId of uuids)
    await creator.client.participants.remove({ id: quiz.id, participantId, systemio: 'delete' })
  await makeErasuresDue()
  const { result_name: result } = await submitParticipant(quiz, OTHER_EMAIL, 1)
  await finishDeliveries()
  assert.deepEqual(
    listPeopleAtTools(creator.account).systemio.filter(({ email }) => email === OTHER_EMAIL),
    [{ email: OTHER_EMAIL, result }],
  )
  assert.deepEqual(listContactedPeopleOf(creator.account).systemio, [OTHER_EMAIL])
  const refused = fakes.systemio.journal.slice(before).filter(({ status }) => status === 429)
  assert.ok(refused.length <= 3, `${refused.length} calls in vain`)
})
