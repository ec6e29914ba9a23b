import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, RefusedCall } from '#contract/client/client.ts'
import type { Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { createRequestLog, type RequestLog, recordFailure, recordResponse } from './request-log.ts'

/** Maximum time until any response. */
const MAX_RESPONSE_MS = 20_000
const THINK_MS = 15
const RETRY_MS = 60

/** Running load, with its request log. */
export type Load = {
  record: RequestLog
  /** Last acknowledged and last sent name of the quiz. */
  saves: { acknowledged: number; sent: number }
  /** Waits until each client was served after `since`, and returns the ms until the last one. */
  recovered: (since: number, patience_ms: number) => Promise<number>
  /** Waits until all clients have finished and their submissions are acknowledged. */
  finish: () => Promise<void>
  /** Stops all clients at once. */
  abandon: () => Promise<void>
}

type Target = { origin: string; quiz: Ready; client: Client; visitors?: number; think_ms?: number }

/** Starts the load: eight visitors who repeat submissions until they are acknowledged, one editor and one reader. */
export const startLoad = ({
  origin,
  quiz,
  client,
  visitors = 8,
  think_ms = THINK_MS,
}: Target): Load => {
  const record = createRequestLog()
  const saves = { acknowledged: 0, sent: 0 }
  let isOver = false
  let isAbandoned = false

  const ask = async (what: string, path: string, init: RequestInit = {}): Promise<number> => {
    const began = performance.now()
    try {
      const response = await fetch(`${origin}${path}`, {
        ...init,
        signal: AbortSignal.timeout(MAX_RESPONSE_MS),
      })
      await response.arrayBuffer()
      const { status, headers } = response
      recordResponse(record, { what, status, retry_after: headers.get('retry-after') })
      return status
    } catch (error) {
      if (error instanceof Error && error.name === 'TimeoutError')
        recordFailure(record, `${what} not answered in ${MAX_RESPONSE_MS / 1_000} s`)
      record.nb_broken++
      return 0
    } finally {
      const took = performance.now() - began
      record.longest_ms = Math.max(record.longest_ms, took)
      record.latencies.push(took)
    }
  }

  const visit = async (visitor: number): Promise<void> => {
    record.acknowledged_at[visitor] = 0
    for (let rank = visitor; !isOver; rank++) {
      const participant_uuid = randomUUID()
      const one = { choice: rank % 2, is_acknowledged: false }
      record.sent.set(participant_uuid, one)
      const init = submission(quiz, participant_uuid, one.choice)
      while (!one.is_acknowledged && !isAbandoned) {
        const status = await ask('submit', `/api/v1/quizzes/${quiz.id}/submit`, init)
        one.is_acknowledged = status === 201 || status === 200
        if (!one.is_acknowledged) await pause(RETRY_MS)
      }
      record.acknowledged_at[visitor] = performance.now()
      await pause(think_ms)
    }
  }
  const edit = async (): Promise<void> => {
    record.acknowledged_at[visitors] = 0
    while (!isOver) {
      const name = `Nom ${++saves.sent}`
      try {
        await client.quizzes.update({ id: quiz.id, body: { name } })
        saves.acknowledged = saves.sent
        record.acknowledged_at[visitors] = performance.now()
      } catch (error) {
        const isExcused = !(error instanceof RefusedCall) || error.status === 503
        if (!isExcused) recordFailure(record, `save ${error.status}`)
      }
      await pause(RETRY_MS)
    }
  }
  const read = async (): Promise<void> => {
    record.acknowledged_at[visitors + 1] = 0
    while (!isOver) {
      await ask('page', `/q/${quiz.id}`)
      const status = await ask('snapshot', `/api/v1/quizzes/${quiz.id}/snapshot`)
      if (status === 200) record.acknowledged_at[visitors + 1] = performance.now()
      await pause(RETRY_MS)
    }
  }

  const underway = Promise.all([
    ...Array.from({ length: visitors }, (_, visitor) => visit(visitor)),
    edit(),
    read(),
  ])
  return {
    record,
    saves,
    recovered: async (since, patience_ms) => {
      const until = since + patience_ms
      while (record.acknowledged_at.some((at) => at <= since)) {
        if (performance.now() > until)
          throw new Error(`Not recovered after ${patience_ms / 1_000} s`)
        await pause(5)
      }
      return Math.max(...record.acknowledged_at.map((at) => at - since))
    },
    finish: async () => {
      isOver = true
      await underway
    },
    abandon: async () => {
      isOver = true
      isAbandoned = true
      await underway
    },
  }
}

/** Returns a submission as the player sends it. */
export const submission = (quiz: Ready, participant_uuid: string, choice: number): RequestInit => ({
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
