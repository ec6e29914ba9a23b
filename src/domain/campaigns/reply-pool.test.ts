import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addToPool, closePool, MIN_ANONYMOUS_REPLIES, type PooledReply } from './reply-pool.ts'

const group = fc.constantFrom('Nord', 'Sud', 'Petit', null)
const arrivals = fc.array(group, { maxLength: 80 })
const seed = fc.integer({ min: 1, max: 2_147_483_646 })

/** Creates a random function that a seed repeats. */
const createRandom = (start: number) => {
  let state = start
  return (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

/** Lets the replies of a campaign arrive. Returns those that left each time, and those of the end. */
const runCampaign = (groups: readonly (string | null)[], start: number) => {
  const random = createRandom(start)
  let waiting: PooledReply<number>[] = []
  const released: PooledReply<number>[][] = []
  for (const [reply, group_name] of groups.entries()) {
    const change = addToPool(waiting, { group_name, reply }, random)
    waiting = change.waiting
    if (change.released.length > 0) released.push(change.released)
  }
  return { released, waiting, last: closePool(waiting, random) }
}

describe('the pool of an anonymous campaign', () => {
  test('replies leave by five at least, also those of each group and the last ones', () => {
    fc.assert(
      fc.property(arrivals, seed, (groups, start) => {
        const { released, last } = runCampaign(groups, start)
        for (const some of released) assert.equal(some.length, MIN_ANONYMOUS_REPLIES)
        const ends = Map.groupBy(last, ({ group_name }) => group_name)
        for (const some of ends.values()) assert.ok(some.length >= MIN_ANONYMOUS_REPLIES)
      }),
    )
  })

  test('each reply leaves once, or none if the campaign has fewer than five', () => {
    fc.assert(
      fc.property(arrivals, seed, (groups, start) => {
        const { released, last } = runCampaign(groups, start)
        const all = [...released.flat(), ...last].map(({ reply }) => reply)
        const expected = groups.length < MIN_ANONYMOUS_REPLIES ? [] : groups.map((_, rank) => rank)
        assert.deepEqual(
          all.toSorted((first, second) => first - second),
          expected,
        )
      }),
    )
  })

  test('a reply never has the group of somebody else', () => {
    fc.assert(
      fc.property(arrivals, seed, (groups, start) => {
        const { released, last } = runCampaign(groups, start)
        for (const { group_name, reply } of [...released.flat(), ...last])
          assert.ok(group_name === null || group_name === groups[reply])
      }),
    )
  })

  test('the order of arrival is lost', () => {
    const groups = Array.from({ length: 9 }, () => null)
    const orders = new Set(
      Array.from({ length: 50 }, (_, start) =>
        runCampaign(groups, start + 1)
          .last.map(({ reply }) => reply)
          .join(),
      ),
    )
    assert.ok(orders.size > 45)
  })
})
