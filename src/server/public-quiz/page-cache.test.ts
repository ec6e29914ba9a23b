import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompressedPage } from '#server/http/pages/html-page.ts'
import { createPageCache } from './page-cache.ts'

const pageOf = (size: number): CompressedPage => ({
  policy: '',
  encodings: [{ name: 'identity', etag: '""', bytes: Buffer.alloc(size) }],
})

/** Returns a cache and the number of pages it has created. */
const counted = (largest_total: number) => {
  const { find, getCached } = createPageCache(largest_total)
  const made: string[] = []
  const ask = (key: string, size = 10): Promise<CompressedPage> =>
    find({ key }, async () => {
      made.push(key)
      return pageOf(size)
    })
  return { find, getCached, made, ask }
}

test('a page is created once, also for concurrent calls', async () => {
  const { ask, made } = counted(100)
  const [one, other] = await Promise.all([ask('a'), ask('a')])
  assert.equal(one, other)
  assert.equal(await ask('a'), one)
  assert.deepEqual(made, ['a'])
})

test('a page is available without waiting after its creation', async () => {
  const { ask, getCached } = counted(100)
  const asked = ask('a')
  assert.equal(getCached('a'), undefined)
  assert.equal(getCached('b'), undefined)
  assert.equal(await asked, getCached('a'))
})

test('above its maximum size the cache evicts the least recently used page', async () => {
  const { ask, made } = counted(25)
  await ask('a')
  await ask('b')
  await ask('a')
  await ask('c')
  await ask('a')
  assert.deepEqual(made, ['a', 'b', 'c'])
  await ask('b')
  assert.deepEqual(made, ['a', 'b', 'c', 'b'])
})

test('a page larger than the whole cache is returned but not cached', async () => {
  const { ask, made } = counted(25)
  assert.equal((await ask('a', 30)).encodings[0]?.bytes.length, 30)
  await ask('a', 10)
  await ask('a', 10)
  assert.deepEqual(made, ['a', 'a'])
})

test('a failure to create a page rejects every waiting call and is not cached', async () => {
  const { find, ask } = counted(25)
  const failing = () => Promise.reject(new Error('no build'))
  const asked = [find({ key: 'a' }, failing), find({ key: 'a' }, failing)]
  const outcomes = await Promise.allSettled(asked)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await ask('a')).encodings.length, 1)
})
