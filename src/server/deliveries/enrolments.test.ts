import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { pickByRun, pickCases } from '#domain/testing/pick-by-run.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { applyVariant, FAKE_VARIANTS } from '#server/testing/fakes/fake-variants.ts'
import { createRandom } from '#server/testing/quizzes/create-random.ts'
import {
  createEnrollingQuizzes,
  type EnrollingTool,
  GROUP_NAMES,
} from '#server/testing/quizzes/enrolling-quizzes.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { reconcile } from './reconcile.store.ts'

// Starts early, because its tests take more than 15 s.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, submitParticipant, advanceClock, finishDeliveries } = app
const { createEnrollingQuiz, countEnrolments } = createEnrollingQuizzes(app)
const usual = {
  convertkit: { ...fakes.convertkit.switches },
  systemio: { ...fakes.systemio.switches },
}
afterEach(() => {
  for (const fake of Object.values(fakes)) fake.heal()
  Object.assign(fakes.convertkit.switches, usual.convertkit)
  Object.assign(fakes.systemio.switches, usual.systemio)
})

const HOUR_MS = 3_600_000
const GROUP_CALLS = /\/(?:forms|sequences|enrollments|memberships)/
const TOOLS: readonly EnrollingTool[] = ['convertkit', 'systemio']

const FAULTS = [
  { mode: 'before', status: 500 },
  { mode: 'after', status: 504 },
  { mode: 'after' },
  { mode: 'after', path: GROUP_CALLS },
  { mode: 'before', status: 429 },
  { mode: 'before' },
] as const

/** Resets deliveries as if the process had been killed before it stored the outcome. */
const killedBeforeItsWrite = ({ id }: SampleQuiz, status: 'pending' | 'delivered') =>
  db
    .updateTable('deliveries')
    .set({ status: 'pending', completed_calls: null, settled_at: null, attempts: 0 })
    .set({ lease_id: id, lease_until: app.now(), next_attempt_at: app.now() })
    .where('quiz_id', '=', id)
    .where('status', '=', status)
    .execute()

type Scenario = {
  /** Causes the failure before the first participant. */
  begin: (provider: EnrollingTool, creator: ConnectedCreator) => void
  end?: () => Promise<void>
  /** Expected reason in the ledger for participants who are not enrolled. */
  reason?: RegExp
}
const SCENARIOS: Record<string, Scenario> = {
  healthy: { begin: () => undefined },
  'losing its answers': {
    begin: (provider) =>
      fakes[provider].fail({ path: GROUP_CALLS, method: 'POST', mode: 'after', times: 5 }),
  },
  'down for its groups alone': {
    begin: (provider) =>
      fakes[provider].fail({ path: GROUP_CALLS, mode: 'before', status: 503, times: 10_000 }),
    end: () => advanceClock(HOUR_MS, HOUR_MS / 6),
  },
  'at its rate limit': {
    begin: (provider) =>
      fakes[provider].fail({ path: GROUP_CALLS, mode: 'before', status: 429, times: 6 }),
  },
  'without the feature': {
    begin: (provider) =>
      Object.assign(fakes[provider].switches, {
        plan_lacks: Object.keys(GROUP_NAMES[provider]),
      }),
    reason: /^Envoyé sans l’.+ votre offre .+ ne comprend pas .+ Envoyé sans l’/,
  },
  'without the groups': {
    begin: (provider, { account }) => {
      if (provider === 'convertkit') {
        const { forms, sequences } = fakes.convertkit.accountOf(account)
        for (const groups of [forms, sequences]) groups.clear()
      } else {
        const { courses, communities } = fakes.systemio.accountOf(account)
        for (const groups of [courses, communities]) groups.clear()
      }
    },
    reason: /n’existe plus\. Envoyé sans .+ n’existe plus\.$/,
  },
}

for (const provider of TOOLS)
  describe(`enrolments at ${provider}`, () => {
    for (const [name, { begin, end, reason }] of pickCases(SCENARIOS, [
      'losing its answers',
      'without the groups',
    ]))
      for (const isKilled of pickByRun({ daily: [true], all: [false, true] }))
        test(`every participant is enrolled exactly once: ${name}${isKilled ? ', and a process killed' : ''}`, async () => {
          const creator = await app.connectCreator()
          const quiz = await createEnrollingQuiz(creator, provider)
          begin(provider, creator)
          await submitParticipant(quiz, 'a@exemple.fr', 0)
          await submitParticipant(quiz, 'b@exemple.fr', 1)
          await submitParticipant(quiz, 'c@exemple.fr', 0)
          await app.worker.drain()
          await end?.()
          if (end) fakes[provider].heal()
          await finishDeliveries(2_000)
          if (isKilled) {
            await killedBeforeItsWrite(quiz, 'delivered')
            await finishDeliveries(2_000)
          }
          const both = reason ? [0, 0] : [1, 1]
          assert.deepEqual(countEnrolments(creator, provider), {
            'a@exemple.fr': both,
            'b@exemple.fr': [0, 0],
            'c@exemple.fr': both,
          })
          const { ledgers, deliveries } = await creator.client.deliveries.list({ id: quiz.id })
          assert.equal(ledgers[0]?.balance.delivered, 3)
          for (const delivery of deliveries) {
            const isEnrolled = delivery.email !== 'b@exemple.fr' && !reason
            const names = delivery.enrolments
              .map((enrolment) => [enrolment.kind, enrolment.name])
              .sort()
            const expected = Object.entries(GROUP_NAMES[provider]).sort()
            assert.deepEqual(names, isEnrolled ? expected : [])
            if (delivery.email !== 'b@exemple.fr' && reason)
              assert.match(delivery.reason ?? '', reason)
            else assert.equal(delivery.reason, null)
          }
          assert.deepEqual(await findDifferences(app.pool), [])
          assert.equal(await reconcile(db), 0)
          assert.deepEqual(app.findLeaks(), [])
        })

    for (const [seed, variant] of pickByRun({
      daily: FAKE_VARIANTS.slice(0, 1),
      all: FAKE_VARIANTS,
    }).entries())
      testInAll(
        `random faults and kills enrol each of 20 people once (${variant.name})`,
        async () => {
          const turnBack = applyVariant(fakes, variant)
          const random = createRandom(seed)
          const creator = await app.connectCreator()
          const quiz = await createEnrollingQuiz(creator, provider)
          const emails = Array.from({ length: 20 }, (_, at) => `p${100 + at}@exemple.fr`)
          for (const [at, email] of emails.entries()) {
            await submitParticipant(quiz, email, 0)
            const fault = FAULTS[random(FAULTS.length * 2)]
            if (fault) fakes[provider].fail({ ...fault, times: 1 + random(3) })
            if (random(3) === 0) await advanceClock(1_000 * random(20) + 1)
            if (random(5) === 0) await killedBeforeItsWrite(quiz, 'pending')
            if (at % 10 === 9) await killedBeforeItsWrite(quiz, 'delivered')
          }
          await finishDeliveries(20_000)
          assert.deepEqual(
            countEnrolments(creator, provider),
            Object.fromEntries(emails.map((email) => [email, [1, 1]])),
          )
          const { confirmation_mails } = fakes.convertkit.accountOf(creator.account)
          assert.deepEqual(confirmation_mails.toSorted(), provider === 'convertkit' ? emails : [])
          const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
          assert.equal(ledgers[0]?.balance.delivered, 20)
          turnBack()
          assert.deepEqual(await findDifferences(app.pool), [])
        },
      )
  })

test('a person who declined is not enrolled', async () => {
  const creator = await app.connectCreator()
  const quiz = await createEnrollingQuiz(creator, 'systemio')
  const { id } = quiz
  await creator.client.quizzes.update({ id, body: { consent_mode: 'box' } })
  while (
    (await app.client.publicQuiz.snapshot({ id })).snapshot.questions[1]?.consent === undefined
  );
  await submitParticipant(quiz, 'non@exemple.fr', 0, 0)
  await submitParticipant(quiz, 'oui@exemple.fr', 0, 1)
  await finishDeliveries(2_000)
  assert.deepEqual(countEnrolments(creator, 'systemio'), { 'oui@exemple.fr': [1, 1] })
})

test('earlier participants are enrolled once', async () => {
  const creator = await app.connectCreator()
  const quiz = await createEnrollingQuiz(creator, 'systemio')
  const { id } = quiz
  const setEnabled = (enabled: boolean) =>
    db.updateTable('quiz_integrations').set({ enabled }).where('quiz_id', '=', id).execute()
  await setEnabled(false)
  await submitParticipant(quiz, 'tot@exemple.fr', 0)
  await setEnabled(true)
  const { nb_sent } = await creator.client.deliveries.sendEarlier({
    id,
    body: { provider: 'systemio' },
  })
  assert.equal(nb_sent, 1)
  await finishDeliveries(2_000)
  assert.deepEqual(countEnrolments(creator, 'systemio'), { 'tot@exemple.fr': [1, 1] })
})

test('the panel of a participant names the course and the community', async () => {
  const creator = await app.connectCreator()
  const quiz = await createEnrollingQuiz(creator, 'systemio')
  const { participant_uuid } = await submitParticipant(quiz, 'lea@exemple.fr', 0)
  await finishDeliveries(2_000)
  const at = { id: quiz.id, participantId: participant_uuid }
  const { participant } = await creator.client.participants.explain(at)
  assert.deepEqual(participant.deliveries[0]?.enrolments, [
    { kind: 'course', name: 'Premiers pas' },
    { kind: 'community', name: 'Le cercle' },
  ])
})
