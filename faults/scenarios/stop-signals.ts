import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { openInstallation } from '../runner/installation.ts'
import { submissionOf } from '../runner/load.ts'
import { createRequestLog } from '../runner/request-log.ts'
import { runUnderLoad } from '../runner/run-under-load.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'

const MAX_STOP_MS = 10_000
const NB_VISITORS = 12
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Submits on a persistent connection. Returns the status; 0 if the connection broke. */
const send = (url: string, init: RequestInit, agent: Agent): Promise<number> =>
  new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' }
    const call = request(url, { method: 'POST', agent, headers })
    call.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    call.on('error', () => resolve(0))
    call.end(String(init.body))
  })

const stopUnderLoad = async ({ engine, rounds }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  const installation = await openInstallation({ engine })
  try {
    for (let round = 0; round < rounds; round++) {
      const product = await installation.start()
      const { origin } = product
      const quiz = await publishedScoreQuiz(await signUpCreator(origin))
      const log = createRequestLog()
      let isStopping = false
      const visit = async (): Promise<void> => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        while (!isStopping) {
          const id = randomUUID()
          const submission = { choice: 0, is_acknowledged: false }
          log.submissions.set(id, submission)
          const url = `${origin}/api/v1/quizzes/${quiz.id}/submit`
          const status = await send(url, submissionOf(quiz, id, 0), agent)
          submission.is_acknowledged = status === 201
          if (status !== 201)
            addFailure(result, `a call sent before the signal was answered ${status}`)
        }
        agent.destroy()
      }
      const visits = Promise.all(Array.from({ length: NB_VISITORS }, visit))
      await pause(300 + Math.random() * 500)
      const signalled_at = performance.now()
      isStopping = true
      product.kill(SIGNALS[round % SIGNALS.length] ?? 'SIGTERM')
      const [code] = await product.exited
      const exit_ms = performance.now() - signalled_at
      await visits
      result.rounds++
      result.recovery_times_ms.push(exit_ms)
      if (code !== 0)
        addFailure(result, `the product exited with ${code}: ${product.readOutput().slice(-300)}`)
      if (exit_ms > MAX_STOP_MS)
        addFailure(result, `the product took ${Math.round(exit_ms)} ms to exit`)
      await installation.start()
      const comparison = await compareWithDatabase(installation, { quiz, log })
      result.nb_acknowledged += comparison.nb_acknowledged
      result.nb_lost += comparison.nb_lost
      result.nb_duplicated += comparison.nb_duplicated
      addFailure(result, ...comparison.failures)
      installation.product().kill('SIGTERM')
      await installation.product().exited
    }
  } finally {
    await installation.cleanUp()
  }
  return result
}

/** Scenarios F25: stop signals and a closed output. */
export const stopSignals: Scenario[] = [
  {
    fault: 'F25',
    name: 'the product gets SIGTERM, SIGINT or SIGHUP under load; calls in progress must be answered (recovery = time to exit)',
    engines: BOTH_ENGINES,
    rounds: { full: 20, short: 1 },
    run: stopUnderLoad,
  },
  {
    fault: 'F25',
    name: 'the output of the product is closed, and SIGPIPE is sent',
    engines: ['embedded'],
    rounds: { full: 2, short: 0 },
    run: runUnderLoad({
      env: { LOG_LEVEL: 'trace' },
      injectFault: async ({ installation }) => {
        installation.product().closeOutput()
        installation.product().kill('SIGPIPE')
        await pause(1_000)
      },
    }),
  },
]
