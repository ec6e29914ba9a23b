import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const AUTOCANNON = join(import.meta.dirname, '../../node_modules/autocannon/autocannon.js')
const CONNECTIONS = 20

type Report = { requests: { average: number }; non2xx: number; errors: number; timeouts: number }

/** Requests a second that an address bears; with an ETag, of answers that say nothing changed. Throws when one failed. */
export const requestsPerSecond = async (
  url: string,
  { seconds, etag }: { seconds: number; etag?: string },
): Promise<number> => {
  const headers = ['-H', 'accept-encoding=br', ...(etag ? ['-H', `if-none-match=${etag}`] : [])]
  const { stdout } = await run(process.execPath, [
    AUTOCANNON,
    ...['--json', '-c', String(CONNECTIONS), '-d', String(seconds)],
    ...headers,
    url,
  ])
  const { requests, non2xx, errors, timeouts } = JSON.parse(stdout) as Report
  if (errors + timeouts > 0 || (!etag && non2xx > 0)) throw new Error(`${url} failed under load`)
  return requests.average
}
