import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCountCache } from './background-counts.ts'

test('the cache counts once per state for all calls, and again in another state', async () => {
  const find = createCountCache<number>(2)
  let counts = 0
  const count = async () => ++counts
  assert.deepEqual(await Promise.all([find('a', '1', count), find('a', '1', count)]), [1, 1])
  assert.equal(await find('a', '2', count), 2)
  assert.equal(await find('a', '1', count), 3)
})

test('the cache evicts the least recently used counts and failed counts', async () => {
  const find = createCountCache<string>(2)
  await find('a', '1', async () => 'first')
  await find('b', '1', async () => 'b')
  await find('a', '1', async () => 'unused')
  await find('c', '1', async () => 'c')
  assert.equal(await find('a', '1', async () => 'again'), 'first')
  assert.equal(await find('b', '1', async () => 'again'), 'again')
  await assert.rejects(find('d', '1', () => Promise.reject(new Error('too long'))))
  assert.equal(await find('d', '1', async () => 'd'), 'd')
})
