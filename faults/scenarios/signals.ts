import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { check } from '../check.ts'
import { openInstallation } from '../installation.ts'
import { submission } from '../load.ts'
import { createRequestLog } from '../request-log.ts'
import {
  addFailure,
  BOTH_ENGINES,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'
import { underLoad } from '../under-load.ts'

/** F25: stopped under load (G24). */

const MAX_STOP_MS = 10_000
const VISITORS = 12
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Submits on a kept connection. Returns the status; 0 if the connection broke. */
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
      let isTold = false
      const visit = async (): Promise<void> => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        while (!isTold) {
          const id = randomUUID()
          const one = { choice: 0, is_acknowledged: false }
          log.sent.set(id, one)
          const url = `${origin}/api/v1/quizzes/${quiz.id}/submit`
          const status = await send(url, submission(quiz, id, 0), agent)
          one.is_acknowledged = status === 201
          if (status !== 201) addFailure(result, `a call that had begun was answered ${status}`)
        }
        agent.destroy()
      }
      const visits = Promise.all(Array.from({ length: VISITORS }, visit))
      await pause(300 + Math.random() * 500)
      const told = performance.now()
      isTold = true
      product.kill(SIGNALS[round % SIGNALS.length] ?? 'SIGTERM')
      const [code] = await product.exited
      const took = performance.now() - told
      await visits
      result.rounds++
      result.recoveries.push(took)
      if (code !== 0) addFailure(result, `ended with ${code}: ${product.readOutput().slice(-300)}`)
      if (took > MAX_STOP_MS) addFailure(result, `took ${Math.round(took)} ms to end`)
      await installation.start()
      const checked = await check(installation, { quiz, log })
      result.acknowledged += checked.acknowledged
      result.lost += checked.lost
      result.doubled += checked.doubled
      addFailure(result, ...checked.wrong)
      installation.product().kill('SIGTERM')
      await installation.product().exited
    }
  } finally {
    await installation.cleanUp()
  }
  return result
}

/** Scenarios F25: signals and closed outputs. */
export const signals: Scenario[] = [
  {
    fault: 'F25',
    name: 'told to end under load; the figure is how long it takes',
    engines: BOTH_ENGINES,
    rounds: { whole: 20, short: 1 },
    run: stopUnderLoad,
  },
  {
    fault: 'F25',
    name: 'nobody reads its output any more, and SIGPIPE',
    engines: ['embedded'],
    rounds: { whole: 2, short: 0 },
    run: underLoad({
      env: { LOG_LEVEL: 'trace' },
      disturb: async ({ installation }) => {
        installation.product().closeOutput()
        installation.product().kill('SIGPIPE')
        await pause(1_000)
      },
    }),
  },
]
