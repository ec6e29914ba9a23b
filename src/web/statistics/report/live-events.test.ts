import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCounts } from './live-events.ts'

const streamOf = (...chunks: string[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })

test('live counts are read across any chunk boundaries, and other events are skipped', async () => {
  const counts: number[] = []
  const stream = streamOf(
    'data: {"nb_res',
    'ponses":1}\n',
    '\n: \n\ndata: {"nb_responses":2}\n\ndata: {\n\ndata: {"nb_responses":"3"}\n\n',
    'data: null\n\ndata: {"nb_responses":4}\n\ndata: {"nb_responses":5}',
  )
  for await (const count of readCounts(stream)) counts.push(count)
  assert.deepEqual(counts, [1, 2, 4])
})
