import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { residentMb } from '../processes.ts'
import { addFailure, type Scenario, type ScenarioResult } from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** F15: clients that are slow, endless or ambiguous (G3). */

const STALLED = 150
const CUT_MS = 40_000
const MAX_DURATION_MS = 1_500
const MAX_GROWN_MB = 100
const MB = 1_048_576

type Stalled = { cut_ms: Promise<number>; end: () => void }

/** Opens a connection that sends the beginning of a request and never completes it. */
const stall = (origin: string, begin: string, drip?: string): Stalled => {
  const { hostname, port } = new URL(origin)
  const began = performance.now()
  const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(begin))
  const dripping = drip && setInterval(() => socket.destroyed || socket.write(drip), 1_000)
  socket.on('error', () => undefined)
  // Slow readers read nothing at all.
  if (drip !== undefined) socket.resume()
  const cut_ms = new Promise<number>((resolve) => {
    socket.once('close', () => {
      if (dripping) clearInterval(dripping)
      resolve(performance.now() - began)
    })
  })
  return { cut_ms, end: () => socket.destroy() }
}

const HEAD =
  'POST /api/v1/quizzes/x/submit HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

const stalledClients = async ({ installation, load, result }: FaultContext): Promise<void> => {
  const { origin, pid } = installation.product()
  const before = residentMb(pid)
  const kinds = [
    () => stall(origin, 'GET / HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'),
    () => stall(origin, `${HEAD}content-length: 60000\r\n\r\n{`, 'a'),
    () => stall(origin, `${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
  ]
  const stalled = Array.from({ length: STALLED }, (_, rank) => kinds[rank % kinds.length]?.())
  load.record.longest_ms = 0
  const all = Promise.all(stalled.map((one) => one?.cut_ms ?? 0))
  const cut = await Promise.race([all, pause(CUT_MS, undefined)])
  if (!cut) addFailure(result, `some were not cut in ${CUT_MS / 1_000} s`)
  else result.notes.push(`cut within ${(Math.max(...cut) / 1_000).toFixed(0)} s`)
  for (const one of stalled) one?.end()
  const { longest_ms } = load.record
  result.notes.push(`longest answer meanwhile ${Math.round(longest_ms)} ms`)
  if (longest_ms > MAX_DURATION_MS)
    addFailure(result, `a visitor waited ${Math.round(longest_ms)} ms`)
  const grown = residentMb(pid) - before
  if (grown > MAX_GROWN_MB) addFailure(result, `memory grew by ${Math.round(grown)} MB`)
  await ambiguous(origin, result)
}

/** Sends raw bytes and returns the first status; 0 if the connection was closed. */
export const raw = (origin: string, bytes: string | Buffer): Promise<number> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(origin)
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    socket.setTimeout(CUT_MS, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      resolve(Number(data.toString('latin1', 9, 12)))
      socket.destroy()
    })
    socket.once('close', () => resolve(0))
  })

/**
 * Checks that oversized, compressed and ambiguous bodies are refused, and that following bytes are not taken as a
 * request.
 */
const ambiguous = async (origin: string, result: ScenarioResult): Promise<void> => {
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
    const status = await raw(origin, bytes)
    if (status >= 500 || (status > 0 && status < 400))
      addFailure(result, `${what} was answered ${status}`)
  }
}

/** Scenarios F15: clients that send slowly, too much or invalid requests. */
export const clients: Scenario[] = [
  {
    fault: 'F15',
    name: `${STALLED} clients that begin and never end; huge and ambiguous requests`,
    engines: ['embedded'],
    rounds: { whole: 1, short: 0 },
    run: underLoad({ disturb: stalledClients }),
  },
]
