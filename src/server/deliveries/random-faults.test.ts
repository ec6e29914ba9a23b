import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { applyVariant, FAKE_VARIANTS } from '#server/testing/fakes/fake-variants.ts'
import { createRandom } from '#server/testing/quizzes/create-random.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { reconcile } from './reconcile.store.ts'

// Starts early, because its tests take more than 15 s.
// Runs in test:all, because it repeats its rule with each fault of each tool.

const app = await createOutboxApp()
after(() => app.close())
const { fakes, receiver, submitParticipant, finishDeliveries } = app
afterEach(() => {
  for (const fake of [...Object.values(fakes), receiver]) fake.heal()
})

const FAULTS = [
  { mode: 'before', status: 500 },
  { mode: 'after', status: 504 },
  { mode: 'after' },
  { mode: 'before', status: 429 },
  { mode: 'before' },
] as const
const CREATORS = 3
const ROUNDS = pickByRun({ daily: 10, all: 20 })
const IN_A_ROUND = 10
const ADDRESSES = 60

/** Creator with the expected contents of the tools and the webhook. */
type Side = {
  creator: ConnectedCreator
  quiz: SampleQuiz
  /** Name of the webhook. */
  hook: string
  /** Ids of all participants who were not deleted. */
  uuids: Set<string>
  /** Latest result for each address. */
  expected: Map<string, string>
  /** Addresses of deleted participants, whose result may or may not have arrived before. */
  removed: Set<string>
  nb_participants: number
  nb_without_email: number
}

for (let seed = 1; seed <= pickByRun({ daily: 1, all: 10 }); seed += 1)
  test(`random failures lose no participant, and the sums balance (seed ${seed})`, async () => {
    const random = createRandom(seed)
    const position = FAKE_VARIANTS[seed % FAKE_VARIANTS.length]
    assert.ok(position)
    const turnBack = applyVariant(fakes, position)
    const sides: Side[] = []
    for (let index = 0; index < CREATORS; index += 1) {
      const creator = await app.connectCreator()
      const quiz = await app.createForwardingQuiz(creator)
      const [expected, removed] = [new Map<string, string>(), new Set<string>()]
      const { name: hook } = await app.addWebhook(creator, quiz)
      const known = { creator, quiz, hook, uuids: new Set<string>(), expected, removed }
      sides.push({ ...known, nb_participants: 0, nb_without_email: 0 })
    }
    const taken: { side: Side; participant_uuid: string; email: string }[] = []
    const comes = async (email: string): Promise<void> => {
      const side = sides[random(CREATORS)]
      assert.ok(side)
      const choice = random(2)
      const hasEmail = random(10) > 0
      side.nb_participants += 1
      if (!hasEmail) side.nb_without_email += 1
      const written = hasEmail ? email : ''
      const { participant_uuid, result_name } = await submitParticipant(side.quiz, written, choice)
      side.uuids.add(participant_uuid)
      if (!hasEmail) return
      side.expected.set(email, result_name)
      side.removed.delete(email)
      taken.push({ side, participant_uuid, email })
    }
    const goes = async (): Promise<void> => {
      const [gone] = taken.splice(random(taken.length), 1)
      if (!gone) return
      const { side, participant_uuid, email } = gone
      const at = { id: side.quiz.id, participantId: participant_uuid }
      await side.creator.client.participants.remove(at)
      side.nb_participants -= 1
      side.uuids.delete(participant_uuid)
      side.expected.delete(email)
      side.removed.add(email)
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // An address is never submitted twice at the same time, so that its last result is certain.
      const first = random(ADDRESSES)
      await Promise.all(
        Array.from({ length: IN_A_ROUND }, (_, index) =>
          comes(`p${(first + index) % ADDRESSES}@exemple.fr`),
        ),
      )
      const fault = FAULTS[random(FAULTS.length * 2)]
      const fake = [...Object.values(fakes), receiver][random(4)]
      if (fault) fake?.fail({ ...fault, times: 1 + random(5) })
      if (random(2) === 0) await app.advanceClock(1_000 * random(20) + 1)
      if (random(3) === 0) await goes()
    }
    await finishDeliveries(20_000)
    for (const { creator, quiz, hook, uuids, expected, removed, ...side } of sides) {
      for (const people of Object.values(app.listPeopleAtTools(creator.account))) {
        const emails = people.map(({ email }) => email)
        assert.equal(new Set(emails).size, emails.length)
        for (const [email, result] of expected)
          assert.equal(people.find((person) => person.email === email)?.result, result, email)
        assert.deepEqual(
          emails.filter((email) => !expected.has(email) && !removed.has(email)),
          [],
        )
      }
      const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
      assert.equal(ledgers.length, 4)
      for (const { provider, balance } of ledgers) {
        // Webhooks also get participants without an address.
        const no_email = provider === 'webhook' ? 0 : side.nb_without_email
        assert.deepEqual(balance, {
          nb_participants: side.nb_participants,
          delivered: side.nb_participants - no_email,
          no_email,
          pending: 0,
          suppressed: 0,
          refused: 0,
          no_consent: 0,
          not_forwarded: 0,
          awaiting_confirmation: 0,
          not_confirmed: 0,
        })
      }
      const received = receiver.receivedAt(hook).map(({ id, text }) => {
        const event = JSON.parse(text) as { type: string; data: { participant_id: string } }
        return { id, type: event.type, uuid: event.data.participant_id }
      })
      const created = received.filter(({ type }) => type === 'response.created')
      const erased = received.filter(({ type }) => type === 'person.erased')
      const come = new Set(created.map(({ uuid }) => uuid))
      for (const uuid of uuids) assert.ok(come.has(uuid), `${uuid} is missing`)
      assert.equal(new Set(created.map(({ id }) => id)).size, come.size)
      // The webhook was notified of the participants who were erased later.
      const gone = new Set(erased.map(({ uuid }) => uuid))
      assert.equal(new Set(erased.map(({ id }) => id)).size, gone.size)
      assert.deepEqual(
        [...come].filter((uuid) => !uuids.has(uuid) && !gone.has(uuid)),
        [],
      )
    }
    turnBack()
    assert.deepEqual(await findDifferences(app.pool), [])
    assert.equal(await reconcile(app.db), 0)
    assert.deepEqual(app.findLeaks(), [])
  })
