import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLruCache } from './caches.ts'

test('the cache evicts the least recently used entries', () => {
  const cache = createLruCache<number>(3)
  for (const key of ['a', 'b', 'c']) cache.set(key, 1)
  cache.get('a')
  cache.set('b', 2)
  cache.set('d', 1)
  assert.deepEqual([...cache.keys()].sort(), ['a', 'b', 'd'])
})

test('the size limit of the cache holds after replacements and deletions', () => {
  const cache = createLruCache<Buffer>(25, (bytes) => bytes.length)
  cache.set('a', Buffer.alloc(10))
  cache.set('a', Buffer.alloc(20))
  assert.equal(cache.calculatedSize, 20)
  cache.set('b', Buffer.alloc(10))
  assert.deepEqual([...cache.keys()], ['b'])
  cache.delete('b')
  assert.equal(cache.calculatedSize, 0)
})

test('an entry larger than the whole cache is not kept, and evicts no other', () => {
  const cache = createLruCache<Buffer>(25, (bytes) => bytes.length)
  cache.set('a', Buffer.alloc(10))
  cache.set('b', Buffer.alloc(26))
  assert.deepEqual([...cache.keys()], ['a'])
})
