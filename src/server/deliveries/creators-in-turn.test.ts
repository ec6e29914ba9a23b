import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { CHANNEL_RATE_LIMITS } from './channel-rate-limits.ts'
import { type ClaimedDelivery, claimDue, openLimiters } from './claim-deliveries.store.ts'
import { createWorker } from './worker.ts'

// Runs in test:all, because it lets several workers compete.

const app = await createTestApp()
after(() => app.close())

/** Creates a creator with webhooks on separate quizzes, and due deliveries of participants to each webhook. */
const creatorWith = async ({
  webhooks,
  participants,
}: {
  webhooks: number
  participants: number
}) => {
  const { client, user_id } = await app.signUp()
  for (let rank = 0; rank < webhooks; rank++) {
    const { id: quiz_id } = await publishedScoreQuiz(client)
    const connection_id = randomUUID()
    await app.pool.query(
      `insert into integration_connections (id, user_id, quiz_id, provider, sealed_secret, status)
        values ($1, $2, $3, 'webhook', '\\x00', 'active')`,
      [connection_id, user_id, quiz_id],
    )
    await app.pool.query(
      `with new_responses as (
        insert into responses (quiz_id, participant_uuid, version, choices, texts)
        select $1, gen_random_uuid(), 1, '{0}', '{}' from generate_series(1, $3::integer)
        returning quiz_id, participant_uuid, created_at
      )
      insert into deliveries (
        quiz_id, participant_uuid, provider, connection_id, status, created_at, next_attempt_at, give_up_at
      )
      select quiz_id, participant_uuid, 'webhook', $2, 'pending', created_at, now(), now() + interval '3 days'
      from new_responses`,
      [quiz_id, connection_id, participants],
    )
  }
  return user_id
}

const claim = (busy: { user_id: string; nb_underway: number }[] = []): Promise<ClaimedDelivery[]> =>
  claimDue(app.db, {
    now: new Date(),
    rateLimits: CHANNEL_RATE_LIMITS,
    limit: 32,
    shares: [{ provider: 'webhook', share: 32, per_creator: 8 }],
    underway: busy.map((creator) => ({ ...creator, provider: 'webhook' })),
  })
const nbOf = (claimed: readonly ClaimedDelivery[], user_id: string): number =>
  claimed.filter((delivery) => delivery.user_id === user_id).length

test('a creator with many webhooks gets a limited share, and another creator comes first afterwards', async () => {
  const busy = await creatorWith({ webhooks: 12, participants: 2 })
  await openLimiters(app.db, new Date())
  const first = await claim()
  assert.deepEqual([first.length, nbOf(first, busy)], [8, 8])
  assert.equal(new Set(first.map(({ connection_id }) => connection_id)).size, 8)
  const quiet = await creatorWith({ webhooks: 1, participants: 3 })
  await openLimiters(app.db, new Date())
  const second = await claim([{ user_id: busy, nb_underway: 8 }])
  assert.deepEqual([second.length, nbOf(second, quiet)], [1, 1])
  assert.equal(nbOf(await claim([{ user_id: busy, nb_underway: 6 }]), busy), 2)
  await app.pool.query('delete from deliveries')
})

test('silent webhooks do not delay deliveries of another creator', async () => {
  const slow = await creatorWith({ webhooks: 10, participants: 8 })
  const underway = { now: 0, most: 0 }
  const arrived = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const worker = createWorker({
    db: app.db,
    log: pino({ level: 'silent' }),
    notifyCreator: async () => undefined,
    erase: () => Promise.reject(new Error('There is nothing to erase')),
    send: async ({ user_id, completed_calls }) => {
      if (user_id === slow) {
        underway.most = Math.max(underway.most, ++underway.now)
        await ended.promise
      } else arrived.resolve()
      return { kind: 'delivered', vendor_contact_id: null, completed_calls }
    },
  })
  worker.wake()
  while (underway.now < 8) await setImmediate()
  await creatorWith({ webhooks: 1, participants: 1 })
  worker.wake()
  await arrived.promise
  assert.equal(underway.most, 8)
  ended.resolve()
  await worker.close()
})
