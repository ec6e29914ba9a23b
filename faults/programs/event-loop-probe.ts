/**
 * Preloaded into the server (`node --import`): a small HTTP server on PROBE_PORT returns the longest event-loop delay
 * since the last `/reset`. A measurement from another process would also include delays of the machine.
 */
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const RESOLUTION_MS = 10
const { PROBE_PORT } = process.env

// Worker threads and child processes inherit the option and must not take the port.
if (isMainThread && PROBE_PORT) {
  delete process.env.PROBE_PORT
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  const server = createServer((request, response) => {
    if (request.url === '/reset') histogram.reset()
    const longest_ms = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS)
    response.end(JSON.stringify({ longest_ms }))
  })
  server.listen(Number(PROBE_PORT), '127.0.0.1').unref()
}
