import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { type Engine, openInstallation } from '../runner/installation.ts'
import { submissionOf } from '../runner/load.ts'
import { createRequestLog } from '../runner/request-log.ts'
import { addFailure, createResult, type ScenarioResult } from '../runner/scenario.ts'

const CAPACITY_CONNECTIONS = 64
const CAPACITY_SECONDS = 10
/** Number of connections, which send several times as much as one process can serve. */
const CONNECTIONS = 4_000
const MIN_THROUGHPUT_SHARE = 0.7
const RECOVERY_MS = 10_000
const RETRY_MS = 1_000

type Answer = { status: number; retry_after: boolean }

/** Opens a TCP connection with a minimal HTTP client, because `fetch` would use too much processor time. */
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

const requestOf = (quiz: SampleQuiz, id: string): string => {
  const body = String(submissionOf(quiz, id, 0).body)
  return `POST /api/v1/quizzes/${quiz.id}/submit HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

/**
 * Sends far more requests than the product can serve. Checks that excess requests are answered 503 or 429 with
 * `Retry-After`, and that the throughput stays near the capacity.
 */
export const overload = async ({
  engine,
  seconds,
}: {
  engine: Engine
  seconds: number
}): Promise<ScenarioResult> => {
  const result = createResult()
  // Raised limits, because the product would close most of these connections, which come from one address.
  const max_connections = String(2 * CONNECTIONS)
  const env = {
    HTTP_CONNECTIONS: max_connections,
    HTTP_CONNECTIONS_PER_ADDRESS: max_connections,
    // The minimal HTTP client does not open a new connection after the last request of a connection.
    HTTP_REQUESTS_PER_CONNECTION: '9999999',
  }
  const installation = await openInstallation({ engine, env })
  try {
    const { origin } = await installation.start()
    const client = await signUpCreator(origin)
    const quiz = await publishedScoreQuiz(client)
    const log = createRequestLog()
    const counts = { stored: 0, refused: 0, broken: 0 }

    const sendLoad = async (connections: number, for_seconds: number): Promise<number> => {
      const all = await Promise.all(Array.from({ length: connections }, () => open(origin)))
      counts.stored = 0
      const deadline = performance.now() + for_seconds * 1_000
      await Promise.all(
        all.map(async (connection) => {
          while (performance.now() < deadline) {
            const id = randomUUID()
            const { status, retry_after } = await connection.send(requestOf(quiz, id))
            log.submissions.set(id, { choice: 0, is_acknowledged: status === 201 })
            if (status === 201) counts.stored++
            else if (status === 503 || status === 429) {
              counts.refused++
              if (!retry_after) addFailure(result, `${status} without Retry-After`)
              await pause(RETRY_MS)
            } else if (status === 0) {
              counts.broken++
              break
            } else addFailure(result, `a submission was answered ${status}`)
          }
        }),
      )
      for (const connection of all) connection.close()
      return counts.stored / for_seconds
    }

    await sendLoad(CAPACITY_CONNECTIONS, 3)
    const capacity = await sendLoad(CAPACITY_CONNECTIONS, CAPACITY_SECONDS)
    counts.refused = 0
    const throughput = await sendLoad(CONNECTIONS, seconds)
    const ended = performance.now()
    const throughput_share = throughput / capacity
    let status = 0
    while (status !== 201 && performance.now() - ended < RECOVERY_MS) {
      const id = randomUUID()
      const connection = await open(origin)
      status = (await connection.send(requestOf(quiz, id))).status
      log.submissions.set(id, { choice: 0, is_acknowledged: status === 201 })
      connection.close()
    }
    result.rounds = 1
    result.recovery_times_ms.push(performance.now() - ended)
    result.notes.push(
      `capacity ${Math.round(capacity)}/s, with ${CONNECTIONS} connections ${Math.round(throughput)}/s (${Math.round(throughput_share * 100)} %)`,
      `${counts.refused} refused with Retry-After`,
      `${counts.broken} connections broken`,
    )
    if (throughput_share < MIN_THROUGHPUT_SHARE)
      addFailure(
        result,
        `the throughput is ${Math.round(throughput_share * 100)} % of the capacity`,
      )
    if (status !== 201)
      addFailure(
        result,
        `no submission was stored within ${RECOVERY_MS / 1_000} s after the overload`,
      )
    if (counts.broken > 0) addFailure(result, `${counts.broken} connections broke`)
    const { nb_acknowledged, nb_lost, nb_duplicated, failures } = await compareWithDatabase(
      installation,
      { quiz, log },
    )
    Object.assign(result, { nb_acknowledged, nb_lost, nb_duplicated })
    addFailure(result, ...failures)
  } finally {
    await installation.cleanUp()
  }
  return result
}
