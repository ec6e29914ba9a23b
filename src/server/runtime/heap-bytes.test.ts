import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { largestDrafts } from '#domain/testing/largest-drafts.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { measureHeapBytes } from './heap-bytes.ts'

// Runs in test:all, because it measures memory.

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heapUsed = async (): Promise<number> => {
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await setImmediate()
  }
  return process.memoryUsage().heapUsed
}

const COPIES = 10

/** Returns the growth of the heap for each of several copies of a value, and the copies. */
const measureGrowth = async (json: string): Promise<{ growth: number; measured: number }> => {
  const before = await heapUsed()
  const kept = Array.from({ length: COPIES }, () => JSON.parse(json) as unknown)
  const growth = ((await heapUsed()) - before) / COPIES
  return { growth, measured: measureHeapBytes(kept) / COPIES }
}

test('the measured size of the largest questionnaires is near the growth of the heap', async () => {
  const drafts = largestDrafts()
  for (const { shape, draft } of pickByRun({ daily: drafts.slice(0, 1), all: drafts })) {
    const { growth, measured } = await measureGrowth(JSON.stringify(draft))
    assert.ok(measured > growth / 2, `${shape}: ${measured} of ${growth} bytes`)
    assert.ok(measured < 2.5 * growth, `${shape}: ${measured} of ${growth} bytes`)
  }
})

test('maps, buffers and long texts count, and an object that occurs twice counts once', () => {
  assert.ok(measureHeapBytes(new Map([['a', 'b'.repeat(1_000)]])) > 1_000)
  assert.ok(measureHeapBytes(Buffer.alloc(5_000)) > 5_000)
  assert.ok(measureHeapBytes('é'.repeat(1_000)) < measureHeapBytes('漢'.repeat(1_000)))
  const shared = { text: 'c'.repeat(1_000) }
  assert.ok(measureHeapBytes([shared, shared]) < 1_500)
})
