import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTtlCache } from './caches.ts'

class Outage extends Error {}
const never = new Promise<never>(() => undefined)
const MISSING = { name: 'missing' }
const OLD = { name: 'old' }
const NEW = { name: 'new' }

/** A cache with its clock, its database and the number of queries. */
const createCache = () => {
  const state = { now: 0, nb_queries: 0, answer: async () => new Map([['known', OLD]]) }
  const cache = createTtlCache(
    () => {
      state.nb_queries++
      return state.answer()
    },
    MISSING,
    (error) => error instanceof Outage,
    { trusted_ms: 500, outage_ms: 60_000, now: () => state.now },
  )
  const fail = (error: Error) => {
    state.answer = () => Promise.reject(error)
  }
  return { state, fail, ...cache }
}

describe('a cache of database values during an outage', () => {
  test('an expired value is returned while the database is unavailable, and the new one afterwards', async () => {
    const { state, fail, find } = createCache()
    await find('known')
    fail(new Outage())
    state.now = 10_000
    assert.equal(await find('known'), OLD)
    state.answer = async () => new Map([['known', NEW]])
    state.now = 10_600
    assert.equal(await find('known'), NEW)
  })

  test('one failed query spares the following calls a query for a moment', async () => {
    const { state, fail, find, getFresh } = createCache()
    await find('known')
    fail(new Outage())
    state.now = 10_000
    await find('known')
    const before = state.nb_queries
    assert.equal(getFresh('known'), OLD)
    assert.equal(await find('known'), OLD)
    assert.equal(state.nb_queries, before)
    state.now = 10_500
    assert.equal(getFresh('known'), undefined)
  })

  test('an expired value is returned when a query takes too long', async () => {
    const { state, find } = createCache()
    await find('known')
    state.answer = () => never
    state.now = 10_000
    assert.equal(await find('known'), OLD)
  })

  test('missed notices expire a value, which still replaces an unavailable database', async () => {
    const { state, fail, find, forgetAll, getFresh } = createCache()
    await find('known')
    forgetAll()
    assert.equal(getFresh('known'), undefined)
    fail(new Outage())
    state.now = 1
    assert.equal(await find('known'), OLD)
  })

  test('a value older than the longest outage, an unknown and a changed key get the error', async () => {
    const { state, fail, find, forget } = createCache()
    await find('known')
    fail(new Outage('away'))
    state.now = 1_000
    await assert.rejects(find('unknown'), /away/)
    state.now = 60_000
    await assert.rejects(find('known'), /away/)
    state.now = 1_000
    forget('known')
    await assert.rejects(find('known'), /away/)
  })

  test('an error that is no outage is thrown', async () => {
    const { state, fail, find } = createCache()
    await find('known')
    fail(new TypeError('wrong column'))
    state.now = 1_000
    await assert.rejects(find('known'), /wrong column/)
  })
})
