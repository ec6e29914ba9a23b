import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, RefusedCall } from '#contract/client/client.ts'
import type { SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { createRequestLog, type RequestLog, recordFailure, recordResponse } from './request-log.ts'

/** Maximum time until any response. */
const MAX_RESPONSE_MS = 20_000
const THINK_MS = 15
const RETRY_MS = 60

/** Running load, with its request log. */
export type Load = {
  log: RequestLog
  /** Last acknowledged and last sent name of the quiz. */
  saves: { nb_acknowledged: number; sent: number }
  /** Waits until each client was served after `since`, and returns the ms until the last one. */
  waitForRecovery: (since: number, max_recovery_ms: number) => Promise<number>
  /** Waits until all clients have finished and their submissions are acknowledged. */
  finish: () => Promise<void>
  /** Stops all clients at once. */
  abandon: () => Promise<void>
}

type Target = {
  origin: string
  quiz: SampleQuiz
  client: Client
  visitors?: number
  think_ms?: number
}

/** Starts the load: eight visitors who repeat submissions until they are acknowledged, one editor and one reader. */
export const startLoad = ({
  origin,
  quiz,
  client,
  visitors = 8,
  think_ms = THINK_MS,
}: Target): Load => {
  const log = createRequestLog()
  const saves = { nb_acknowledged: 0, sent: 0 }
  let isOver = false
  let isAbandoned = false

  const sendRequest = async (
    kind: string,
    path: string,
    init: RequestInit = {},
  ): Promise<number> => {
    const started_at = performance.now()
    try {
      const response = await fetch(`${origin}${path}`, {
        ...init,
        signal: AbortSignal.timeout(MAX_RESPONSE_MS),
      })
      await response.arrayBuffer()
      const { status, headers } = response
      recordResponse(log, { kind, status, retry_after: headers.get('retry-after') })
      return status
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        recordFailure(log, `${kind} not answered in ${MAX_RESPONSE_MS / 1_000} s`)
      log.nb_broken++
      return 0
    } finally {
      const duration_ms = performance.now() - started_at
      log.longest_ms = Math.max(log.longest_ms, duration_ms)
      log.latencies.push(duration_ms)
      log.longest_by_kind.set(kind, Math.max(log.longest_by_kind.get(kind) ?? 0, duration_ms))
    }
  }

  const runVisitor = async (visitor: number): Promise<void> => {
    log.acknowledged_at[visitor] = 0
    for (let turn = visitor; !isOver; turn++) {
      const participant_uuid = randomUUID()
      const entry = { choice: turn % 2, is_acknowledged: false, acknowledged_at: 0 }
      log.submissions.set(participant_uuid, entry)
      const init = submissionOf(quiz, participant_uuid, entry.choice)
      const began = performance.now()
      while (!entry.is_acknowledged && !isAbandoned) {
        const status = await sendRequest('submit', `/api/v1/quizzes/${quiz.id}/submit`, init)
        entry.is_acknowledged = status === 201 || status === 200
        if (!entry.is_acknowledged) await pause(RETRY_MS)
      }
      entry.acknowledged_at = performance.now()
      log.acknowledged_at[visitor] = entry.acknowledged_at
      log.waits_ms.push(entry.acknowledged_at - began)
      await pause(think_ms)
    }
  }
  const runEditor = async (): Promise<void> => {
    log.acknowledged_at[visitors] = 0
    while (!isOver) {
      const name = `Nom ${++saves.sent}`
      try {
        await client.quizzes.update({ id: quiz.id, body: { name } })
        saves.nb_acknowledged = saves.sent
        log.acknowledged_at[visitors] = performance.now()
      } catch (error) {
        const isExpected = !(error instanceof RefusedCall) || error.status === 503
        if (!isExpected) recordFailure(log, `save ${error.status}`)
      }
      await pause(RETRY_MS)
    }
  }
  const runReader = async (): Promise<void> => {
    log.acknowledged_at[visitors + 1] = 0
    while (!isOver) {
      await sendRequest('page', `/q/${quiz.id}`)
      const status = await sendRequest('snapshot', `/api/v1/quizzes/${quiz.id}/snapshot`)
      if (status === 200) log.acknowledged_at[visitors + 1] = performance.now()
      await pause(RETRY_MS)
    }
  }

  const clients = Promise.all([
    ...Array.from({ length: visitors }, (_, visitor) => runVisitor(visitor)),
    runEditor(),
    runReader(),
  ])
  return {
    log,
    saves,
    waitForRecovery: async (since, max_recovery_ms) => {
      const deadline = since + max_recovery_ms
      while (log.acknowledged_at.some((at) => at <= since)) {
        if (performance.now() > deadline)
          throw new Error(`Not recovered after ${max_recovery_ms / 1_000} s`)
        await pause(5)
      }
      return Math.max(...log.acknowledged_at.map((at) => at - since))
    },
    finish: async () => {
      isOver = true
      await clients
    },
    abandon: async () => {
      isOver = true
      isAbandoned = true
      await clients
    },
  }
}

/** Returns a submission as the player sends it. */
export const submissionOf = (
  quiz: SampleQuiz,
  participant_uuid: string,
  choice: number,
): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    participant_uuid,
    answers: {
      [quiz.question_id]: quiz.answer_ids[choice] ?? '',
      [quiz.open_id]: `p${participant_uuid.slice(0, 8)}@exemple.fr`,
    },
  }),
})
