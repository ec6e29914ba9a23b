import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyOut } from '#server/backup/backup-format.ts'
import type { MeasuredServer } from './measured-server.ts'
import { formatMs, ratio, timeOf } from './timing.ts'

const SAMPLE_INTERVAL_MS = 100
const MEGABYTE = 1_048_576

const megabytes = (value: number): string => `${(value / MEGABYTE).toFixed(0)} MB`

/** Returns samples of the resident memory of this process while `work` runs. */
const memoryDuring = async (work: () => Promise<unknown>): Promise<number[]> => {
  const seen = [process.memoryUsage().rss]
  const looking = setInterval(() => seen.push(process.memoryUsage().rss), SAMPLE_INTERVAL_MS)
  await work()
  clearInterval(looking)
  return [...seen, process.memoryUsage().rss]
}

/** Downloads an address in a separate process and returns the number of bytes. */
const download = async (url: string): Promise<number> => {
  const script = `
    let bytes = 0
    require('node:http').get(${JSON.stringify(url)}, (reply) => {
      reply.on('data', (chunk) => { bytes += chunk.length })
      reply.on('end', () => console.log(bytes))
    })`
  const reader = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  reader.stdout.on('data', (chunk) => {
    text += chunk
  })
  await once(reader, 'exit')
  return Number(text)
}

/** Compares the duration of CSV, Excel and JSON exports with COPY of the same rows, and measures their memory. */
export const measureExports = async (
  { client, session, origin }: MeasuredServer,
  quiz_id: string,
): Promise<void> => {
  const copy = async (): Promise<void> => {
    const statement = `copy (select * from responses where quiz_id = '${quiz_id}' order by created_at desc, participant_uuid desc) to stdout`
    for await (const _ of copyOut(session, statement));
  }
  for (const format of ['csv_excel', 'csv', 'json', 'xlsx'] as const) {
    const copying = [await timeOf(copy)]
    const { url } = await client.exports.link({ id: quiz_id, body: { format } })
    let bytes = 0
    let exporting = 0
    const memory = await memoryDuring(async () => {
      exporting = await timeOf(async () => {
        bytes = await download(origin + url)
      })
    })
    copying.push(await timeOf(copy))
    const copied = copying.reduce((sum, time) => sum + time, 0) / copying.length
    const middle = memory[memory.length >> 1] ?? Number.NaN
    console.log(
      `${format}: ${formatMs(exporting)} for ${megabytes(bytes)}, COPY TO STDOUT ${copying.map(formatMs).join(' before, ')} after: throughput ${ratio(copied, exporting)} of it; memory ${megabytes(memory[0] ?? 0)} at the start, ${megabytes(middle)} in the middle, ${megabytes(memory.at(-1) ?? 0)} at the end, ${megabytes(Math.max(...memory))} at most`,
    )
  }
}
