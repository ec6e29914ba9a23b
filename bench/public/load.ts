import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const AUTOCANNON = fileURLToPath(import.meta.resolve('autocannon'))
const CONNECTIONS = 20

/** Result of a load test of one URL. */
export type LoadResult = {
  per_second: number
  /** CPU microseconds of the server process per response. */
  cpu_us: number
}

type Report = {
  requests: { average: number; total: number }
  non2xx: number
  errors: number
  timeouts: number
}

/** Runs a load test on a URL. With an ETag, the responses are 304. Throws if a response failed. */
export const load = async (
  origin: string,
  path: string,
  { seconds, etag }: { seconds: number; etag?: string },
): Promise<LoadResult> => {
  const headers = ['-H', 'accept-encoding=br', ...(etag ? ['-H', `if-none-match=${etag}`] : [])]
  const before = await cpuSeconds(origin)
  const { stdout } = await run(process.execPath, [
    AUTOCANNON,
    ...['--json', '-c', String(CONNECTIONS), '-d', String(seconds)],
    ...headers,
    origin + path,
  ])
  const used = (await cpuSeconds(origin)) - before
  const { requests, non2xx, errors, timeouts } = JSON.parse(stdout) as Report
  if (errors + timeouts > 0 || (!etag && non2xx > 0)) throw new Error(`${path} failed under load`)
  return { per_second: requests.average, cpu_us: (used * 1e6) / requests.total }
}

const cpuSeconds = (origin: string): Promise<number> => metric(origin, 'process_cpu_seconds_total')

/** Reads one metric of a server. */
const metric = async (origin: string, name: string): Promise<number> => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const megabytes = async (origin: string): Promise<number> =>
  Math.round((await metric(origin, 'process_resident_memory_bytes')) / 1_048_576)

/** Returns the server's memory in MB before, in the middle of and after a number of views. */
export const measureMemory = async (
  origin: string,
  path: string,
  views: number,
): Promise<number[]> => {
  const seen = [await megabytes(origin)]
  for (let half = 0; half < 2; half++) {
    await run(process.execPath, [
      AUTOCANNON,
      ...['--json', '-c', String(CONNECTIONS), '-a', String(Math.round(views / 2))],
      ...['-H', 'accept-encoding=br', origin + path],
    ])
    seen.push(await megabytes(origin))
  }
  return seen
}
