import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '#contract/client/client.ts'
import { freePort } from '#server/testing/network/free-port.ts'
import { publishedScoreQuiz, type Ready } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUpCreator } from '../bench/creator.ts'
import { type Nginx, startNginx } from '../bench/nginx.ts'
import { check, checkSaves, sendAgain } from './check.ts'
import { type Engine, type Installation, openInstallation } from './installation.ts'
import { type Load, startLoad } from './load.ts'
import { isReady, type Launch, type Product, stop } from './product.ts'
import { blame, nothingSeen, type Options, type Seen } from './scenario.ts'

/** Context of a fault under load. */
export type Scene = {
  installation: Installation
  /** Processes of the product; several run behind nginx. */
  products: Product[]
  /** Public address. */
  origin: string
  load: Load
  quiz: Ready
  client: Client
  seen: Seen
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
  disturb: (scene: Scene) => Promise<void>
  /** Final check after all rounds. */
  conclude?: (scene: Scene) => Promise<void>
}

/** Minimum ms between faults; the moment differs in each round. */
const LEAST_CALM_MS = 300
const MOST_CALM_MS = 1_200
const LAST_WORDS = 800

/** Injects a fault repeatedly under load, and compares records with the database after each. */
export const underLoad =
  (plan: Plan) =>
  async ({ engine, rounds, until, patience_ms }: Options): Promise<Seen> => {
    const seen = nothingSeen()
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
      for (let round = 0; round < rounds && seen.wrong.length === 0; round++) {
        if (performance.now() > until) {
          seen.notes.push(`the time was up before round ${round + 1}`)
          break
        }
        const quiz = await publishedScoreQuiz(client)
        const load = startLoad({ origin, quiz, client })
        const scene = { installation, products, origin, load, quiz, client, seen, round }
        await oneRound(plan, scene, patience_ms)
        if (round === rounds - 1) await plan.conclude?.(scene)
      }
    } finally {
      await nginx?.stop()
      if (products.length > 1) await Promise.all(products.map(stop))
      await installation.cleanUp()
    }
    return seen
  }

const oneRound = async (plan: Plan, scene: Scene, patience_ms: number): Promise<void> => {
  const { installation, origin, load, quiz, seen } = scene
  try {
    await load.recovered(performance.now(), patience_ms)
    await pause(LEAST_CALM_MS + Math.random() * (MOST_CALM_MS - LEAST_CALM_MS))
    await plan.disturb(scene)
    seen.rounds++
    seen.recoveries.push(await load.recovered(performance.now(), patience_ms))
    await load.finish()
  } catch (error) {
    const product = installation.product()
    const state = product.isOver() ? 'it has ended' : `ready: ${await isReady(product)}`
    blame(seen, `${String(error)}; ${state}; ${product.said().slice(-LAST_WORDS)}`)
    return load.abandon()
  }
  const { record: books } = load
  const checked = await check(installation, { quiz, books })
  seen.acknowledged += checked.acknowledged
  seen.lost += checked.lost
  seen.doubled += checked.doubled
  blame(seen, ...checked.wrong, ...books.wrong)
  blame(seen, ...(await checkSaves(installation, quiz, load)))
  blame(seen, ...(await sendAgain(origin, quiz, books)))
  if (!plan.is_killed && books.nb_broken > 0)
    blame(seen, `${books.nb_broken} connections to the product broke`)
}
