import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '#server/db/database.ts'
import { createHeavyWork } from '#server/heavy-work/heavy-work.ts'
import { createBackgroundCounts, createLargeCounts } from './background-counts.ts'

const source = { db: {} as Db, pool: { connect: () => Promise.reject(new Error('unused')) } }
const background = createBackgroundCounts(
  { openDedicated: () => ({ run: (read) => read(source), close: async () => undefined }) },
  { log: { warn: () => undefined }, heavyWork: createHeavyWork() },
)
const state = (state_hash: string, removed = ['1 0'], creator_id = 'camille') => ({
  state_hash,
  removed,
  creator_id,
  is_async: false,
})

test('a call gets the counts that it waited for, although participants arrived in the meantime', async () => {
  const countsOf = createLargeCounts<number>(background, 'test 1')
  let nb_counts = 0
  const count = async () => ({ state_hash: 'B', removed: ['1 0'], value: ++nb_counts })
  assert.deepEqual(await countsOf('key', state('A'), count), { value: 1 })
  assert.equal(nb_counts, 1)
})

test('a call during an older count gets the counts of its own state', async () => {
  const countsOf = createLargeCounts<string>(background, 'test 2')
  const { promise: older, resolve } = Promise.withResolvers<void>()
  const removed = ['1 0']
  const async_counts = await countsOf('key', { ...state('A'), is_async: true }, async () => {
    await older
    return { state_hash: 'A', removed, value: 'older' }
  })
  assert.deepEqual(async_counts, { value: undefined, as_of: { counted_at: null } })
  const waited = countsOf('key', state('B'), async () => ({
    state_hash: 'B',
    removed,
    value: 'newer',
  }))
  resolve()
  assert.deepEqual(await waited, { value: 'newer' })
})

test('cached counts stay valid after the first participant of a version, but not after a removal', async () => {
  const countsOf = createLargeCounts<number>(background, 'test 3')
  await countsOf('key', state('A'), async () => ({ state_hash: 'A', removed: ['1 0'], value: 1 }))
  const read = (state_hash: string, removed: string[]) =>
    countsOf('key', { ...state(state_hash, removed), is_async: true }, () =>
      Promise.reject(state_hash),
    )
  assert.equal((await read('B', ['1 0', '2 0'])).value, 1)
  assert.equal((await read('C', ['1 1', '2 0'])).value, undefined)
})

test('creators take turns in the count queue, and each has at most five queued counts', async () => {
  const countsOf = createLargeCounts<string>(background, 'test 4')
  const { promise: first, resolve } = Promise.withResolvers<void>()
  const order: string[] = []
  const ask = (creator_id: string, rank: number) =>
    countsOf(
      `${creator_id} ${rank}`,
      { ...state('A', ['1 0'], creator_id), is_async: true },
      async () => {
        await first
        order.push(creator_id)
        return { state_hash: 'A', removed: ['1 0'], value: creator_id }
      },
    )
  for (let rank = 0; rank < 5; rank++) await ask('busy', rank)
  await assert.rejects(ask('busy', 5), { status: 503 })
  await ask('quiet', 0)
  resolve()
  while (order.length < 6) await setImmediate()
  assert.equal(order.indexOf('quiet'), 2)
})
