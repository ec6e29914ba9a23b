import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readZip } from './read-zip-progress.ts'

const fileStart = (rank: number): Buffer => {
  const header = Buffer.alloc(30)
  header.write('PK\u0003\u0004', 'latin1')
  return Buffer.concat([header, Buffer.from(`${String(rank).padStart(3, '0')} - Rapport.pdf`)])
}
const ZIP = Buffer.concat([1, 1, 2, 3].flatMap((rank) => [fileStart(rank), Buffer.alloc(50, 0xff)]))

test('the progress of a ZIP names each participant, wherever the chunks of the stream end', async () => {
  for (const size of [1, 7, 30, ZIP.length]) {
    const chunks = Array.from({ length: Math.ceil(ZIP.length / size) }, (_, rank) =>
      Uint8Array.from(ZIP.subarray(rank * size, (rank + 1) * size)),
    )
    const ranks = new Set<number>()
    const blob = await readZip(new Blob(chunks).stream(), (rank) => ranks.add(rank))
    assert.deepEqual([...ranks], [1, 2, 3])
    assert.deepEqual(Buffer.from(await blob.arrayBuffer()), ZIP)
  }
})
