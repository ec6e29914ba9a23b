import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clientKey,
  createClientBucket,
  createTokenBucket,
  MAX_TRACKED_KEYS,
} from './rate-limits.ts'

test('a bucket admits its burst at once, then one call for each new token', () => {
  const take = createTokenBucket({ calls: 30, per_seconds: 300, burst: 3 })
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

test('a bucket of bytes admits a body as soon as all of its bytes have come back', () => {
  const take = createTokenBucket({ calls: 600, per_seconds: 60, burst: 100 })
  assert.deepEqual([take('a', 0, 60), take('a', 0, 60)], [0, 2])
  assert.equal(take('a', 0, 40), 0)
  assert.equal(take('a', 6_000, 60), 0)
  assert.equal(take('b', 0, 500), 0, 'a body larger than the burst needs a full bucket')
  assert.equal(take('b', 0, 1), 1)
})

test('a clock that is set back by an hour takes no tokens away', () => {
  const take = createTokenBucket({ calls: 60, per_seconds: 60, burst: 2 })
  assert.equal(take('a', 3_600_000), 0)
  assert.deepEqual([take('a', 0), take('a', 0), take('a', 1_000)], [0, 1, 0])
})

test('the memory of rate limits is bounded, because the least recently used key is removed', () => {
  const take = createTokenBucket({ calls: 1, per_seconds: 60, burst: 1 })
  take('a', 0)
  take('b', 0)
  for (let other = 0; other < MAX_TRACKED_KEYS - 2; other++) take(String(other), 0)
  assert.equal(take('a', 0), 60, 'as many are remembered')
  take('one more', 0)
  assert.equal(take('a', 0), 60)
  assert.equal(take('b', 0), 0)
})

test('long rate-limit keys that callers invent are distinguished', () => {
  const take = createTokenBucket({ calls: 1, per_seconds: 60, burst: 1 })
  const long = 'x'.repeat(10_000)
  assert.deepEqual([take(`${long}a`, 0), take(`${long}b`, 0), take(`${long}a`, 0)], [0, 0, 60])
})

test('a client is an IPv4 address or an IPv6 /64 network', () => {
  assert.equal(clientKey('203.0.113.7'), '203.0.113.7')
  assert.equal(clientKey('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(clientKey('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(clientKey('2001:db8::5:6'), '2001:db8:0:0')
  assert.equal(clientKey('::1'), '0:0:0:0')
})

test('a /48 network has the allowance of 8 clients instead of 65,536, and a /32 network has that of 256', () => {
  const take = createClientBucket({ calls: 10, per_seconds: 60, burst: 10 })
  const letIn = (addresses: string[]): number => addresses.filter((ip) => take(ip, 0) === 0).length
  const hex = (count: number) => Array.from({ length: count }, (_, index) => index.toString(16))
  assert.equal(letIn(Array(20).fill('2001:db8:1:2::1')), 10, 'one /64')
  assert.equal(letIn(hex(500).map((subnet) => `2001:db8:7:${subnet}::1`)), 80, 'one /48')
  assert.equal(letIn(hex(5000).map((site) => `2001:db9:${site}::1`)), 2560, 'one /32')
  assert.equal(letIn(hex(200).map((host) => `192.0.2.${Number.parseInt(host, 16)}`)), 200)
  assert.equal(letIn(hex(200).map((host) => `::ffff:192.0.3.${Number.parseInt(host, 16)}`)), 200)
})
