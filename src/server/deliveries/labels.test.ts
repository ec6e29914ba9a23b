import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { PROVIDERS, type ProviderName } from '#domain/common/vocabulary.ts'
import { pickByRun, pickCases } from '#domain/testing/pick-by-run.ts'
import type { CompletedCalls } from '#server/db/delivery-tables.ts'
import { PROVIDER_TIMEOUT_MS } from '#server/integrations/providers/provider-requests.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import {
  ANSWER_LABEL,
  createLabelledQuizzes,
  RESULT_LABEL,
} from '#server/testing/quizzes/labelled-quizzes.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { describeInAll, testInAll } from '#server/testing/test-in-all.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { reconcile } from './reconcile.store.ts'
import { sendDelivery } from './send-delivery.ts'

// Starts early, because its tests take more than 15 s.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries } = app
const { createLabelledQuiz, readLabels, listCreatedLabels } = createLabelledQuizzes(app)
const usual = { systemio: { ...fakes.systemio.switches }, brevo: { ...fakes.brevo.switches } }
afterEach(() => {
  for (const fake of Object.values(fakes)) fake.heal()
  Object.assign(fakes.systemio.switches, usual.systemio)
  Object.assign(fakes.brevo.switches, usual.brevo)
})

const HOUR_MS = 3_600_000

/** Resets the deliveries as if the process had been killed before it stored the outcome. */
const killedBeforeItsWrite = ({ id }: SampleQuiz): Promise<unknown> =>
  db
    .updateTable('deliveries')
    .set({ status: 'pending', completed_calls: null, settled_at: null, attempts: 0 })
    .set({ lease_id: id, lease_until: app.now(), next_attempt_at: app.now() })
    .where('quiz_id', '=', id)
    .execute()

type Scenario = {
  /** Causes the failure before the first response. */
  begin: (provider: ProviderName, creator: ConnectedCreator) => void
  /** Ends the failure. */
  end: (provider: ProviderName, creator: ConnectedCreator) => Promise<void>
  hasLabels?: boolean
}
const fine: Scenario = { begin: () => undefined, end: async () => undefined }
const LABEL_CALLS = /\/tags|\/lists|\/folders/
const SCENARIOS: Record<string, Scenario> = {
  healthy: fine,
  slow: {
    ...fine,
    begin: (provider) => fakes[provider].fail({ mode: 'slow', delay_ms: 20, times: 1_000 }),
  },
  'down for an hour': {
    begin: (provider) => fakes[provider].fail({ mode: 'before', status: 503, times: 10_000 }),
    end: async (provider) => {
      await advanceClock(HOUR_MS, HOUR_MS / 6)
      fakes[provider].heal()
    },
  },
  'down for its tags and lists alone': {
    begin: (provider) =>
      fakes[provider].fail({ path: LABEL_CALLS, mode: 'before', status: 503, times: 10_000 }),
    end: async (provider) => {
      await advanceClock(HOUR_MS, HOUR_MS / 6)
      fakes[provider].heal()
    },
  },
  'losing its answers': {
    ...fine,
    begin: (provider) => fakes[provider].fail({ method: 'POST', mode: 'after', times: 5 }),
  },
  'refusing tags and lists': {
    ...fine,
    begin: (provider) => {
      fakes.systemio.switches.max_tags = 0
      fakes.brevo.switches.max_lists = 0
      if (provider === 'convertkit')
        fakes.convertkit.fail({ path: '/v4/tags', mode: 'before', status: 422, times: 10_000 })
    },
    hasLabels: false,
  },
  revoked: {
    begin: (provider, { connections }) => {
      const id = connections[provider]
      app.secrets.set(id, `revoked-${app.secrets.get(id)}`)
    },
    end: async (provider, { connections }) => {
      const id = connections[provider]
      app.secrets.set(id, (app.secrets.get(id) ?? '').replace('revoked-', ''))
      await db
        .updateTable('integration_connections')
        .set({ status: 'active', status_reason: null })
        .where('id', '=', id)
        .execute()
    },
  },
}

for (const provider of PROVIDERS)
  describe(`labels at ${provider}`, () => {
    for (const [name, { begin, end, hasLabels = true }] of pickCases(SCENARIOS, [
      'losing its answers',
      'refusing tags and lists',
    ]))
      for (const isKilled of pickByRun({ daily: [true], all: [false, true] }))
        testInAll(
          `every participant is labelled exactly once: ${name}${isKilled ? ', and a process killed' : ''}`,
          async () => {
            const creator = await app.connectCreator()
            const quiz = await createLabelledQuiz(creator, [provider])
            begin(provider, creator)
            await submitParticipant(quiz, 'a@exemple.fr', 0)
            await submitParticipant(quiz, 'b@exemple.fr', 1)
            await submitParticipant(quiz, 'c@exemple.fr', 0)
            await app.worker.drain()
            await end(provider, creator)
            await finishDeliveries(2_000)
            if (isKilled) {
              await killedBeforeItsWrite(quiz)
              await finishDeliveries(2_000)
            }
            const both = hasLabels ? [ANSWER_LABEL, RESULT_LABEL] : []
            assert.deepEqual(readLabels(creator, provider), {
              'a@exemple.fr': both,
              'b@exemple.fr': [],
              'c@exemple.fr': both,
            })
            assert.deepEqual(listCreatedLabels(creator, provider), both)
            const { ledgers, deliveries } = await creator.client.deliveries.list({ id: quiz.id })
            assert.equal(ledgers[0]?.balance.delivered, 3)
            for (const { email, labels, reason } of deliveries) {
              const isLabelled = email !== 'b@exemple.fr'
              assert.deepEqual(labels.toSorted(), isLabelled ? both : [], `${email}`)
              const isRefused = isLabelled && !hasLabels
              assert.equal(/^Envoyé sans « .+ », « .+ »/.test(reason ?? ''), isRefused, `${reason}`)
            }
            assert.deepEqual(await findDifferences(app.pool), [])
            assert.equal(await reconcile(db), 0)
            assert.deepEqual(app.findLeaks(), [])
          },
        )
  })

describeInAll('the rate limit of Systeme.io', () => {
  for (const isKnown of [false, true])
    test(`Systeme.io answers at most three calls with 429 while thirty people wait${isKnown ? ', known there' : ''}`, async () => {
      const creator = await app.connectCreator()
      const quiz = await createLabelledQuiz(creator, ['systemio'])
      const { contacts } = fakes.systemio.accountOf(creator.account)
      const people = Array.from({ length: 30 }, (_, at) => `p${100 + at}@exemple.fr`)
      if (isKnown)
        for (const [id, email] of people.entries())
          contacts.set(id + 1, {
            id: id + 1,
            email,
            locale: 'fr',
            unsubscribed: false,
            bounced: false,
            fields: {},
            tag_ids: [],
            deleted_at: null,
          })
      for (const email of people) await submitParticipant(quiz, email, 0)
      const before = fakes.systemio.journal.length
      await finishDeliveries(1_000)
      const made = fakes.systemio.journal.slice(before)
      const refused = made.filter(({ status }) => status === 429)
      assert.ok(refused.length <= 3, `${refused.length} of ${made.length} calls in vain`)
      const both = people.map((email) => [email, [ANSWER_LABEL, RESULT_LABEL]])
      assert.deepEqual(Object.entries(readLabels(creator, 'systemio')), both)
    })
})

testInAll(
  'labels refused by Systeme.io are requested once, and again after a successful trial',
  async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['systemio'])
    const { id, question_id, answer_ids } = quiz
    const names = ['Un', 'Deux', 'Trois', 'Quatre']
    const about = { provider: 'systemio' as const, question_id, answer_id: answer_ids[0] }
    for (const label_name of names)
      await creator.client.automations.add({ id, body: { ...about, label_name } })
    fakes.systemio.switches.max_tags = 0
    const before = fakes.systemio.journal.length
    const askedForTags = () =>
      fakes.systemio.journal
        .slice(before)
        .filter(({ path, status }) => path === '/api/tags' && status !== 429).length
    await submitParticipant(quiz, 'p0@exemple.fr', 0)
    await finishDeliveries(1_000)
    const { deliveries } = await creator.client.deliveries.list({ id })
    assert.match(
      deliveries[0]?.reason ?? '',
      /^Envoyé sans « Un », « Deux », « Trois », « Quatre »/,
    )
    for (let at = 1; at < 30; at += 1) await submitParticipant(quiz, `p${at}@exemple.fr`, 0)
    await finishDeliveries(1_000)
    // Each label needs three calls, and a label interrupted by the rate limit starts again.
    assert.ok(askedForTags() <= 3 * names.length + 2, `${askedForTags()} calls`)

    // Earlier calls do not count against the limit after a minute.
    await app.advanceClock(60_000)
    fakes.systemio.switches.max_tags = 1_000
    const label = { name: 'Deux', vendor_id: null, kind: null }
    const { connection_id } = await db
      .selectFrom('deliveries')
      .select('connection_id')
      .where('quiz_id', '=', id)
      .executeTakeFirstOrThrow()
    const trial = await sendDelivery(app.tools, {
      quiz_id: id,
      provider: 'systemio',
      connection_id,
      label,
      completed_calls: {},
      email: 'essai@exemple.fr',
      participant_uuid: null,
      result_name: null,
      is_replaced: false,
    })
    assert.deepEqual([trial.kind, trial.completed_calls.labels], ['delivered', ['Deux']])
    await submitParticipant(quiz, 'suivante@exemple.fr', 0)
    await finishDeliveries(1_000)
    assert.deepEqual(readLabels(creator, 'systemio')['suivante@exemple.fr'], ['Deux'])
  },
)

test('an attempt at a slow tool ends before its lease, and the next attempt continues', async () => {
  const creator = await app.connectCreator()
  const quiz = await createLabelledQuiz(creator, ['systemio'])
  const { switches, journal } = fakes.systemio
  switches.calls = 1_000
  const { participant_uuid, result_name } = await submitParticipant(quiz, 'lente@exemple.fr', 0)
  fakes.systemio.accountOf(creator.account).contacts.set(1, {
    id: 1,
    email: 'lente@exemple.fr',
    locale: 'fr',
    unsubscribed: false,
    bounced: false,
    fields: {},
    tag_ids: [],
    deleted_at: null,
  })
  const sent = {
    quiz_id: quiz.id,
    provider: 'systemio' as const,
    email: 'lente@exemple.fr',
    connection_id: creator.connections.systemio,
    participant_uuid,
    result_name,
  }
  /** Attempts a delivery on a clock that each call advances by the call timeout. */
  const tryOnce = async (completed_calls: CompletedCalls) => {
    const before = journal.length
    const ms = (): number => (journal.length - before) * PROVIDER_TIMEOUT_MS
    const tools = { ...app.tools, now: () => new Date(ms()) }
    const outcome = await sendDelivery(tools, { ...sent, is_replaced: false, completed_calls })
    // A token refresh can add one more call.
    assert.ok(
      ms() + PROVIDER_TIMEOUT_MS < CHANNEL_RATE_LIMITS.systemio.lease_s * 1_000,
      `${ms()} ms`,
    )
    return outcome
  }
  let outcome = await tryOnce({})
  let tries = 1
  for (; outcome.kind === 'transient' && tries < 10; tries += 1) {
    assert.equal(outcome.code, 'timeout')
    outcome = await tryOnce(outcome.completed_calls)
  }
  assert.deepEqual([outcome.kind, tries > 2], ['delivered', true])
  const both = { 'lente@exemple.fr': [ANSWER_LABEL, RESULT_LABEL] }
  assert.deepEqual(readLabels(creator, 'systemio'), both)
})
