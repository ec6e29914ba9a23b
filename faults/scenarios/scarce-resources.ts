import { spawnSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { countFileDescriptors, residentMemoryMb } from '../runner/processes.ts'
import { runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../runner/scenario.ts'

const NB_SPARE_DESCRIPTORS = 6
const SHORTAGE_MS = 4_000
const HEAP_MB = 96
const NB_LARGE_BODIES = 200
const NB_AT_ONCE = 20
const MAX_MEMORY_MB = 400

const limitFileDescriptors = (pid: number, limit: string): void => {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}`], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`prlimit: ${stderr.trim()}`)
}

const openConnection = (origin: string): Socket => {
  const { hostname, port } = new URL(origin)
  return connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
}

const createLargeBody = (quiz_id: string, rank: number): string =>
  JSON.stringify({ answers: { [quiz_id]: String(rank % 10).repeat(1_000_000) } })

/** Scenarios F13 and F14: the product has too few file descriptors or too little memory. */
export const scarceResources: Scenario[] = [
  {
    fault: 'F13',
    name: 'the product has no free file descriptors for 4 s',
    engines: BOTH_ENGINES,
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({
      // New connections may get no response while no file descriptor is free.
      breaks_connections: true,
      injectFault: async ({ installation }) => {
        const { pid, origin } = installation.product()
        limitFileDescriptors(pid, `${countFileDescriptors(pid) + NB_SPARE_DESCRIPTORS}:4096`)
        const sockets = Array.from({ length: 100 }, () => openConnection(origin))
        await pause(SHORTAGE_MS)
        for (const socket of sockets) socket.destroy()
        limitFileDescriptors(pid, '4096:4096')
      },
    }),
  },
  {
    fault: 'F14',
    name: `${NB_LARGE_BODIES} bodies of 1 MB are sent to a product with ${HEAP_MB} MB of heap`,
    engines: BOTH_ENGINES,
    rounds: { full: 1, short: 0 },
    run: runUnderLoad({
      launch_options: { node_options: [`--max-old-space-size=${HEAP_MB}`] },
      injectFault: async ({ installation, quiz, result }) => {
        const { origin, pid } = installation.product()
        const url = `${origin}/api/v1/quizzes/${quiz.id}/submit`
        const headers = { 'content-type': 'application/json' }
        let peak_mb = 0
        for (let sent = 0; sent < NB_LARGE_BODIES; sent += NB_AT_ONCE) {
          const statuses = await Promise.all(
            Array.from({ length: NB_AT_ONCE }, async (_, rank) => {
              const body = createLargeBody(quiz.id, rank)
              const { status } = await fetch(url, { method: 'POST', headers, body })
              return status
            }),
          )
          for (const status of statuses)
            if (![413, 422, 503].includes(status))
              addFailure(result, `a big body was answered ${status}`)
          peak_mb = Math.max(peak_mb, residentMemoryMb(pid))
        }
        result.notes.push(`memory at most ${Math.round(peak_mb)} MB`)
        if (peak_mb > MAX_MEMORY_MB) addFailure(result, `memory reached ${Math.round(peak_mb)} MB`)
      },
    }),
  },
]
