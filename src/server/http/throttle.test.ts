import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerKey, createBucket, remember } from './throttle.ts'

test('a bucket gives its burst at once, then one call each time a token has come back', () => {
  const take = createBucket({ calls: 30, per_seconds: 300, burst: 3 })
  assert.deepEqual([take('a', 0), take('a', 0), take('a', 0)], [0, 0, 0])
  assert.equal(take('a', 0), 10)
  assert.equal(take('a', 4_000), 6)
  assert.equal(take('a', 10_000, 0), 0, 'looking takes nothing')
  assert.equal(take('a', 10_000), 0)
  assert.equal(take('a', 10_000), 10)
  assert.equal(take('b', 10_000), 0, 'another caller has its own')
  assert.deepEqual(
    [take('a', 1e9), take('a', 1e9), take('a', 1e9), take('a', 1e9)],
    [0, 0, 0, 10],
    'rest never saves up more than the burst',
  )
})

test('the memory is bounded: the keys untouched for longest are forgotten', () => {
  const memory = new Map<string, number>()
  for (const key of ['a', 'b', 'a', 'c']) remember(memory, key, 1, 2)
  assert.deepEqual([...memory.keys()], ['a', 'c'])
})

test('keys that callers make up, however long, are told apart', () => {
  const take = createBucket({ calls: 1, per_seconds: 60, burst: 1 })
  const long = 'x'.repeat(10_000)
  assert.deepEqual([take(`${long}a`, 0), take(`${long}b`, 0), take(`${long}a`, 0)], [0, 0, 60])
})

test('a caller is an IPv4 address or the /64 network of an IPv6 one', () => {
  assert.equal(callerKey('203.0.113.7'), '203.0.113.7')
  assert.equal(callerKey('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(callerKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(callerKey('2001:db8::5:6'), '2001:db8:0:0')
  assert.equal(callerKey('::1'), '0:0:0:0')
})
