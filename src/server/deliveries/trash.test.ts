import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { holdDeliveries } from '#server/quizzes/trash.store.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { type ClaimedDelivery, claimDue, openLimiters } from './claim-deliveries.store.ts'
import { reconcile } from './reconcile.store.ts'
import { sendDelivery } from './send-delivery.ts'
import { settle } from './settlement.ts'
import { writeSettlements } from './settlements.store.ts'

const app = await createOutboxApp()
after(() => app.close())
afterEach(async () => {
  assert.deepEqual(await findDifferences(app.pool), [])
})
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Row = {
  status: string
  next_attempt_at: string | null
  give_up_at: string
  lease_id: string | null
}

const deliveriesOf = async (quiz_id: string): Promise<Row[]> => {
  const { rows } = await app.pool.query<Row>(
    'select status, next_attempt_at, give_up_at, lease_id from deliveries where quiz_id = $1',
    [quiz_id],
  )
  return rows
}
const statusesOf = async (quiz_id: string): Promise<string[]> =>
  (await deliveriesOf(quiz_id)).map(({ status }) => status)

/** Publishes a quiz that forwards to Brevo, with a participant whose delivery is due. */
const createWaiting = async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const participant = await app.submitParticipant(quiz, 'ada@exemple.fr')
  const peopleAtBrevo = () => app.listPeopleAtTools(creator.account).brevo.map(({ email }) => email)
  return { creator, id: quiz.id, quiz, peopleAtBrevo, ...participant }
}

test('deliveries of the trash wait without ageing, and continue after the restoration', async () => {
  const { creator, id, peopleAtBrevo } = await createWaiting()
  const [before] = await deliveriesOf(id)
  await creator.client.quizzes.remove({ id })
  await app.advanceClock(10 * DAY_MS, DAY_MS)
  const [held] = await deliveriesOf(id)
  assert.deepEqual([held?.status, held?.next_attempt_at], ['pending', null])
  assert.deepEqual(peopleAtBrevo(), [])

  await app.pool.query(
    "update all_quizzes set trashed_at = now() - interval '9 days' where id = $1",
    [id],
  )
  await creator.client.trash.restore({ id })
  const [released] = await deliveriesOf(id)
  const extended_ms = Date.parse(released?.give_up_at ?? '') - Date.parse(before?.give_up_at ?? '')
  assert.ok(Math.abs(extended_ms - 9 * DAY_MS) < HOUR_MS, String(extended_ms))
  await app.finishDeliveries()
  assert.deepEqual(await statusesOf(id), ['delivered'])
  assert.deepEqual(peopleAtBrevo(), ['ada@exemple.fr'])
})

test('a due delivery of the trash is not claimed even if it was not held, and the hourly sweep holds it', async () => {
  const { creator, id, peopleAtBrevo } = await createWaiting()
  await creator.client.quizzes.remove({ id })
  await app.pool.query(
    "update deliveries set next_attempt_at = now() - interval '1 day' where quiz_id = $1",
    [id],
  )
  await app.worker.drain()
  assert.deepEqual([await statusesOf(id), peopleAtBrevo()], [['pending'], []])
  await holdDeliveries(app.db)
  assert.equal((await deliveriesOf(id))[0]?.next_attempt_at, null)
  await creator.client.quizzes.remove({ id, permanently: '1' })
  assert.deepEqual(await deliveriesOf(id), [])
})

/** Claims the only due delivery, as a worker does. */
const claimOne = async (): Promise<ClaimedDelivery> => {
  const now = app.now()
  await openLimiters(app.db, now)
  const shares = [{ provider: 'brevo' as const, share: 64, per_creator: 64 }]
  const limits = { rateLimits: CHANNEL_RATE_LIMITS, shares, limit: 64 }
  const [claimed] = await claimDue(app.db, { now, ...limits })
  assert.ok(claimed)
  return claimed
}

test('an attempt in progress ends after its quiz is trashed', async () => {
  const { creator, id, peopleAtBrevo } = await createWaiting()
  const claimed = await claimOne()
  await creator.client.quizzes.remove({ id })
  const { email, provider } = claimed
  assert.ok(email !== null && provider === 'brevo')
  const outcome = await sendDelivery(app.tools, { ...claimed, email, provider })
  await writeSettlements(app.db, app.now(), [settle(claimed, outcome, { ms: 1, chance: 0 })])
  assert.deepEqual([await statusesOf(id), peopleAtBrevo()], [['delivered'], ['ada@exemple.fr']])
})

test('a failed attempt of a trashed quiz is repeated after the restoration', async () => {
  const { creator, id, peopleAtBrevo } = await createWaiting()
  const claimed = await claimOne()
  await creator.client.quizzes.remove({ id })
  const failed = {
    kind: 'transient',
    code: 'unavailable',
    pauses_connection: false,
    completed_calls: {},
  } as const
  await writeSettlements(app.db, app.now(), [settle(claimed, failed, { ms: 1, chance: 0 })])
  const [row] = await deliveriesOf(id)
  assert.deepEqual([row?.status, row?.next_attempt_at, row?.lease_id], ['pending', null, null])
  await creator.client.trash.restore({ id })
  await app.finishDeliveries()
  assert.deepEqual(peopleAtBrevo(), ['ada@exemple.fr'])
})

test('the erasure of a person reaches into the trash and continues at the tool', async () => {
  const { creator, id, quiz, peopleAtBrevo } = await createWaiting()
  await app.finishDeliveries()
  await app.submitParticipant(quiz, 'Ada@exemple.fr', 1)
  await creator.client.quizzes.remove({ id })
  const body = { email: 'ada@exemple.fr' }
  const { responses, sent_to } = await creator.client.participants.ofPerson({ body })
  assert.deepEqual([responses.length, sent_to.tools.length], [2, 1])
  await creator.client.participants.removePerson({ body: { ...body, brevo: 'delete' } })
  await app.finishDeliveries(10_000)
  assert.deepEqual([peopleAtBrevo(), await deliveriesOf(id)], [[], []])
  await creator.client.trash.restore({ id })
  const { quiz: restored } = await creator.client.quizzes.get({ id })
  assert.equal(restored.nb_responses, 0)
})

test('retention removes old participants of the trash', async () => {
  const { creator, id } = await createWaiting()
  await creator.client.retention.set({ id, body: { months: 12 } })
  await creator.client.quizzes.remove({ id })
  await app.pool.query(
    "update responses set created_at = now() - interval '2 years' where quiz_id = $1",
    [id],
  )
  await recountQuarters(app.pool, id)
  await applyRetention(app.db)
  await app.pool.query(
    "update retention set due_at = now() - interval '1 hour' where quiz_id = $1",
    [id],
  )
  assert.equal(await applyRetention(app.db), 1)
  await creator.client.trash.restore({ id })
  assert.deepEqual(await deliveriesOf(id), [])
})

test('a restored quiz sends nothing from the time without its tool', async () => {
  const { creator, id, quiz, peopleAtBrevo } = await createWaiting()
  await app.finishDeliveries()
  await creator.client.quizzes.remove({ id })
  const setStatus = (status: string) =>
    app.pool.query(
      'update integration_connections set status = $2, sealed_secret = $3 where id = $1',
      [creator.connections.brevo, status, status === 'active' ? Buffer.from('sealed') : null],
    )
  await setStatus('disconnected')
  await creator.client.trash.restore({ id })
  await app.submitParticipant(quiz, 'alan@exemple.fr')
  await creator.client.quizzes.remove({ id })
  await setStatus('active')
  await creator.client.trash.restore({ id })
  assert.equal(await reconcile(app.db), 0)
  await app.finishDeliveries()
  assert.deepEqual(peopleAtBrevo(), ['ada@exemple.fr'])
})
