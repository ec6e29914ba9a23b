import assert from 'node:assert/strict'
import { test } from 'node:test'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

const busyFor = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('the event loop runs other work after the given time of work, and not before', async () => {
  const pause = yieldToEventLoop({ ms: 20 })
  let turns = 0
  setImmediate(() => turns++)
  await pause()
  assert.equal(turns, 0)
  busyFor(25)
  await pause()
  assert.equal(turns, 1)
  setImmediate(() => turns++)
  await pause()
  assert.equal(turns, 1, 'the time begins anew')
})
