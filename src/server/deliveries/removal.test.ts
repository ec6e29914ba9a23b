import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { applyRetention } from '#server/statistics/participants/retention.ts'
import { type ConnectedCreator, createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { recountQuarters } from '#server/testing/app/recount-quarters.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { testInAll } from '#server/testing/test-in-all.ts'
import { reconcile } from './reconcile.store.ts'

const app = await createOutboxApp()
after(() => app.close())
afterEach(async () => {
  assert.deepEqual(await findDifferences(app.pool), [])
  assert.equal(await reconcile(app.db), 0)
})
const { db, submitParticipant, finishDeliveries } = app

/** Returns all rows about the participants of a quiz that are stored for email tools. */
const keptOf = async (quiz_id: string) => {
  const { rows } = await app.pool.query<{ kept: string }>(
    `select concat_ws(' ', 'delivery', participant_uuid, provider) as kept from deliveries
      where quiz_id = $1
     union select concat_ws(' ', 'attempt', participant_uuid, connection_id) from delivery_attempts
      where quiz_id = $1
     union select concat_ws(' ', 'count', provider, status) from delivery_counts where quiz_id = $1`,
    [quiz_id],
  )
  return rows.map(({ kept }) => kept)
}
const keptOfPerson = async ({ id }: SampleQuiz, participant_uuid: string) =>
  (await keptOf(id)).filter((kept) => kept.includes(participant_uuid))

/** Creates a quiz with two delivered participants and a third whose delivery is started and pending. */
const quizWithThree = async (creator: ConnectedCreator) => {
  const quiz = await app.createForwardingQuiz(creator, ['brevo', 'convertkit'])
  const first = await submitParticipant(quiz, 'lea@exemple.fr')
  const second = await submitParticipant(quiz, 'ada@exemple.fr')
  await finishDeliveries()
  // The rate limits allow more calls after this time.
  await app.advanceClock(2_000)
  const waiting = await submitParticipant(quiz, 'Lea@exemple.fr', 1)
  for (const fake of [app.fakes.brevo, app.fakes.convertkit])
    fake.fail({ mode: 'before', status: 503 })
  await app.worker.drain()
  const kept = await keptOfPerson(quiz, waiting.participant_uuid)
  assert.equal(kept.filter((entry) => entry.startsWith('attempt')).length, 2)
  return { quiz, uuids: [first, second, waiting].map(({ participant_uuid }) => participant_uuid) }
}
const expectBalance = async (
  creator: ConnectedCreator,
  { id }: SampleQuiz,
  participants: number,
) => {
  const { ledgers, deliveries } = await creator.client.deliveries.list({ id })
  for (const { balance } of ledgers) {
    const { nb_participants, ...parts } = balance
    const sum = Object.values(parts).reduce((all, part) => all + part, 0)
    assert.deepEqual([nb_participants, sum], [participants, participants])
    assert.equal(balance.not_forwarded, 0)
  }
  assert.equal(deliveries.length, 2 * participants)
}

test('a deleted participant leaves no row in the outbox, and the sums balance', async () => {
  const creator = await app.connectCreator()
  const { quiz, uuids } = await quizWithThree(creator)
  const [gone = '', stays = ''] = uuids
  assert.equal((await keptOfPerson(quiz, gone)).length, 4)
  await creator.client.participants.remove({ id: quiz.id, participantId: gone })
  assert.deepEqual(await keptOfPerson(quiz, gone), [])
  assert.equal((await keptOfPerson(quiz, stays)).length, 4)
  await expectBalance(creator, quiz, 2)
  await finishDeliveries()
  await expectBalance(creator, quiz, 2)
})

test('a deleted address leaves no row in the outbox, and its pending deliveries are never sent', async () => {
  const creator = await app.connectCreator()
  const { quiz, uuids } = await quizWithThree(creator)
  const held = JSON.stringify(app.listPeopleAtTools(creator.account))
  await creator.client.participants.removePerson({ body: { email: 'LEA@exemple.fr' } })
  const [first = '', , waiting = ''] = uuids
  for (const uuid of [first, waiting]) assert.deepEqual(await keptOfPerson(quiz, uuid), [])
  await finishDeliveries()
  assert.equal(JSON.stringify(app.listPeopleAtTools(creator.account)), held)
  await expectBalance(creator, quiz, 1)
})

test('retention deletes deliveries with their participants', async () => {
  const creator = await app.connectCreator()
  const { quiz, uuids } = await quizWithThree(creator)
  const { client } = creator
  await app.pool.query(
    `update responses set created_at = created_at - interval '7 months'
    where participant_uuid = any($1)`,
    [uuids.slice(1)],
  )
  await recountQuarters(app.pool, quiz.id)
  await client.retention.set({ id: quiz.id, body: { months: 6 } })
  await app.pool.query(
    `update retention set due_at = now() - interval '1 minute' where quiz_id = $1`,
    [quiz.id],
  )
  assert.equal(await applyRetention(db), 2)
  for (const uuid of uuids.slice(1)) assert.deepEqual(await keptOfPerson(quiz, uuid), [])
  await finishDeliveries()
  await expectBalance(creator, quiz, 1)
})

testInAll('deleting a quiz or an account deletes all its deliveries', async () => {
  const creator = await app.connectCreator()
  const [one, two] = [await quizWithThree(creator), await quizWithThree(creator)]
  assert.ok((await keptOf(one.quiz.id)).length > 0)
  await creator.client.quizzes.remove({ id: one.quiz.id, permanently: '1' })
  assert.deepEqual(await keptOf(one.quiz.id), [])
  await finishDeliveries()
  await creator.client.account.remove({ body: { confirmation: 'SUPPRIMER' } })
  assert.deepEqual(await keptOf(two.quiz.id), [])
  const { rows } = await app.pool.query(
    `select connection_id from rate_limit_buckets where connection_id = any($1)
     union select connection_id from delivery_pauses where connection_id = any($1)
     union select id from integration_connections where user_id = $2`,
    [Object.values(creator.connections), creator.user_id],
  )
  assert.deepEqual(rows, [])
})
