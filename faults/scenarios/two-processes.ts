import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#server/testing/network/free-port.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { check } from '../check.ts'
import { openInstallation, SECRET } from '../installation.ts'
import { startLoad } from '../load.ts'
import { launch, type Product, waitUntilReady } from '../product.ts'
import {
  addFailure,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'
import { type FaultContext, underLoad } from '../under-load.ts'

/** F2: first start killed at every moment. The next start must work. */

const STEP_MS = 100

const killFirstStart = async ({ engine, rounds }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  for (let round = 0; round < rounds; round++) {
    const installation = await openInstallation({ engine })
    try {
      const first = installation.launch()
      await pause((round + 1) * STEP_MS)
      first.kill('SIGKILL')
      await first.exited
      const began = performance.now()
      await installation.start()
      result.recoveries.push(performance.now() - began)
      const client = await signUpCreator(installation.product().origin)
      await client.quizzes.create({ body: { name: 'Premier', type: 'quiz' } })
      result.rounds++
    } catch (error) {
      addFailure(result, `killed after ${(round + 1) * STEP_MS} ms: ${String(error)}`)
    } finally {
      await installation.cleanUp()
    }
  }
  return result
}

/** Scenario F2: processes killed during the first start. */
export const firstStart: Scenario[] = [
  {
    fault: 'F2',
    name: 'kill -9 during the first start, every 0.1 s',
    engines: ['embedded', 'external'],
    rounds: { whole: 25, short: 0 },
    run: killFirstStart,
  },
]

/** F22, F23: two processes of the product at once. */

const REFUSED_MS = 2_000
const TOGETHER_MS = 3_000
const PATIENCE_MS = 30_000
const REFUSAL = /^Another Quizaine is running on [^\n]+: stop it, or choose another DATA_DIR\.\n$/

const refuseSecond = async ({ installation, result }: FaultContext): Promise<void> => {
  const began = performance.now()
  const second = launch({
    port: await freePort(),
    env: { DATA_DIR: installation.data_dir, LOG_LEVEL: 'error' },
  })
  const [code] = await second.exited
  const took = performance.now() - began
  refusals.push(took)
  if (code !== 1 || !REFUSAL.test(second.readOutput()))
    addFailure(result, `ended with ${code}: ${second.readOutput()}`)
  if (installation.product().hasExited()) addFailure(result, 'the first ended')
}

const refusals: number[] = []

const bothAtOnce = async (context: FaultContext): Promise<void> => {
  const { installation, client, result } = context
  const port = await freePort()
  const { host } = installation.connection
  const second: Product = launch({
    port,
    env: {
      DATABASE_URL: `postgres://quizaine@localhost/postgres?host=${host}`,
      SECRET_KEY: SECRET,
      DATA_DIR: installation.data_dir,
    },
  })
  await waitUntilReady(second)
  const another = await publishedScoreQuiz(client)
  const load = startLoad({ origin: second.origin, quiz: another, client })
  await load.recovered(performance.now() + TOGETHER_MS, PATIENCE_MS)
  await load.finish()
  second.kill('SIGTERM')
  const [code] = await second.exited
  if (code !== 0) addFailure(result, `the second ended with ${code}`)
  const checked = await check(installation, { quiz: another, log: load.record })
  result.acknowledged += checked.acknowledged
  result.lost += checked.lost
  result.doubled += checked.doubled
  addFailure(result, ...checked.wrong, ...load.record.wrong)
}

/** Scenarios F22 and F23: two processes on one data folder or database server. */
export const twoProcesses: Scenario[] = [
  {
    fault: 'F22',
    name: 'a second process on the data folder',
    engines: ['embedded'],
    rounds: { whole: 20, short: 0 },
    run: underLoad({
      disturb: refuseSecond,
      conclude: async ({ result }) => {
        const longest = Math.max(...refusals)
        result.notes.push(`refused within ${(longest / 1_000).toFixed(1)} s`)
        if (longest > REFUSED_MS) addFailure(result, `a refusal took ${Math.round(longest)} ms`)
      },
    }),
  },
  {
    fault: 'F23',
    name: 'two processes on one server',
    engines: ['external'],
    rounds: { whole: 3, short: 0 },
    run: underLoad({ disturb: bothAtOnce }),
  },
]
