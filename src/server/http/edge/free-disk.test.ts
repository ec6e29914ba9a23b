import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diskStateOf, watchFreeDisk } from '#server/http/edge/disk-guard.ts'

const GB = 1_000_000_000

test('a disk is low below a tenth, and full below a fiftieth', () => {
  const size_bytes = 20 * GB
  const states = [3, 1.9, 0.3].map((free) => diskStateOf({ free_bytes: free * GB, size_bytes }))
  assert.deepEqual(states, ['enough', 'low', 'full'])
})

test('on a large disk, five gigabytes are enough', () => {
  const size_bytes = 4_000 * GB
  const states = [6, 5, 1].map((free) => diskStateOf({ free_bytes: free * GB, size_bytes }))
  assert.deepEqual(states, ['enough', 'low', 'full'])
})

test('a disk is read once a second, and a failed check keeps the last state', async () => {
  let time = 0
  let reads = 0
  let free_bytes = GB
  const disk = watchFreeDisk(
    '/data',
    async () => {
      if (reads++ === 1) throw new Error('the disk does not answer')
      return { free_bytes, size_bytes: 20 * GB }
    },
    () => time,
  )
  const stateAt = async (at: number) => {
    time = at
    disk.state()
    await new Promise(setImmediate)
    return disk.state()
  }
  assert.deepEqual([await stateAt(0), await stateAt(999), reads], ['low', 'low', 1])
  free_bytes = 10 * GB
  assert.deepEqual([await stateAt(1_000), reads], ['low', 2])
  assert.deepEqual([await stateAt(2_000), reads], ['enough', 3])
})

test('the disk of a database elsewhere counts as large enough', () => {
  const disk = watchFreeDisk(undefined, async () => ({ free_bytes: 0, size_bytes: GB }))
  assert.deepEqual([disk.state(), disk.free_bytes()], ['enough', undefined])
})
