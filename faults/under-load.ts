import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { freePort } from '#server/testing/network/free-port.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../bench/creator.ts'
import { type Nginx, startNginx } from '../bench/nginx.ts'
import { check, checkRepeatedSubmissions, checkSaves } from './check.ts'
import { type Engine, type Installation, openInstallation } from './installation.ts'
import { type Load, startLoad } from './load.ts'
import { isReady, type Launch, type Product, stop } from './product.ts'
import { addFailure, createResult, type ScenarioOptions, type ScenarioResult } from './scenario.ts'

/** Context of a fault under load. */
export type FaultContext = {
  installation: Installation
  /** Processes of the product; several run behind nginx. */
  products: Product[]
  /** Public address. */
  origin: string
  load: Load
  quiz: Ready
  client: Client
  result: ScenarioResult
  round: number
}

type Plan = {
  has_proxy?: boolean
  folder?: (engine: Engine) => string
  env?: Record<string, string>
  launch?: Partial<Launch>
  /** Number of processes; several run behind nginx. */
  processes?: number
  /** True if nginx resends interrupted submissions to the next process. */
  is_resending?: boolean
  /** True if the product itself ends, so that its connections break. */
  is_killed?: boolean
  /** Injects the fault and resolves when it is over. */
  disturb: (context: FaultContext) => Promise<void>
  /** Final check after all rounds. */
  conclude?: (context: FaultContext) => Promise<void>
}

/** Minimum ms between faults; the moment differs in each round. */
const MIN_PAUSE_MS = 300
const MAX_PAUSE_MS = 1_200
const MAX_OUTPUT_TAIL = 800

/** Injects a fault repeatedly under load, and compares records with the database after each. */
export const underLoad =
  (plan: Plan) =>
  async ({ engine, rounds, until, patience_ms }: ScenarioOptions): Promise<ScenarioResult> => {
    const result = createResult()
    const installation = await openInstallation({
      engine,
      has_proxy: plan.has_proxy,
      env: plan.env,
      folder: plan.folder?.(engine),
    })
    const products: Product[] = []
    let nginx: Nginx | undefined
    try {
      products.push(await installation.start(plan.launch))
      while (products.length < (plan.processes ?? 1))
        products.push(await installation.start({ ...plan.launch, port: await freePort() }))
      if (products.length > 1)
        nginx = await startNginx([products.map(({ origin }) => origin)], plan.is_resending)
      const origin = nginx?.origins[0] ?? installation.product().origin
      const client = await signUpCreator(origin)
      for (let round = 0; round < rounds && result.wrong.length === 0; round++) {
        if (performance.now() > until) {
          result.notes.push(`the time was up before round ${round + 1}`)
          break
        }
        const quiz = await publishedScoreQuiz(client)
        const load = startLoad({ origin, quiz, client })
        const context = { installation, products, origin, load, quiz, client, result, round }
        await runRound(plan, context, patience_ms)
        if (round === rounds - 1) await plan.conclude?.(context)
      }
    } finally {
      await nginx?.stop()
      if (products.length > 1) await Promise.all(products.map(stop))
      await installation.cleanUp()
    }
    return result
  }

const runRound = async (plan: Plan, context: FaultContext, patience_ms: number): Promise<void> => {
  const { installation, origin, load, quiz, result } = context
  try {
    await load.recovered(performance.now(), patience_ms)
    await pause(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS))
    await plan.disturb(context)
    result.rounds++
    result.recoveries.push(await load.recovered(performance.now(), patience_ms))
    await load.finish()
  } catch (error) {
    const product = installation.product()
    const state = product.hasExited() ? 'it has ended' : `ready: ${await isReady(product)}`
    addFailure(
      result,
      `${String(error)}; ${state}; ${product.readOutput().slice(-MAX_OUTPUT_TAIL)}`,
    )
    return load.abandon()
  }
  const { record: log } = load
  const checked = await check(installation, { quiz, log })
  result.acknowledged += checked.acknowledged
  result.lost += checked.lost
  result.doubled += checked.doubled
  addFailure(result, ...checked.wrong, ...log.wrong)
  addFailure(result, ...(await checkSaves(installation, quiz, load)))
  addFailure(result, ...(await checkRepeatedSubmissions(origin, quiz, log)))
  if (!plan.is_killed && log.nb_broken > 0)
    addFailure(result, `${log.nb_broken} connections to the product broke`)
}
