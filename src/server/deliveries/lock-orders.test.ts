import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { storeConnection } from '#server/integrations/connections.store.ts'
import { createVault } from '#server/runtime/sealing.ts'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { removeResponses } from '#server/statistics/participants/removal.store.ts'
import { openTransaction } from '#server/testing/app/open-transaction.ts'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { resendReturningParticipants } from './erasure-attempts.store.ts'

// Runs in test:all, because it lets several workers compete.

const app = await createOutboxApp()
after(() => app.close())
afterEach(async () => assert.deepEqual(await findDifferences(app.pool), []))
const { db, pool, finishDeliveries, submitParticipant } = app

const EMAIL = 'lea@exemple.fr'
const PEOPLE = Array.from({ length: 10 }, (_, at) => `${at}0000000-0000-4000-8000-000000000000`)

/** Creates participants with the same address, in the reverse order of their ids, and delivers them. */
const comeBackwards = async (quiz: SampleQuiz) => {
  for (const participant_uuid of PEOPLE.toReversed())
    await app.client.publicQuiz.submit({
      id: quiz.id,
      body: {
        answers: { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: EMAIL },
        participant_uuid,
      },
    })
  await finishDeliveries()
}
const takingsOf = ({ id: quiz_id }: SampleQuiz, uuids: readonly string[]) =>
  uuids.map((participant_uuid) => ({ quiz_id, participant_uuid }))
const lock = (quiz_id: string, participant_uuid: string) => ({
  text: `select from deliveries where quiz_id = $1 and participant_uuid = $2 for update nowait`,
  values: [quiz_id, participant_uuid],
})
/** Locks the deliveries in the order of their settlement, while `begin` waits for the first lock. */
const settleBeside = async ({ id }: SampleQuiz, begin: () => Promise<unknown>) => {
  const [first = '', ...others] = PEOPLE
  await using settling = await openTransaction(pool, lock(id, first))
  const begun = begin()
  await settling.waitUntilBlocking()
  for (const one of others) await settling.run(lock(id, one))
  await settling.commit()
  await begun
}

describe('the order in which deliveries are locked', () => {
  test('deliveries are locked in the order of settling when their participants are deleted', async () => {
    const quiz = await app.createForwardingQuiz(await app.connectCreator(), ['brevo'])
    await comeBackwards(quiz)
    await settleBeside(quiz, () => removeResponses(db, takingsOf(quiz, PEOPLE.toReversed())))
  })

  test('deliveries are locked in the order of settling when returning participants are scheduled again', async () => {
    const creator = await app.connectCreator()
    const quiz = await app.createForwardingQuiz(creator, ['brevo'])
    await comeBackwards(quiz)
    const at = { user_id: creator.user_id, connection_id: creator.connections.brevo }
    await settleBeside(quiz, () =>
      resendReturningParticipants(db, { ...at, email: EMAIL }, app.now()),
    )
    await finishDeliveries()
  })
})

test('an attempt settled during the deletion of its participant is deleted too', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const { participant_uuid } = await submitParticipant(quiz, EMAIL)
  await using settling = await openTransaction(pool, lock(quiz.id, participant_uuid), {
    text: `insert into delivery_attempts (quiz_id, participant_uuid, connection_id, at, outcome, ms)
      values ($1, $2, $3, now(), 'delivered', 1)`,
    values: [quiz.id, participant_uuid, creator.connections.brevo],
  })
  const removing = removeResponses(db, takingsOf(quiz, [participant_uuid]))
  await settling.waitUntilBlocking()
  await settling.commit()
  await removing
  const { rows } = await pool.query('select from delivery_attempts where quiz_id = $1', [quiz.id])
  assert.deepEqual(rows, [])
})

test('an uncommitted change of a zero counter does not block a deletion', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const { participant_uuid } = await submitParticipant(quiz, EMAIL)
  await finishDeliveries()
  await using retrying = await openTransaction(pool, {
    text: `select from delivery_counts where quiz_id = $1 and status = 'pending' and count = 0 for update`,
    values: [quiz.id],
  })
  await removeResponses(db, takingsOf(quiz, [participant_uuid]))
  await retrying.commit()
  const { rows } = await pool.query('select status from delivery_counts where quiz_id = $1', [
    quiz.id,
  ])
  assert.deepEqual(rows, [{ status: 'pending' }])
})

test('another account can be stored while an erasure is requested', async () => {
  const creator = await app.connectCreator()
  const { user_id, connections } = creator
  const quiz = await app.createForwardingQuiz(creator, ['brevo'])
  const { participant_uuid } = await submitParticipant(quiz, EMAIL)
  await pool.query(`update deliveries set completed_calls = '{}' where quiz_id = $1`, [quiz.id])
  await using erasing = await openTransaction(pool, lock(quiz.id, participant_uuid))
  const storing = storeConnection(
    ...[db, createVault('a secret of this test')],
    { user_id, provider: 'brevo', may_replace: true },
    { secret: 'x', vendor_account_id: 'another', vendor_email: null, token_expires_at: null },
  )
  await erasing.waitUntilBlocking()
  // The row of an erasure has a foreign key to its connection, which locks the connection.
  await erasing.run({
    text: 'select from integration_connections where id = $1 for key share nowait',
    values: [connections.brevo],
  })
  await erasing.commit()
  assert.equal(await storing, undefined)
})
