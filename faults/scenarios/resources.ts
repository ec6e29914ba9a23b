import { spawnSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { nbHandles, residentMb } from '../processes.ts'
import { addFailure, BOTH_ENGINES, type Scenario } from '../scenario.ts'
import { underLoad } from '../under-load.ts'

/** F13, F14: few file descriptors, little memory. */

const SPARE_HANDLES = 6
const SHORT_OF_MS = 4_000
const HEAP_MB = 96
const BIG_BODIES = 200
const AT_ONCE = 20
const MAX_MB = 400

const limitHandles = (pid: number, limit: string): void => {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${limit}`], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`prlimit: ${stderr.trim()}`)
}

const knock = (origin: string): Socket => {
  const { hostname, port } = new URL(origin)
  return connect({ host: hostname, port: Number(port) }).on('error', () => undefined)
}

const bigBody = (quiz_id: string, rank: number): string =>
  JSON.stringify({ answers: { [quiz_id]: String(rank % 10).repeat(1_000_000) } })

/** Scenarios F13 and F14: too few file descriptors or too little memory. */
export const resources: Scenario[] = [
  {
    fault: 'F13',
    name: 'out of file descriptors',
    engines: BOTH_ENGINES,
    rounds: { whole: 3, short: 0 },
    run: underLoad({
      // New connections get no answer; accepted ones are never dropped.
      is_killed: true,
      disturb: async ({ installation }) => {
        const { pid, origin } = installation.product()
        limitHandles(pid, `${nbHandles(pid) + SPARE_HANDLES}:4096`)
        const sockets = Array.from({ length: 100 }, () => knock(origin))
        await pause(SHORT_OF_MS)
        for (const socket of sockets) socket.destroy()
        limitHandles(pid, '4096:4096')
      },
    }),
  },
  {
    fault: 'F14',
    name: `bodies of 1 MB with ${HEAP_MB} MB of heap`,
    engines: BOTH_ENGINES,
    rounds: { whole: 1, short: 0 },
    run: underLoad({
      launch: { node_options: [`--max-old-space-size=${HEAP_MB}`] },
      disturb: async ({ installation, quiz, result }) => {
        const { origin, pid } = installation.product()
        const url = `${origin}/api/v1/quizzes/${quiz.id}/submit`
        const headers = { 'content-type': 'application/json' }
        let most_mb = 0
        for (let sent = 0; sent < BIG_BODIES; sent += AT_ONCE) {
          const statuses = await Promise.all(
            Array.from({ length: AT_ONCE }, async (_, rank) => {
              const body = bigBody(quiz.id, rank)
              const { status } = await fetch(url, { method: 'POST', headers, body })
              return status
            }),
          )
          for (const status of statuses)
            if (![413, 422, 503].includes(status))
              addFailure(result, `a big body was answered ${status}`)
          most_mb = Math.max(most_mb, residentMb(pid))
        }
        result.notes.push(`at most ${Math.round(most_mb)} MB`)
        if (most_mb > MAX_MB) addFailure(result, `memory reached ${Math.round(most_mb)} MB`)
      },
    }),
  },
]
