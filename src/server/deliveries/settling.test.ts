import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { claimDue, openLimiters } from './claim-deliveries.store.ts'
import { createClaimRunner } from './outages.ts'

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

test('outcomes are stored after an outage of the database, and nothing is sent twice', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['convertkit'])
  await app.submitParticipant(quiz, 'zoe@exemple.fr')
  // A sequence counts refused transactions too.
  await app.pool.query(`
    create sequence refused_writes;
    create function become_replica() returns trigger language plpgsql as $$
    begin
      perform nextval('refused_writes');
      raise exception using errcode = 'read_only_sql_transaction';
    end $$;
    create trigger read_only before insert on delivery_attempts execute function become_replica()`)
  const draining = app.worker.drain()
  const isRefused = async (): Promise<boolean> => {
    const { rows } = await app.pool.query('select is_called from refused_writes')
    return rows[0]?.is_called === true
  }
  while (!(await isRefused())) await setImmediate()
  await app.pool.query('drop trigger read_only on delivery_attempts')
  await draining
  const { ledgers } = await creator.client.deliveries.list({ id: quiz.id })
  assert.equal(ledgers[0]?.balance.delivered, 1)
  const { rows } = await app.pool.query('select attempts from deliveries where quiz_id = $1', [
    quiz.id,
  ])
  assert.deepEqual(rows, [{ attempts: 1 }])
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

test('a claim whose answer was lost is released before the next claim', async () => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['convertkit'])
  const { participant_uuid } = await app.submitParticipant(quiz, 'ana@exemple.fr')
  await openLimiters(app.db, app.now())
  await app.pool.query('update rate_limit_buckets set tokens = 20')
  const runClaim = createClaimRunner(app.db)
  const claim = (lease_id: string) =>
    claimDue(app.db, {
      now: app.now(),
      rateLimits: CHANNEL_RATE_LIMITS,
      limit: 64,
      lease_id,
      shares: [{ provider: 'convertkit', share: 64, per_creator: 64 }],
    })
  const claimed = async () =>
    (await runClaim(app.now(), claim)).map((delivery) => delivery.participant_uuid)
  const lost = runClaim(app.now(), async (lease_id) => {
    assert.equal((await claim(lease_id)).length, 1)
    throw new Error('the connection ended')
  })
  await assert.rejects(lost, /the connection ended/)
  assert.deepEqual(await claimed(), [participant_uuid])
  // A claim whose answer arrived keeps its leases.
  assert.deepEqual(await claimed(), [])
})
