import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { pickCases } from '#domain/testing/pick-by-run.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { reconcile } from './reconcile.store.ts'

// Starts early, because its tests take more than 15 s.

const app = await createOutboxApp()
after(() => app.close())
const { receiver, db, submitParticipant, advanceClock, finishDeliveries } = app
afterEach(async () => {
  receiver.heal()
  assert.deepEqual(await findDifferences(app.pool), [])
  assert.equal(await reconcile(app.db), 0)
})

const HOUR_MS = 3_600_000
type Event = { type: string; data: { participant_id: string; email: string | null } }
const eventsAt = (name: string): Event[] =>
  receiver.receivedAt(name).map(({ text }) => JSON.parse(text) as Event)
const participantsAt = (name: string): string[] =>
  [...new Set(eventsAt(name).map(({ data }) => data.participant_id))].sort()
const balanceOf = async ({ client }: ConnectedCreator, { id }: SampleQuiz, webhook_id: string) => {
  const { ledgers } = await client.deliveries.list({ id })
  const ledger = ledgers.find(({ connection_id }) => connection_id === webhook_id)
  assert.ok(ledger)
  const { pending, delivered, refused, nb_participants } = ledger.balance
  return { state: ledger.connection, pending, delivered, refused, nb_participants }
}
/** Creates a quiz with a webhook, and returns a function that submits a number of responses. */
const scene = async (providers: Parameters<typeof app.createForwardingQuiz>[1] = []) => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, providers)
  const hook = await app.addWebhook(creator, quiz)
  const come = async (count: number): Promise<string[]> => {
    const uuids: string[] = []
    for (let index = 0; index < count; index++)
      uuids.push(
        (await submitParticipant(quiz, `p${index}@exemple.fr`, index % 2)).participant_uuid,
      )
    return uuids.sort()
  }
  return { creator, quiz, hook, come, balance: () => balanceOf(creator, quiz, hook.id) }
}

describe('the deliveries to a webhook', () => {
  test('a webhook gets all participants, with or without an address, in addition to the tools', async () => {
    const { creator, quiz, hook, balance } = await scene(['brevo'])
    const first = await submitParticipant(quiz, 'lea@exemple.fr')
    const second = await submitParticipant(quiz, '', 1)
    await finishDeliveries()
    const uuids = [first.participant_uuid, second.participant_uuid].sort()
    assert.deepEqual(participantsAt(hook.name), uuids)
    const event = eventsAt(hook.name).find(
      ({ data }) => data.participant_id === first.participant_uuid,
    )
    const version = event as unknown as { data: { quiz: { id: string }; result: object } }
    assert.equal(event?.type, 'response.created')
    assert.equal(event?.data.email, 'lea@exemple.fr')
    assert.equal(version.data.quiz.id, quiz.id)
    assert.deepEqual(version.data.result, { id: quiz.result_ids[0], name: 'Pas à pas' })
    assert.deepEqual(await balance(), {
      state: 'active',
      pending: 0,
      delivered: 2,
      refused: 0,
      nb_participants: 2,
    })
    const { ledgers, deliveries } = await creator.client.deliveries.list({ id: quiz.id })
    assert.equal(ledgers.find(({ provider }) => provider === 'brevo')?.balance.no_email, 1)
    assert.deepEqual(
      deliveries.filter(({ provider }) => provider === 'webhook').map(({ url }) => url),
      [receiver.urlOf(hook.name), receiver.urlOf(hook.name)],
    )
    const shown = { id: quiz.id, provider: 'webhook' } as const
    assert.equal((await creator.client.deliveries.list(shown)).deliveries.length, 2)
  })

  test('a webhook does not get the address of a participant who did not agree', async () => {
    const { creator, quiz, hook } = await scene(['brevo'])
    await creator.client.quizzes.update({ id: quiz.id, body: { consent_mode: 'box' } })
    await app.client.publicQuiz.snapshot({ id: quiz.id })
    await submitParticipant(quiz, 'non@exemple.fr', 0, 0)
    await finishDeliveries()
    const [received] = receiver.receivedAt(hook.name)
    assert.ok(received && !received.text.includes('non@exemple.fr'))
    assert.match(received.text, /"consent":\{"state":"declined","text_version":null\}/)
    assert.match(received.text, /"answer":"Rempli"/)
  })

  testInAll(
    'the reference library verifies the signature of a webhook in another process',
    async () => {
      const { hook, come } = await scene()
      await come(3)
      await finishDeliveries()
      const messages = receiver
        .receivedAt(hook.name)
        .map(({ text, headers }) => ({ secret: hook.secret, text, headers }))
      const [message] = messages
      assert.ok(message)
      const altered = { ...message, text: message.text.replace('Pas', 'Bas') }
      const { stdout } = spawnSync(
        process.execPath,
        [join(import.meta.dirname, '../testing/verify-webhook.ts')],
        { input: JSON.stringify([...messages, altered]), encoding: 'utf8' },
      )
      const lines = stdout.trim().split('\n')
      assert.deepEqual(lines.slice(0, 3), Array(3).fill('response.created'))
      assert.match(lines[3] ?? '', /No matching signature/)
    },
  )

  testInAll(
    'a paused webhook keeps its deliveries without ageing and continues later',
    async () => {
      const { creator, quiz, hook, come, balance } = await scene()
      const at = { id: quiz.id, webhookId: hook.id }
      await creator.client.webhooks.update({ ...at, body: { is_paused: true } })
      const uuids = await come(3)
      await advanceClock(100 * HOUR_MS, 10 * HOUR_MS)
      assert.deepEqual(receiver.receivedAt(hook.name), [])
      assert.equal((await balance()).state, 'paused')
      receiver.fail({ mode: 'before', status: 500, times: 3 })
      await creator.client.webhooks.update({ ...at, body: { is_paused: false } })
      await finishDeliveries(60_000)
      assert.deepEqual(participantsAt(hook.name), uuids)
      assert.equal((await balance()).delivered, 3)
    },
  )

  test('a removed webhook gets no more events and keeps its ledger', async () => {
    const { creator, quiz, hook, come, balance } = await scene()
    await come(1)
    await finishDeliveries()
    receiver.fail({ mode: 'before', status: 500, times: 100 })
    await come(2)
    await app.worker.drain()
    await creator.client.webhooks.remove({ id: quiz.id, webhookId: hook.id })
    await come(1)
    receiver.heal()
    await finishDeliveries()
    assert.deepEqual(await balance(), {
      state: 'disconnected',
      pending: 0,
      delivered: 1,
      refused: 2,
      nb_participants: 4,
    })
    const retry = { provider: 'webhook', connection_id: hook.id } as const
    const { nb_retried } = await creator.client.deliveries.retry({ id: quiz.id, body: retry })
    assert.equal(nb_retried, 0)
    const { deliveries } = await creator.client.deliveries.list({ id: quiz.id })
    assert.deepEqual(
      deliveries.filter(({ status }) => status === 'refused').map((delivery) => delivery.reason),
      Array(2).fill('Le webhook a été supprimé.'),
    )
    assert.ok(deliveries.every(({ is_removed }) => is_removed))
  })

  test('each of five webhooks has its own figures and is retried alone', async () => {
    const { creator, quiz, hook } = await scene()
    const other = await app.addWebhook(creator, quiz)
    receiver.fail({ path: `/hooks/${hook.name}`, mode: 'before', status: 422, times: 3 })
    const { participant_uuid } = await submitParticipant(quiz, 'lea@exemple.fr')
    await finishDeliveries(60_000)
    assert.equal((await balanceOf(creator, quiz, hook.id)).refused, 1)
    assert.equal((await balanceOf(creator, quiz, other.id)).delivered, 1)
    const body = { provider: 'webhook', connection_id: hook.id, participant_uuid } as const
    await creator.client.deliveries.retry({ id: quiz.id, body })
    await finishDeliveries()
    assert.equal((await balanceOf(creator, quiz, hook.id)).delivered, 1)
    assert.equal(receiver.receivedAt(other.name).length, 1)
  })
})

describe('the repeated deliveries to a webhook that fails', () => {
  /** Failures of a receiver: status, duration, and whether the creator is notified. */
  const FAULTS: Record<string, { status?: number; lasts_ms: number; needs?: boolean }> = {
    'the receiver is slow to come back': { status: 503, lasts_ms: 60_000 },
    'the receiver is down for an hour': { lasts_ms: HOUR_MS },
    'the receiver is down for a day': { status: 500, lasts_ms: 24 * HOUR_MS },
    'the receiver refuses for an hour': { status: 403, lasts_ms: HOUR_MS, needs: true },
    'the receiver is gone for a day': { status: 410, lasts_ms: 24 * HOUR_MS, needs: true },
    'the receiver redirects elsewhere for an hour': { status: 307, lasts_ms: HOUR_MS, needs: true },
    'the receiver asks to slow down': { status: 429, lasts_ms: 60_000 },
  }
  for (const [name, { status, lasts_ms, needs = false }] of pickCases(FAULTS, [
    'the receiver is down for an hour',
    'the receiver asks to slow down',
  ]))
    testInAll(
      `each event reaches the webhook under the id of its first attempt although ${name}`,
      async () => {
        const { hook, come, balance } = await scene()
        const headers = { 'retry-after': '5', location: 'http://127.0.0.1:1/' }
        receiver.fail({ mode: 'before', times: 100_000, ...(status && { status, headers }) })
        const uuids = await come(4)
        await app.worker.drain()
        await advanceClock(lasts_ms, Math.max(1_000, lasts_ms / 60))
        const { state, pending } = await balance()
        assert.deepEqual([state, pending], [needs ? 'needs_attention' : 'active', 4])
        receiver.heal()
        await finishDeliveries(60_000)
        assert.deepEqual(participantsAt(hook.name), uuids)
        assert.equal((await balance()).delivered, 4)
        assert.equal((await balance()).state, 'active')
        assert.equal(
          app.blocked.some(({ url }) => url === receiver.urlOf(hook.name)),
          needs,
        )
      },
    )

  test('a lost reply leads to a second attempt under the same id', async () => {
    const { hook, come } = await scene()
    receiver.fail({ mode: 'after', times: 2 })
    const uuids = await come(2)
    await finishDeliveries(60_000)
    assert.deepEqual(participantsAt(hook.name), uuids)
    const received = receiver.receivedAt(hook.name)
    assert.equal(received.length, 4)
    assert.equal(new Set(received.map(({ id }) => id)).size, 2)
    assert.equal(new Set(received.map(({ text }) => text)).size, 2)
  })

  test('another worker sends the event of a killed process under the same id', async () => {
    const { quiz, hook, come } = await scene()
    const uuids = await come(2)
    await finishDeliveries()
    // Resets the rows as if the outcome had not been stored.
    await db
      .updateTable('deliveries')
      .set({ status: 'pending', settled_at: null, lease_id: quiz.id, lease_until: app.now() })
      .set({ next_attempt_at: app.now() })
      .where('connection_id', '=', hook.id)
      .execute()
    await finishDeliveries(30_000)
    assert.deepEqual(participantsAt(hook.name), uuids)
    const received = receiver.receivedAt(hook.name)
    assert.equal(received.length, 4)
    assert.equal(new Set(received.map(({ id }) => id)).size, 2)
  })

  test('two concurrent workers send each event once', async () => {
    const { hook, come } = await scene()
    await come(12)
    const other = app.startWorker()
    await Promise.all([app.worker.drain(), other.drain()])
    await finishDeliveries()
    await other.close()
    assert.equal(receiver.receivedAt(hook.name).length, 12)
  })

  testInAll('failing webhooks delay neither tools nor other webhooks', async () => {
    const broken = await scene(['brevo'])
    const healthy = await scene()
    receiver.fail({ path: `/hooks/${broken.hook.name}`, mode: 'before', status: 500, times: 1_000 })
    await broken.come(20)
    const uuids = await healthy.come(5)
    await app.worker.drain()
    await advanceClock(20_000, 1_000)
    assert.deepEqual(participantsAt(healthy.hook.name), uuids)
    assert.equal(app.listPeopleAtTools(broken.creator.account).brevo.length, 20)
    receiver.heal()
    await finishDeliveries(60_000)
    assert.equal(participantsAt(broken.hook.name).length, 20)
  })
})
