import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'

const app = await createOutboxApp()
after(() => app.close())

const LEASE_MS = 60_000

test('deliveries with unwritten outcomes are retried, and later outcomes are not delayed', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['convertkit'])
  await app.submitParticipant(quiz, 'lea@exemple.fr')
  await app.pool.query(`
    create function refuse_row() returns trigger language plpgsql
      as $$ begin raise exception 'there is no room'; end $$;
    create trigger refused before insert on delivery_attempts execute function refuse_row()`)
  await app.worker.drain()
  await app.pool.query('drop trigger refused on delivery_attempts')
  const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
  assert.equal(ledgers[0]?.balance.pending, 1)
  assert.equal(app.listPeopleAtTools(creator.account).convertkit.length, 1)

  await app.submitParticipant(quiz, 'tom@exemple.fr')
  await app.advanceClock(1_000)
  const later = await creator.client.deliveries.list({ id: quiz.id })
  assert.equal(later.ledgers[0]?.balance.delivered, 1)
  await app.advanceClock(LEASE_MS + 1_000)
  const last = await creator.client.deliveries.list({ id: quiz.id })
  assert.equal(last.ledgers[0]?.balance.delivered, 2)
  assert.equal(last.ledgers[0]?.balance.pending, 0)
  assert.deepEqual(
    app
      .listPeopleAtTools(creator.account)
      .convertkit.map(({ email }) => email)
      .sort(),
    ['lea@exemple.fr', 'tom@exemple.fr'],
  )
})

test('a delivery that was not attempted keeps its place before later deliveries', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['systemio'])
  const emails = Array.from({ length: 5 }, (_, at) => `p${at}@exemple.fr`)
  for (const email of emails) await app.submitParticipant(quiz, email)
  app.fakes.systemio.fail({ mode: 'before', status: 429 })
  await app.finishDeliveries()
  assert.deepEqual(
    app.listPeopleAtTools(creator.account).systemio.map(({ email }) => email),
    emails,
  )
})
