import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { residentMemoryMb } from '../runner/processes.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, type Scenario, type ScenarioResult } from '../runner/scenario.ts'

const NB_STALLED = 150
const MAX_OPEN_MS = 40_000
const MAX_DURATION_MS = 1_500
const MAX_GROWN_MB = 100
const MB = 1_048_576

type StalledConnection = { closed_after_ms: Promise<number>; end: () => void }

/** Opens a connection that sends the beginning of a request, then `drip` every second, and never completes the request. */
const openStalledConnection = (origin: string, begin: string, drip?: string): StalledConnection => {
  const { hostname, port } = new URL(origin)
  const began = performance.now()
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(begin))
  const dripping = drip && setInterval(() => socket.destroyed || socket.write(drip), 1_000)
  socket.on('error', () => undefined)
  if (drip !== undefined) socket.resume()
  const closed_after_ms = new Promise<number>((resolve) => {
    socket.once('close', () => {
      if (dripping) clearInterval(dripping)
      resolve(performance.now() - began)
    })
  })
  return { closed_after_ms, end: () => socket.destroy() }
}

const HEAD =
  'POST /api/v1/quizzes/x/submit HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

const connectStalledClients = async ({
  installation,
  load,
  result,
}: FaultContext): Promise<void> => {
  const { origin, pid } = installation.product()
  const before = residentMemoryMb(pid)
  const kinds = [
    () => openStalledConnection(origin, 'GET / HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'),
    () => openStalledConnection(origin, `${HEAD}content-length: 60000\r\n\r\n{`, 'a'),
    () => openStalledConnection(origin, `${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
  ]
  const stalled = Array.from({ length: NB_STALLED }, (_, rank) => kinds[rank % kinds.length]?.())
  load.log.longest_ms = 0
  const all = Promise.all(stalled.map((client) => client?.closed_after_ms ?? 0))
  const closed_times_ms = await Promise.race([all, pause(MAX_OPEN_MS, undefined)])
  if (!closed_times_ms)
    addFailure(result, `some stalled connections were not closed within ${MAX_OPEN_MS / 1_000} s`)
  else result.notes.push(`closed within ${(Math.max(...closed_times_ms) / 1_000).toFixed(0)} s`)
  for (const client of stalled) client?.end()
  const { longest_ms } = load.log
  result.notes.push(`longest response meanwhile ${Math.round(longest_ms)} ms`)
  if (longest_ms > MAX_DURATION_MS)
    addFailure(result, `a visitor waited ${Math.round(longest_ms)} ms`)
  const growth_mb = residentMemoryMb(pid) - before
  if (growth_mb > MAX_GROWN_MB) addFailure(result, `memory grew by ${Math.round(growth_mb)} MB`)
  await sendInvalidRequests(origin, result)
}

/** Sends bytes on a new connection and returns the status of the first response; 0 if the connection was closed. */
export const sendBytes = (origin: string, bytes: string | Buffer): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(origin)
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    socket.setTimeout(MAX_OPEN_MS, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      resolve(Number(data.toString('latin1', 9, 12)))
      socket.destroy()
    })
    socket.once('close', () => resolve(0))
  })

/**
 * Sends oversized, compressed and ambiguous requests. Checks that each is answered 4xx or that its connection is closed.
 */
const sendInvalidRequests = async (origin: string, result: ScenarioResult): Promise<void> => {
  const bomb = gzipSync(Buffer.alloc(50 * MB, '['))
  const cases: Record<string, string | Buffer> = {
    'two lengths': `${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    'a length and chunks': `${HEAD}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    'an unknown coding': `${HEAD}transfer-encoding: cow\r\n\r\n{}`,
    'a wrong length': `${HEAD}content-length: -1\r\n\r\n{}`,
    'large headers': `GET / HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(100_000)}\r\n\r\n`,
    'a large body': `${HEAD}content-length: ${4 * MB}\r\n\r\n${'a'.repeat(4 * MB)}`,
    'a compressed body': Buffer.concat([
      Buffer.from(`${HEAD}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
      bomb,
    ]),
  }
  for (const [what, bytes] of Object.entries(cases)) {
    const status = await sendBytes(origin, bytes)
    if (status >= 500 || (status > 0 && status < 400))
      addFailure(result, `${what} was answered ${status}`)
  }
}

/** Scenario F15: clients that never complete their requests, and invalid requests. */
export const stalledClients: Scenario[] = [
  {
    fault: 'F15',
    name: `${NB_STALLED} clients never complete their requests; oversized and ambiguous requests are sent`,
    engines: ['embedded'],
    rounds: { full: 1, short: 0 },
    run: runUnderLoad({ injectFault: connectStalledClients }),
  },
]
