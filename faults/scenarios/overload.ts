import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { check } from '../check.ts'
import { type Engine, openInstallation } from '../installation.ts'
import { submission } from '../load.ts'
import { createRequestLog } from '../request-log.ts'
import { addFailure, createResult, type ScenarioResult } from '../scenario.ts'

/** G23: overload. Measures the remaining throughput and the answers to refused requests. */

const CAPACITY_CONNECTIONS = 64
const CAPACITY_SECONDS = 10
/** Connections above the limit of a process (docs/limits.md), over four times its capacity. */
const CONNECTIONS = 4_000
const MIN_SHARE = 0.7
const RECOVERY_MS = 10_000
const RETRY_MS = 1_000

type Answer = { status: number; retry_after: boolean }

/** Opens a connection with minimal overhead. */
const open = async (origin: string) => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let received = ''
  let settle: ((answer: Answer) => void) | undefined
  socket.setEncoding('latin1')
  socket.on('close', () => settle?.({ status: 0, retry_after: false }))
  socket.on('data', (text: string) => {
    received += text
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < end + 4 + length) return
    const answer = {
      status: Number(received.slice(9, 12)),
      retry_after: /\r\nretry-after: \d/i.test(received),
    }
    received = ''
    settle?.(answer)
  })
  return {
    send: (bytes: string): Promise<Answer> =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve({ status: 0, retry_after: false })
        settle = resolve
        socket.write(bytes)
      }),
    close: () => socket.destroy(),
  }
}

const requestOf = (quiz: Ready, id: string): string => {
  const body = String(submission(quiz, id, 0).body)
  return `POST /api/v1/quizzes/${quiz.id}/submit HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/** Sends far more requests at once than the product can serve. Checks that others receive 503 and the rate stays high. */
export const overload = async ({
  engine,
  seconds,
}: {
  engine: Engine
  seconds: number
}): Promise<ScenarioResult> => {
  const result = createResult()
  // All connections come from one address. They should receive 503, not be closed.
  const most = String(2 * CONNECTIONS)
  const env = {
    HTTP_CONNECTIONS: most,
    HTTP_CONNECTIONS_PER_ADDRESS: most,
    // These minimal clients do not handle the end of a kept connection.
    HTTP_REQUESTS_PER_CONNECTION: '9999999',
  }
  const installation = await openInstallation({ engine, env })
  try {
    const { origin } = await installation.start()
    const client = await signUpCreator(origin)
    const quiz = await publishedScoreQuiz(client)
    const log = createRequestLog()
    const told = { stored: 0, later: 0, broken: 0 }

    const flood = async (connections: number, for_seconds: number): Promise<number> => {
      const all = await Promise.all(Array.from({ length: connections }, () => open(origin)))
      told.stored = 0
      const until = performance.now() + for_seconds * 1_000
      await Promise.all(
        all.map(async (connection) => {
          while (performance.now() < until) {
            const id = randomUUID()
            const { status, retry_after } = await connection.send(requestOf(quiz, id))
            log.sent.set(id, { choice: 0, is_acknowledged: status === 201 })
            if (status === 201) told.stored++
            else if (status === 503 || status === 429) {
              told.later++
              if (!retry_after) addFailure(result, `${status} without Retry-After`)
              await pause(RETRY_MS)
            } else if (status === 0) {
              told.broken++
              break
            } else addFailure(result, `answered ${status}`)
          }
        }),
      )
      for (const connection of all) connection.close()
      return told.stored / for_seconds
    }

    await flood(CAPACITY_CONNECTIONS, 3)
    const capacity = await flood(CAPACITY_CONNECTIONS, CAPACITY_SECONDS)
    told.later = 0
    const goodput = await flood(CONNECTIONS, seconds)
    const ended = performance.now()
    const share = goodput / capacity
    let status = 0
    while (status !== 201 && performance.now() - ended < RECOVERY_MS) {
      const id = randomUUID()
      const connection = await open(origin)
      status = (await connection.send(requestOf(quiz, id))).status
      log.sent.set(id, { choice: 0, is_acknowledged: status === 201 })
      connection.close()
    }
    result.rounds = 1
    result.recoveries.push(performance.now() - ended)
    result.notes.push(
      `capacity ${Math.round(capacity)}/s, with ${CONNECTIONS} connections ${Math.round(goodput)}/s (${Math.round(share * 100)} %)`,
      `${told.later} told to come back`,
      `${told.broken} broken`,
    )
    if (share < MIN_SHARE)
      addFailure(result, `goodput is ${Math.round(share * 100)} % of the capacity`)
    if (status !== 201) addFailure(result, `not recovered after ${RECOVERY_MS / 1_000} s`)
    if (told.broken > 0) addFailure(result, `${told.broken} connections broke`)
    const { acknowledged, lost, doubled, wrong } = await check(installation, { quiz, log })
    Object.assign(result, { acknowledged, lost, doubled })
    addFailure(result, ...wrong)
  } finally {
    await installation.cleanUp()
  }
  return result
}
