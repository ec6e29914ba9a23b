import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countBytes, createCountCache, createCountMemory } from './count-cache.ts'

test('the cache counts once per state for all calls, and again in another state', async () => {
  const find = createCountCache<number>(createCountMemory(), 'numbers')
  let counts = 0
  const count = async () => ++counts
  assert.deepEqual(await Promise.all([find('a', '1', count), find('a', '1', count)]), [1, 1])
  assert.equal(await find('a', '2', count), 2)
  assert.equal(await find('a', '1', count), 3)
})

test('caches of two kinds in one memory do not mix their values', async () => {
  const memory = createCountMemory()
  const findNumber = createCountCache<number>(memory, 'numbers')
  const findText = createCountCache<string>(memory, 'texts')
  assert.equal(await findNumber('a', '1', async () => 1), 1)
  assert.equal(await findText('a', '1', async () => 'a'), 'a')
  assert.equal(await findNumber('a', '1', async () => 2), 1)
})

test('the memory evicts the least recently used counts above its bytes, and failed counts are not kept', async () => {
  const memory = createCountMemory(2 * countBytes('x'))
  const find = createCountCache<string>(memory, 'texts')
  await find('a', '1', async () => 'a')
  await find('b', '1', async () => 'b')
  await find('a', '1', async () => 'unused')
  await find('c', '1', async () => 'c')
  assert.equal(await find('a', '1', async () => 'z'), 'a')
  assert.equal(await find('b', '1', async () => 'z'), 'z')
  await assert.rejects(find('d', '1', () => Promise.reject(new Error('too long'))))
  assert.equal(await find('d', '1', async () => 'd'), 'd')
})

test('counts of any number of different selections stay within the bytes of the memory', async () => {
  const max_bytes = 1_000_000
  const memory = createCountMemory(max_bytes)
  const find = createCountCache<string[]>(memory, 'texts')
  for (let day = 0; day < 300; day++)
    await find(`from ${day}`, '1', async () => [`${day}`.repeat(10_000)])
  assert.ok(memory.calculatedSize <= max_bytes)
  assert.ok(memory.size < 100)
})
