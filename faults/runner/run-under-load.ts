import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../../bench/creator.ts'
import { type Nginx, startNginx } from '../../bench/nginx.ts'
import {
  checkRepeatedSubmissions,
  checkSaves,
  compareWithDatabase,
} from './compare-with-database.ts'
import { type Engine, type Installation, openInstallation } from './installation.ts'
import { type Load, startLoad } from './load.ts'
import { isReady, type LaunchOptions, type Product, stopProduct } from './product.ts'
import { addFailure, createResult, type ScenarioOptions, type ScenarioResult } from './scenario.ts'

/** Everything that the fault of one round may use. */
export type FaultContext = {
  installation: Installation
  /** Running processes of the product. nginx balances the load if there are several. */
  products: Product[]
  /** URL of the product, or of nginx if it has several processes. */
  origin: string
  load: Load
  quiz: SampleQuiz
  client: Client
  result: ScenarioResult
  round: number
}

/** Description of a fault and of the environment in which it happens. */
type FaultPlan = {
  /** True if a TCP proxy that can disturb connections stands before the external database. */
  has_database_proxy?: boolean
  /** Returns the data folder; by default a new temporary folder. */
  folder?: (engine: Engine) => string
  /** Environment variables of the product. */
  env?: Record<string, string>
  /** Options of each process of the product. */
  launch_options?: Partial<LaunchOptions>
  /** Number of processes of the product; nginx balances the load if there are several. */
  nb_processes?: number
  /** True if nginx sends an interrupted submission again to another process. */
  nginx_resends?: boolean
  /** True if the fault may break connections to the product; otherwise a broken connection is a failure. */
  breaks_connections?: boolean
  /** Injects the fault. Resolves when the cause is over, so that the recovery time can be measured. */
  injectFault: (context: FaultContext) => Promise<void>
  /** Additional checks after the last round. */
  checkAtEnd?: (context: FaultContext) => Promise<void>
}

/** Range of the random pause before each fault, so that each round breaks something at another moment. */
const MIN_PAUSE_MS = 300
const MAX_PAUSE_MS = 1_200
const MAX_OUTPUT_TAIL = 800

/**
 * Creates the `run` function of a scenario. In each round, the fault is injected while clients use the product, and all
 * clients must be served again. Then the request log is compared with the database.
 */
export const runUnderLoad =
  (plan: FaultPlan) =>
  async ({
    engine,
    rounds,
    deadline,
    max_recovery_ms,
  }: ScenarioOptions): Promise<ScenarioResult> => {
    const result = createResult()
    const installation = await openInstallation({
      engine,
      has_database_proxy: plan.has_database_proxy,
      env: plan.env,
      folder: plan.folder?.(engine),
    })
    const products: Product[] = []
    let nginx: Nginx | undefined
    try {
      products.push(await installation.start(plan.launch_options))
      while (products.length < (plan.nb_processes ?? 1))
        products.push(await installation.start({ ...plan.launch_options, port: await freePort() }))
      if (products.length > 1)
        nginx = await startNginx([products.map(({ origin }) => origin)], plan.nginx_resends)
      const origin = nginx?.origins[0] ?? installation.product().origin
      const client = await signUpCreator(origin)
      for (let round = 0; round < rounds && result.failures.length === 0; round++) {
        if (performance.now() > deadline) {
          result.notes.push(`stopped before round ${round + 1}, because the time limit is reached`)
          break
        }
        const quiz = await publishedScoreQuiz(client)
        const load = startLoad({ origin, quiz, client })
        const context = { installation, products, origin, load, quiz, client, result, round }
        await runRound(plan, context, max_recovery_ms)
        if (round === rounds - 1) await plan.checkAtEnd?.(context)
      }
    } finally {
      await nginx?.stop()
      if (products.length > 1) await Promise.all(products.map(stopProduct))
      await installation.cleanUp()
    }
    return result
  }

const runRound = async (
  plan: FaultPlan,
  context: FaultContext,
  max_recovery_ms: number,
): Promise<void> => {
  const { installation, origin, load, quiz, result } = context
  try {
    await load.waitForRecovery(performance.now(), max_recovery_ms)
    await pause(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS))
    await plan.injectFault(context)
    result.rounds++
    result.recovery_times_ms.push(await load.waitForRecovery(performance.now(), max_recovery_ms))
    await load.finish()
  } catch (error) {
    const product = installation.product()
    const state = product.hasExited() ? 'the product has ended' : `ready: ${await isReady(product)}`
    addFailure(
      result,
      `${String(error)}; ${state}; ${product.readOutput().slice(-MAX_OUTPUT_TAIL)}`,
    )
    return load.abandon()
  }
  const { log } = load
  const comparison = await compareWithDatabase(installation, { quiz, log })
  result.nb_acknowledged += comparison.nb_acknowledged
  result.nb_lost += comparison.nb_lost
  result.nb_duplicated += comparison.nb_duplicated
  addFailure(result, ...comparison.failures, ...log.failures)
  addFailure(result, ...(await checkSaves(installation, quiz, load)))
  addFailure(result, ...(await checkRepeatedSubmissions(origin, quiz, log)))
  if (!plan.breaks_connections && log.nb_broken > 0)
    addFailure(result, `${log.nb_broken} connections to the product were broken`)
}
