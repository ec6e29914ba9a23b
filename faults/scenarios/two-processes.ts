import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { TEST_SECRET_KEY } from '../runner/installation.ts'
import { startLoad } from '../runner/load.ts'
import { type Product, startWithoutWaiting, waitUntilReady } from '../runner/product.ts'
import { type FaultContext, runUnderLoad } from '../runner/run-under-load.ts'
import { addFailure, formatSeconds, type Scenario } from '../runner/scenario.ts'

const MAX_EXIT_MS = 2_000
const SHARED_MS = 3_000
const MAX_RECOVERY_MS = 30_000
const EXPECTED_ERROR =
  /^Another Quizaine is running on [^\n]+: stop it, or choose another DATA_DIR\.\n$/

const startSecondProcess = async ({ installation, result }: FaultContext): Promise<void> => {
  const began = performance.now()
  const second = startWithoutWaiting({
    port: await freePort(),
    env: { DATA_DIR: installation.data_dir, LOG_LEVEL: 'error' },
  })
  const [code] = await second.exited
  const exit_ms = performance.now() - began
  exit_times_ms.push(exit_ms)
  if (code !== 1 || !EXPECTED_ERROR.test(second.readOutput()))
    addFailure(result, `the second process exited with ${code}: ${second.readOutput()}`)
  if (installation.product().hasExited()) addFailure(result, 'the first process ended')
}

const exit_times_ms: number[] = []

const useBothProcesses = async (context: FaultContext): Promise<void> => {
  const { installation, client, result } = context
  const port = await freePort()
  const second: Product = startWithoutWaiting({
    port,
    env: {
      DATABASE_URL: databaseUrl(installation.connection),
      SECRET_KEY: TEST_SECRET_KEY,
      DATA_DIR: installation.data_dir,
    },
  })
  await waitUntilReady(second)
  const another = await publishedScoreQuiz(client)
  const load = startLoad({ origin: second.origin, quiz: another, client })
  await load.waitForRecovery(performance.now() + SHARED_MS, MAX_RECOVERY_MS)
  await load.finish()
  second.kill('SIGTERM')
  const [code] = await second.exited
  if (code !== 0) addFailure(result, `the second process exited with ${code}`)
  const comparison = await compareWithDatabase(installation, { quiz: another, log: load.log })
  result.nb_acknowledged += comparison.nb_acknowledged
  result.nb_lost += comparison.nb_lost
  result.nb_duplicated += comparison.nb_duplicated
  addFailure(result, ...comparison.failures, ...load.log.failures)
}

/** Scenarios F22 and F23: two processes of the product use one data folder or one database server. */
export const twoProcesses: Scenario[] = [
  {
    fault: 'F22',
    name: 'a second process starts on the same data folder; it must exit within 2 s',
    engines: ['embedded'],
    rounds: { full: 20, short: 0 },
    run: runUnderLoad({
      injectFault: startSecondProcess,
      checkAtEnd: async ({ result }) => {
        const longest = Math.max(...exit_times_ms)
        result.notes.push(`refused within ${formatSeconds(longest)}`)
        if (longest > MAX_EXIT_MS) addFailure(result, `a refusal took ${Math.round(longest)} ms`)
      },
    }),
  },
  {
    fault: 'F23',
    name: 'two processes of the product use one database server',
    engines: ['external'],
    rounds: { full: 3, short: 0 },
    run: runUnderLoad({ injectFault: useBothProcesses }),
  },
]
