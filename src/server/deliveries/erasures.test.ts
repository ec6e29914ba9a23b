import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { pickCases } from '#domain/testing/pick-by-run.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import {
  createErasureScene,
  EMAIL,
  ERASURE_CHOICES,
  type ErasureScene,
  HOUR_MS,
  OTHER_EMAIL,
} from '#server/testing/app/erasure-scene.ts'
import { findTablesContaining } from '#server/testing/app/find-tables-containing.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { CHANNEL_RATE_LIMITS, type ChannelRateLimit } from './channel-rate-limits.ts'
import { claimErasures } from './erasure-attempts.store.ts'

const app = await createOutboxApp()
after(() => app.close())
const {
  fakes,
  receiver,
  db,
  submitParticipant,
  advanceClock,
  finishDeliveries,
  listPeopleAtTools,
} = app
const {
  create: scene,
  erase,
  makeErasuresDue,
  listErasures,
  listErasureEvents,
  listContactedPeopleOf,
} = createErasureScene(app)
const everything = [...Object.values(fakes), receiver]
afterEach(async () => {
  for (const one of everything) one.heal()
  assert.deepEqual(await findDifferences(app.pool), [])
})

const MINUTE_MS = 60_000
const ONE_LEFT = { convertkit: [OTHER_EMAIL], systemio: [OTHER_EMAIL], brevo: [OTHER_EMAIL] }

/** Failures that happen after an erasure is requested, each with the step that ends the failure. */
const SITUATIONS: Record<string, (at: ErasureScene) => () => Promise<void>> = {
  healthy: () => async () => undefined,
  slow: () => {
    for (const one of everything) one.fail({ mode: 'slow', delay_ms: 30, times: 5 })
    return async () => undefined
  },
  'down for an hour': () => {
    for (const one of everything) one.fail({ mode: 'before', status: 503, times: 10_000 })
    return async () => {
      await advanceClock(HOUR_MS, HOUR_MS / 6)
      for (const one of everything) one.heal()
    }
  },
  'losing its answers': () => {
    for (const one of everything) one.fail({ mode: 'after' })
    return async () => undefined
  },
  refusing: ({ creator, quiz }) => {
    const body = { code: 'no', detail: 'no' }
    for (const one of everything) one.fail({ mode: 'before', status: 400, body, times: 3 })
    return async () => {
      await finishDeliveries(MINUTE_MS)
      for (const one of everything) one.heal()
      const refused = await listErasures(creator, quiz)
      assert.deepEqual(
        refused.map(({ status, can_retry }) => [status, can_retry]),
        Array(4).fill(['refused', true]),
      )
      for (const { id: erasureId, message } of refused) {
        assert.ok(message)
        await creator.client.erasures.retry({ id: quiz.id, erasureId })
      }
      await makeErasuresDue()
    }
  },
  revoked: ({ creator }) => {
    const ids = Object.values(creator.connections)
    const before = ids.map((id) => app.secrets.get(id) ?? '')
    for (const id of ids) app.secrets.set(id, 'revoked')
    receiver.fail({ mode: 'before', status: 410 })
    return async () => {
      await advanceClock(HOUR_MS, HOUR_MS / 6)
      for (const [at, id] of ids.entries()) app.secrets.set(id, before[at] ?? '')
      await db
        .updateTable('integration_connections')
        .set({ status: 'active', status_reason: null })
        .where('id', 'in', ids)
        .execute()
    }
  },
}
const QUICK: ChannelRateLimit = {
  per_second: 1_000_000,
  burst: 5,
  parallel: 4,
  calls: 1,
  lease_s: 60,
}
const MANY = {
  ...CHANNEL_RATE_LIMITS,
  convertkit: QUICK,
  systemio: QUICK,
  brevo: QUICK,
  webhook: QUICK,
}
const KILLED: Record<string, () => Promise<void>> = {
  '': async () => undefined,
  ', a process killed before its calls': async () => {
    const shares = [...PROVIDERS, 'webhook' as const].map((provider) => ({
      provider,
      share: 64,
      per_creator: 64,
    }))
    const claimed = await claimErasures(db, { now: app.now(), rateLimits: MANY, shares, limit: 64 })
    assert.equal(claimed.length, 4)
  },
}

describe('an erasure', () => {
  for (const [situation, begin] of pickCases(SITUATIONS, ['losing its answers', 'refusing']))
    for (const [killed, kill] of pickCases(KILLED, [', a process killed before its calls']))
      testInAll(
        `an erasure is carried out once at each requested destination: ${situation}${killed}`,
        async () => {
          const at = await scene()
          const { creator, quiz, hook, participant_uuid } = at
          await erase(at)
          assert.ok((await findTablesContaining(app.pool, EMAIL)).length === 0)
          const end = begin(at)
          await kill()
          await app.worker.drain()
          await end()
          await finishDeliveries(10_000)

          assert.deepEqual(listContactedPeopleOf(creator.account), ONE_LEFT)
          const listed = await listErasures(creator, quiz)
          assert.deepEqual(
            listed.map(({ provider, kind, status }) => [provider, kind, status]).sort(),
            [
              ['brevo', 'delete', 'done'],
              ['convertkit', 'unsubscribe', 'done'],
              ['systemio', 'delete', 'done'],
              ['webhook', 'event', 'done'],
            ],
          )
          for (const { message, settled_at } of listed) assert.ok(message && settled_at)
          const told = listErasureEvents(hook.name)
          assert.equal(new Set(told.map(({ id }) => id)).size, 1)
          assert.deepEqual(told[0]?.event.data, {
            quiz: { id: quiz.id },
            participant_id: participant_uuid,
          })
          assert.deepEqual(await findTablesContaining(app.pool, EMAIL), [])
          assert.deepEqual(await findTablesContaining(app.pool, participant_uuid), [])
          const { rows } = await app.pool.query(
            'select from erasures where sealed_person is not null or vendor_contact_id is not null',
          )
          assert.equal(rows.length, 0)
          assert.deepEqual(app.findLeaks(), [])
        },
      )

  test('two concurrent processes carry out an erasure once', async () => {
    const at = await scene()
    await erase(at)
    const before = fakes.brevo.journal.length
    const other = app.startWorker()
    await Promise.all([app.worker.drain(), other.drain()])
    await finishDeliveries()
    await other.close()
    const calls = fakes.brevo.journal.slice(before).map(({ method }) => method)
    assert.deepEqual(calls, ['DELETE'])
    assert.equal(listErasureEvents(at.hook.name).length, 1)
    assert.deepEqual(listContactedPeopleOf(at.creator.account), ONE_LEFT)
  })

  test('an erasure without a chosen tool notifies only webhooks', async () => {
    const at = await scene()
    const calls = Object.values(fakes).map(({ journal }) => journal.length)
    await erase(at, {})
    await finishDeliveries()
    assert.deepEqual(
      Object.values(fakes).map(({ journal }) => journal.length),
      calls,
    )
    assert.deepEqual(
      (await listErasures(at.creator, at.quiz)).map(({ provider, message }) => [provider, message]),
      [['webhook', 'L’adresse a été prévenue.']],
    )
    assert.equal(listPeopleAtTools(at.creator.account).brevo.length, 2)
  })

  test('an erasure by unsubscription keeps the contact', async () => {
    const at = await scene()
    await erase(at, { brevo: 'unsubscribe' })
    await finishDeliveries()
    assert.deepEqual(listContactedPeopleOf(at.creator.account).brevo, [OTHER_EMAIL])
    assert.equal(listPeopleAtTools(at.creator.account).brevo.length, 2)
    const [event, brevo] = await listErasures(at.creator, at.quiz)
    const messages = [event?.message, brevo?.message].sort()
    assert.deepEqual(messages, ['La personne y est désinscrite.', 'L’adresse a été prévenue.'])
  })

  test('the erasure of a person is sent once to each tool, and to each webhook once per participant', async () => {
    const at = await scene()
    const { creator } = at
    const second = await app.createForwardingQuiz(creator)
    const hook = await app.addWebhook(creator, second)
    await submitParticipant(second, EMAIL.toUpperCase())
    await submitParticipant(second, EMAIL, 1)
    await finishDeliveries()
    const body = { email: EMAIL, ...ERASURE_CHOICES }
    const found = await creator.client.participants.ofPerson({ body: { email: EMAIL } })
    assert.deepEqual(found.sent_to, {
      tools: [
        { provider: 'convertkit', kinds: ['unsubscribe'] },
        { provider: 'systemio', kinds: ['delete'] },
        { provider: 'brevo', kinds: ['unsubscribe', 'delete'] },
      ],
      nb_webhooks: 2,
    })
    assert.deepEqual(await creator.client.participants.removePerson({ body }), {
      nb_deleted: 3,
      nb_invitations: 0,
    })
    await makeErasuresDue()
    assert.deepEqual(await creator.client.participants.removePerson({ body }), {
      nb_deleted: 0,
      nb_invitations: 0,
    })
    await finishDeliveries(10_000)
    assert.deepEqual(listContactedPeopleOf(creator.account), ONE_LEFT)
    assert.equal(listErasureEvents(at.hook.name).length, 1)
    assert.equal(listErasureEvents(hook.name).length, 2)
    // A tool has one contact for all responses of an address, and the ledger of both quizzes shows
    // the erasure.
    assert.equal((await listErasures(creator, at.quiz)).length, 3 + 1)
    assert.equal((await listErasures(creator, second)).length, 3 + 2)
    assert.deepEqual(await findTablesContaining(app.pool, EMAIL), [])
  })
})

test('a webhook is notified only about participants that it received, and never after its removal', async () => {
  const { creator, quiz, hook, participant_uuid } = await scene()
  const at = { id: quiz.id, webhookId: hook.id }
  await creator.client.webhooks.update({ ...at, body: { is_paused: true } })
  const waiting = await submitParticipant(quiz, 'jamais@exemple.fr')
  await creator.client.participants.remove({ id: quiz.id, participantId: waiting.participant_uuid })
  assert.deepEqual(await listErasures(creator, quiz), [])
  await creator.client.participants.remove({ id: quiz.id, participantId: participant_uuid })
  await app.worker.drain()
  assert.equal((await listErasures(creator, quiz))[0]?.status, 'pending')
  await creator.client.webhooks.remove(at)
  await finishDeliveries()
  const [listed] = await listErasures(creator, quiz)
  assert.deepEqual([listed?.status, listed?.can_retry], ['refused', false])
  assert.equal(listed?.message, 'Le webhook a été supprimé.')
  assert.deepEqual(listErasureEvents(hook.name), [])
  assert.deepEqual(await findTablesContaining(app.pool, participant_uuid), [])
})
