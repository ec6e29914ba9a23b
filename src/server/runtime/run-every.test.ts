import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { runEvery } from './run-every.ts'

const onClock = (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  return async (ms: number) => {
    t.mock.timers.tick(ms)
    await new Promise(setImmediate)
  }
}

test('work is repeated, and starts immediately if requested', async (t) => {
  const pass = onClock(t)
  let [later, now] = [0, 0]
  const stops = [runEvery(100, () => later++), runEvery(100, () => now++, { is_immediate: true })]
  await pass(0)
  assert.deepEqual([later, now], [0, 1])
  await pass(100)
  await pass(100)
  assert.deepEqual([later, now], [2, 3])
  for (const stop of stops) await stop()
  await pass(1_000)
  assert.deepEqual([later, now], [2, 3])
})

test('a run of repeated work is skipped while the previous run is active', async (t) => {
  const pass = onClock(t)
  let begun = 0
  const first = Promise.withResolvers<void>()
  const stop = runEvery(100, () => (++begun === 1 ? first.promise : undefined))
  await pass(100)
  await pass(300)
  assert.equal(begun, 1)
  first.resolve()
  await pass(0)
  await pass(100)
  assert.equal(begun, 2)
  await stop()
})

test('a failure of repeated work is reported, and the work is repeated', async (t) => {
  const pass = onClock(t)
  const told: unknown[] = []
  const failing = [() => Promise.reject('later'), () => assert.fail('at once')]
  const stops = failing.map((work) =>
    runEvery(100, work, { onFailure: (error) => told.push(error) }),
  )
  await pass(100)
  await pass(100)
  assert.equal(told.length, 4)
  for (const stop of stops) await stop()
})

test('stopping repeated work aborts the run in progress and waits for it', async (t) => {
  const pass = onClock(t)
  const order: string[] = []
  const stop = runEvery(100, async (signal) => {
    while (!signal.aborted) await new Promise(setImmediate)
    order.push('work')
  })
  await pass(100)
  await stop()
  assert.deepEqual(order, ['work'])
})

test('the timer of repeated work does not keep the process alive', () => {
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const stop = runEvery(60_000, () => undefined)
  const now = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  assert.equal(now, before)
  return stop()
})
