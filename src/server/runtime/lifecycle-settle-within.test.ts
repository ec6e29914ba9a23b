import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { settleWithin } from './lifecycle.ts'

// Runs in its own process, because the timers of other files would disturb its mocked clock.

test('settleWithin waits for all work, whether it fails or succeeds', async () => {
  const work = Promise.withResolvers<void>()
  let isDrained = false
  const drained = settleWithin(60_000, Promise.reject(new Error('no')), work.promise, undefined)
  drained.then(() => {
    isDrained = true
  })
  await turn()
  assert.equal(isDrained, false)
  work.resolve()
  await drained
})

test('settleWithin does not wait for work that takes too long, and no timer remains', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const drained = settleWithin(5_000, new Promise(() => undefined))
  t.mock.timers.tick(5_000)
  await drained
  t.mock.timers.reset()
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await settleWithin(60_000, Promise.resolve())
  assert.equal(timers(), before)
})
