import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { createOutboxApp } from '#server/testing/app/outbox-app.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { claimDue } from './claim-deliveries.store.ts'
import { createDatabaseClock, RENEWAL_TIME_MS } from './database-clock.ts'
import { ERASURE_LEASE_S } from './erasure-attempts.store.ts'
import type { Send } from './send.ts'
import { createWorker } from './worker.ts'

// Runs in test:all, because it lets several workers compete.

const app = await createOutboxApp()
after(() => app.close())

const HOUR_MS = 3_600_000
const LEASE_MS = 60_000

/** Clocks of the workers (`elapsed_ms`) and of the database, which is `ahead_ms` ahead. Tests set both. */
const time = { elapsed_ms: Date.now(), ahead_ms: 0 }
const createClock = () =>
  createDatabaseClock(app.db, {
    elapsed: () => time.elapsed_ms,
    readTime: async () => time.elapsed_ms + time.ahead_ms,
  })

/** Starts a worker with this sender. */
const startWorker = (send: Send) =>
  createWorker({
    db: app.db,
    send,
    clock: createClock(),
    log: pino({ level: 'silent' }),
    erase: () => Promise.reject(new Error('There is nothing to erase')),
    notifyCreator: async () => undefined,
  })

const createDueDelivery = async (email: string): Promise<string> => {
  const creator = await app.connectCreator()
  const quiz = await app.createForwardingQuiz(creator, ['convertkit'])
  const { participant_uuid } = await app.submitParticipant(quiz, email)
  await app.pool.query('update deliveries set next_attempt_at = $2 where participant_uuid = $1', [
    participant_uuid,
    new Date(time.elapsed_ms - 1_000),
  ])
  return participant_uuid
}

type Row = { status: string; attempts: number; lease_until: Date | null; next_attempt_at: Date }

const readDelivery = async (participant_uuid: string): Promise<Row> => {
  const { rows } = await app.pool.query(
    'select status, attempts, lease_until, next_attempt_at from deliveries where participant_uuid = $1',
    [participant_uuid],
  )
  return rows[0]
}

const delivered = { kind: 'delivered', vendor_contact_id: null, completed_calls: {} } as const

/** Starts a worker whose attempt lasts until `finish`. `waitForRenewal` waits for a renewal at the current time. */
const startSlowWorker = async (participant_uuid: string) => {
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  let nb_sent = 0
  const worker = startWorker(async () => {
    nb_sent++
    begun.resolve()
    await answer.promise
    return delivered
  })
  worker.wake()
  await begun.promise
  const waitForRenewal = async (): Promise<void> => {
    const since = time.elapsed_ms + time.ahead_ms
    for (;;) {
      worker.wake()
      const { lease_until } = await readDelivery(participant_uuid)
      if (lease_until && Date.parse(String(lease_until)) === since + LEASE_MS) return
      await setImmediate()
    }
  }
  const finish = async (): Promise<void> => {
    answer.resolve()
    while ((await readDelivery(participant_uuid)).status !== 'delivered') await setImmediate()
    await worker.close()
  }
  return { worker, waitForRenewal, finish, nbSent: () => nb_sent }
}

/** Starts a worker that delivers at once. */
const startFastWorker = () => {
  let nb_sent = 0
  const worker = startWorker(async () => {
    nb_sent++
    return delivered
  })
  return { worker, nbSent: () => nb_sent }
}

test('a running attempt keeps its lease for as long as it lasts', async () => {
  const participant_uuid = await createDueDelivery('ana@exemple.fr')
  const slow = await startSlowWorker(participant_uuid)
  const second = startFastWorker()
  await second.worker.drain()
  for (let passed_ms = 0; passed_ms < 4 * LEASE_MS; passed_ms += LEASE_MS / 4) {
    time.elapsed_ms += LEASE_MS / 4
    await slow.waitForRenewal()
    await second.worker.drain()
  }
  await slow.finish()
  await second.worker.close()
  assert.deepEqual([slow.nbSent(), second.nbSent()], [1, 0])
})

test('no worker takes over a running attempt after the clock of the database jumps ahead or back', async () => {
  const participant_uuid = await createDueDelivery('zoe@exemple.fr')
  const slow = await startSlowWorker(participant_uuid)
  const second = startFastWorker()
  await second.worker.drain()
  time.elapsed_ms += RENEWAL_TIME_MS
  await second.worker.drain()
  time.ahead_ms = HOUR_MS
  // The second worker notices the jump before the first one has renewed its lease.
  await second.worker.drain()
  await slow.waitForRenewal()
  time.elapsed_ms += RENEWAL_TIME_MS
  await slow.waitForRenewal()
  await second.worker.drain()
  const before_jump = new Date(time.elapsed_ms + time.ahead_ms)
  time.ahead_ms = 0
  await second.worker.drain()
  // A claim that began before the jump ends after the second worker has corrected due times.
  const late_claim = await claimDue(app.db, {
    now: before_jump,
    rateLimits: CHANNEL_RATE_LIMITS,
    limit: 1,
    shares: [{ provider: 'convertkit', share: 1, per_creator: 1 }],
  })
  assert.deepEqual(late_claim, [])
  await slow.waitForRenewal()
  await slow.finish()
  await second.worker.close()
  assert.deepEqual([slow.nbSent(), second.nbSent()], [1, 0])
})

test('a lease that was taken by a wrong clock ends soon if its worker is dead', async () => {
  const participant_uuid = await createDueDelivery('mia@exemple.fr')
  const second = startFastWorker()
  time.ahead_ms = HOUR_MS
  await second.worker.drain()
  await app.pool.query(
    `update deliveries set lease_id = gen_random_uuid(), lease_until = $2, next_attempt_at = $2
      where participant_uuid = $1`,
    [participant_uuid, new Date(time.elapsed_ms + HOUR_MS + LEASE_MS)],
  )
  time.ahead_ms = 0
  await second.worker.drain()
  time.elapsed_ms += RENEWAL_TIME_MS
  await second.worker.drain()
  const { lease_until } = await readDelivery(participant_uuid)
  assert.equal(Date.parse(String(lease_until)), time.elapsed_ms + ERASURE_LEASE_S * 1_000)
  await second.worker.close()
})

test('a lease that nobody renews is taken over', async () => {
  const participant_uuid = await createDueDelivery('lea@exemple.fr')
  const slow = await startSlowWorker(participant_uuid)
  // A worker that is closing claims and renews nothing any more, like a killed worker.
  const closing = slow.worker.close()
  const second = startFastWorker()
  await second.worker.drain()
  for (let passed_ms = 0; passed_ms < LEASE_MS; passed_ms += RENEWAL_TIME_MS) {
    time.elapsed_ms += RENEWAL_TIME_MS
    // Keeps the clock of the second worker continuous.
    await second.worker.drain()
  }
  time.elapsed_ms += 1_000
  await second.worker.drain()
  assert.equal((await readDelivery(participant_uuid)).status, 'delivered')
  await slow.finish()
  await closing
  await second.worker.close()
})

test('a delivery that was postponed by a wrong clock is due when the clock is right again', async () => {
  const second = startFastWorker()
  time.ahead_ms = HOUR_MS
  await second.worker.drain()
  const participant_uuid = await createDueDelivery('tom@exemple.fr')
  await app.pool.query(`update deliveries set next_attempt_at = $2 where participant_uuid = $1`, [
    participant_uuid,
    new Date(time.elapsed_ms + HOUR_MS + 5_000),
  ])
  await second.worker.drain()
  assert.equal((await readDelivery(participant_uuid)).status, 'pending')
  time.ahead_ms = 0
  time.elapsed_ms += 5_000
  await second.worker.drain()
  assert.equal((await readDelivery(participant_uuid)).status, 'delivered')
  // Simulates a transaction that began before the jump and commits after the first correction.
  const late = await createDueDelivery('eva@exemple.fr')
  await app.pool.query('update deliveries set next_attempt_at = $2 where participant_uuid = $1', [
    late,
    new Date(time.elapsed_ms + HOUR_MS),
  ])
  time.elapsed_ms += RENEWAL_TIME_MS
  await second.worker.drain()
  assert.equal((await readDelivery(late)).status, 'delivered')
  await second.worker.close()
})
