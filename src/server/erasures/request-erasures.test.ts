import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { resetAccountData } from '#server/integrations/replace-account.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import {
  createErasureScene,
  EMAIL,
  ERASURE_CHOICES,
  type ErasureScene,
  OTHER_EMAIL,
} from '#server/testing/app/erasure-scene.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { expireErasures } from './erasures.store.ts'

const app = await createOutboxApp()
after(() => app.close())
const { fakes, db, finishDeliveries } = app
const {
  create: scene,
  erase,
  makeErasuresDue,
  listErasures,
  listContactedPeopleOf,
} = createErasureScene(app)
afterEach(async () => {
  for (const fake of Object.values(fakes)) fake.heal()
  await db.deleteFrom('erasures').execute()
  assert.deepEqual(await findDifferences(app.pool), [])
})
const DAY_MS = 86_400_000
const allAway = (): void => {
  for (const fake of Object.values(fakes)) fake.fail({ mode: 'before', status: 503, times: 10_000 })
}

describe('a requested erasure', () => {
  test('an erasure kind that the tool does not offer is refused in French, and nothing is deleted', async () => {
    const at = await scene()
    const { creator, quiz, participant_uuid } = at
    const { participants } = creator.client
    const where = { id: quiz.id, participantId: participant_uuid }
    const wrong = [
      [{ convertkit: 'delete' }, /^Kit permet de désinscrire/],
      [{ systemio: 'unsubscribe' }, /^Systeme\.io permet de supprimer/],
      [{ brevo: 'oublier' }, /^Brevo permet/],
      [{ brevo: 'delete', systemio: '' }, /^Systeme\.io/],
    ] as const
    for (const [choices, words] of wrong as unknown as [Record<string, never>, RegExp][]) {
      await assert.rejects(participants.remove({ ...where, ...choices }), (error: Error) => {
        assert.match(error.message.replace(/^Champ « \w+ » : /, ''), words)
        return 'status' in error && error.status === 422
      })
      await refuses(
        participants.removePerson({ body: { email: EMAIL, ...choices } }),
        422,
        'invalid',
      )
    }
    assert.equal((await creator.client.quizzes.get({ id: quiz.id })).quiz.nb_responses, 2)
    assert.deepEqual(await listErasures(creator, quiz), [])
  })

  test('an erasure at a tool that did not receive the person, or is disconnected, is refused', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    const { participant_uuid } = await app.submitParticipant(quiz, EMAIL)
    await finishDeliveries()
    const where = { id: quiz.id, participantId: participant_uuid }
    const { participants } = creator.client
    const refusal = { status: 422, message: /Cette personne n’a pas été envoyée à Kit\./ }
    await assert.rejects(
      participants.remove({ ...where, brevo: 'delete', convertkit: 'unsubscribe' }),
      refusal,
    )
    await creator.client.integrations.removeBrevo()
    await assert.rejects(participants.remove({ ...where, brevo: 'delete' }), { status: 422 })
    const { participant } = await participants.explain(where)
    assert.deepEqual(participant.sent_to, { tools: [], nb_webhooks: 0 })
    assert.deepEqual(await listErasures(creator, quiz), [])
    await participants.remove(where)
    await assert.rejects(participants.remove({ ...where, brevo: 'delete' }), { status: 404 })
  })

  test('another creator can neither read nor retry an erasure', async () => {
    const at = await scene()
    const stranger = await app.connectCreator()
    allAway()
    await erase(at)
    await app.worker.drain()
    const [listed] = await listErasures(at.creator, at.quiz)
    assert.ok(listed)
    const { erasures } = stranger.client
    const foreign = { id: at.quiz.id, erasureId: listed.id }
    await refuses(erasures.list({ id: at.quiz.id }), 404, 'not_found')
    await refuses(erasures.retry(foreign), 404, 'not_found')
    const own = await app.createForwardingQuiz(stranger)
    await refuses(erasures.retry({ ...foreign, id: own.id }), 404, 'not_found')
    const gone = { id: at.quiz.id, erasureId: randomUUID() }
    await refuses(at.creator.client.erasures.retry(gone), 404, 'not_found')
    const mine = await app.createForwardingQuiz(at.creator)
    const elsewhere = { id: mine.id, erasureId: listed.id }
    await refuses(at.creator.client.erasures.retry(elsewhere), 404, 'not_found')
  })

  testInAll('an erasure waits for a running call of any delivery of the person', async () => {
    for (const busy of [0, 1]) {
      const creator = await app.connectCreator()
      const quizzes = [
        await app.createForwardingQuiz(creator, ['brevo']),
        await app.createForwardingQuiz(creator, ['brevo']),
      ]
      for (const quiz of quizzes) await app.submitParticipant(quiz, EMAIL)
      await finishDeliveries()
      const lease_until = new Date(app.now().getTime() + 600_000)
      await db
        .updateTable('deliveries')
        .set({ lease_id: randomUUID(), lease_until })
        .where('quiz_id', '=', quizzes[busy]?.id ?? '')
        .execute()
      await creator.client.participants.removePerson({ body: { email: EMAIL, brevo: 'delete' } })
      const dueAt = async (): Promise<number> => {
        const { next_attempt_at } = await db
          .selectFrom('erasures')
          .select('next_attempt_at')
          .where('user_id', '=', creator.user_id)
          .executeTakeFirstOrThrow()
        return Date.parse(String(next_attempt_at))
      }
      assert.equal(await dueAt(), lease_until.getTime(), `delivery ${busy}`)
      // The call continues while the key of the connection is replaced.
      const { user_id, connections } = creator
      const id = connections.brevo
      await resetAccountData(db, { id, user_id, provider: 'brevo', is_other: false })
      assert.equal(await dueAt(), lease_until.getTime(), `delivery ${busy}, another key`)
    }
  })

  test('an erasure can be retried while it is pending or refused, but not after it is done', async () => {
    const at = await scene()
    allAway()
    await erase(at, { brevo: 'delete' })
    // The rate limit of the account allows the call after this time.
    await app.advanceClock(2_000)
    const brevo = async () => {
      const listed = await listErasures(at.creator, at.quiz)
      const found = listed.find(({ provider }) => provider === 'brevo')
      assert.ok(found)
      return found
    }
    const waiting = await brevo()
    assert.deepEqual([waiting.status, waiting.can_retry], ['pending', true])
    assert.equal(waiting.message, 'L’outil est en panne.')
    assert.ok(waiting.next_attempt_at)
    for (const fake of Object.values(fakes)) fake.heal()
    const again = { id: at.quiz.id, erasureId: waiting.id }
    await at.creator.client.erasures.retry(again)
    await makeErasuresDue()
    await finishDeliveries()
    const done = await brevo()
    assert.deepEqual([done.status, done.can_retry], ['done', false])
    await refuses(at.creator.client.erasures.retry(again), 409, 'not_retried')
  })
})

describe('a pending erasure', () => {
  testInAll(
    'a pending erasure continues after the quiz is deleted, and is deleted with the account',
    async () => {
      const at = await scene()
      allAway()
      await erase(at)
      await app.worker.drain()
      await at.creator.client.quizzes.remove({ id: at.quiz.id, permanently: '1' })
      for (const fake of Object.values(fakes)) fake.heal()
      await finishDeliveries(10_000)
      for (const [provider, emails] of Object.entries(listContactedPeopleOf(at.creator.account)))
        assert.deepEqual(emails, [OTHER_EMAIL], provider)
      const kept = () => db.selectFrom('erasures').select('kind').execute()
      // The webhook was deleted with the quiz.
      assert.equal((await kept()).length, 3)
      await expireErasures(db, new Date())
      assert.deepEqual(await kept(), [])

      const other = await scene()
      allAway()
      await erase(other)
      await other.creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
      assert.deepEqual(await kept(), [])
    },
  )

  testInAll(
    'a pending erasure is not sent to another account, nor with a contact id of the previous account',
    async () => {
      const at = await scene()
      allAway()
      await erase(at)
      await app.worker.drain()
      const { user_id, connections } = at.creator
      for (const provider of ['convertkit', 'systemio'] as const)
        await resetAccountData(db, {
          id: connections[provider],
          user_id,
          provider,
          is_other: provider === 'convertkit',
        })
      const rows = await db
        .selectFrom('erasures')
        .select(['provider', 'status', 'vendor_contact_id'])
        .where('provider', 'in', ['convertkit', 'systemio'])
        .orderBy('provider')
        .execute()
      assert.deepEqual(rows, [
        { provider: 'convertkit', status: 'refused', vendor_contact_id: null },
        { provider: 'systemio', status: 'pending', vendor_contact_id: null },
      ])
      const listed = await listErasures(at.creator, at.quiz)
      const kit = listed.find(({ provider }) => provider === 'convertkit')
      assert.equal(kit?.can_retry, false)
      assert.match(kit?.message ?? '', /^Un autre compte a été connecté/)
      for (const fake of Object.values(fakes)) fake.heal()
      await finishDeliveries(10_000)
      assert.deepEqual(listContactedPeopleOf(at.creator.account).systemio, [OTHER_EMAIL])
      assert.equal(listContactedPeopleOf(at.creator.account).convertkit.length, 2)
    },
  )

  testInAll('a pending erasure does not keep the contact id of the previous account', async () => {
    const idAt = async (user_id: string) =>
      db
        .selectFrom('erasures')
        .select('vendor_contact_id')
        .where('user_id', '=', user_id)
        .where('provider', '=', 'systemio')
        .executeTakeFirstOrThrow()
    const anotherAt = ({ user_id, connections }: ErasureScene['creator']) => {
      const id = connections.systemio
      return resetAccountData(db, { id, user_id, provider: 'systemio', is_other: false })
    }
    const at = await scene()
    // The clock of the test is ahead of the database, which stores the time of the account change.
    await db
      .updateTable('deliveries')
      .set({ settled_at: new Date() })
      .where('quiz_id', '=', at.quiz.id)
      .execute()
    await anotherAt(at.creator)
    await erase(at, { systemio: 'delete' })
    assert.deepEqual(await idAt(at.creator.user_id), { vendor_contact_id: null })
    await finishDeliveries()
    assert.deepEqual(listContactedPeopleOf(at.creator.account).systemio, [OTHER_EMAIL])

    const other = await scene()
    await erase(other, { systemio: 'delete' })
    assert.notEqual((await idAt(other.creator.user_id)).vendor_contact_id, null)
    await db
      .updateTable('erasures')
      .set({ status: 'refused', next_attempt_at: null, settled_at: app.now() })
      .where('user_id', '=', other.creator.user_id)
      .execute()
    await anotherAt(other.creator)
    assert.deepEqual(await idAt(other.creator.user_id), { vendor_contact_id: null })
  })

  test('an erasure stores the person for thirty days at most, and stays in the log for a year', async () => {
    const at = await scene()
    allAway()
    await erase(at, ERASURE_CHOICES)
    await app.worker.drain()
    const later = (days: number): Date => new Date(Date.now() + days * DAY_MS)
    await expireErasures(db, later(29))
    assert.ok((await listErasures(at.creator, at.quiz)).some(({ status }) => status === 'pending'))
    await expireErasures(db, later(31))
    const listed = await listErasures(at.creator, at.quiz)
    const tools = listed.filter(({ kind }) => kind !== 'event')
    for (const { status, can_retry, message } of tools) {
      assert.deepEqual([status, can_retry], ['refused', false])
      assert.match(message ?? '', /^Sans réponse pendant trente jours/)
    }
    const { rows } = await app.pool.query('select from erasures where sealed_person is not null')
    assert.equal(rows.length, 0)
    await expireErasures(db, later(370))
    assert.deepEqual(await listErasures(at.creator, at.quiz), [])
  })
})
