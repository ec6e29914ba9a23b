import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { createDatabaseClock, RENEWAL_TIME_MS } from './database-clock.ts'

const HOUR_MS = 3_600_000

/** Creates a clock whose database is `ahead_ms` ahead of `elapsed_ms`. Only `pass` advances the time. */
const createClock = () => {
  const state = { elapsed_ms: 1_000, ahead_ms: 0 }
  const clock = createDatabaseClock(undefined as never, {
    elapsed: () => state.elapsed_ms,
    readTime: async () => state.elapsed_ms + state.ahead_ms,
  })
  const pass = (ms: number): void => {
    state.elapsed_ms += ms
  }
  /** Lets `ms` pass and reads the clock every second. */
  const readFor = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 1_000) {
      pass(1_000)
      await clock.read()
    }
  }
  const canTakeOver = (): boolean => clock.leaseCutoff().getTime() === clock.now().getTime()
  return { clock, state, pass, readFor, canTakeOver }
}

test('the clock shows the time of the database, and advances between two readings', async () => {
  const { clock, state, pass } = createClock()
  state.ahead_ms = HOUR_MS
  await clock.read()
  pass(500)
  assert.equal(clock.now().getTime(), 1_500 + HOUR_MS)
  state.ahead_ms += 2_000
  assert.deepEqual(await clock.read(), { jump_ms: 0, is_continuous: true })
  assert.equal(clock.now().getTime(), 3_500 + HOUR_MS)
})

test('leases of other workers are claimed only after living workers had time to renew them', async () => {
  const { clock, state, pass, readFor, canTakeOver } = createClock()
  assert.deepEqual(await clock.read(), { jump_ms: 0, is_continuous: false })
  assert.equal(canTakeOver(), false, 'there may have been an outage before the start')
  await readFor(RENEWAL_TIME_MS)
  assert.equal(canTakeOver(), true)

  state.ahead_ms = HOUR_MS
  assert.deepEqual(await clock.read(), { jump_ms: HOUR_MS, is_continuous: false })
  assert.equal(canTakeOver(), false, 'the clock jumped')
  await readFor(RENEWAL_TIME_MS)
  assert.equal(canTakeOver(), true)

  state.ahead_ms = 0
  assert.deepEqual(await clock.read(), { jump_ms: -HOUR_MS, is_continuous: false })
  await readFor(RENEWAL_TIME_MS)
  pass(60_000)
  assert.deepEqual(await clock.read(), { jump_ms: 0, is_continuous: false })
  assert.equal(canTakeOver(), false, 'the database was away for a minute')
})

test('the clock of a real database is read', async () => {
  const { db, close } = await createTestApp()
  const clock = createDatabaseClock(db)
  await clock.read()
  assert.ok(Math.abs(clock.now().getTime() - Date.now()) < 10_000)
  await close()
})
