import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '#server/testing/network/proxies/free-port.ts'
import {
  connectTools,
  enableAutomations,
  type SignedInCreator,
  startExternalServices,
} from '#server/testing/quizzes/external-services.ts'
import { publishedScoreQuiz, type SampleQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUp } from '../../bench/creator.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { type Installation, openInstallation } from '../runner/installation.ts'
import { type Load, startLoad } from '../runner/load.ts'
import { type LaunchOptions, type Product, stopProduct } from '../runner/product.ts'
import type { RequestLog } from '../runner/request-log.ts'
import {
  addFailure,
  createResult,
  formatSeconds,
  quantile,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'
import { compareReceivers } from '../scenarios/compare-receivers.ts'
import { expectedLabels, rulesOf, waitForDeliveries } from '../scenarios/delivery-load.ts'
import { createListenerChecks, type ListenerChecks } from './cluster-listeners.ts'
import { type HaCluster, type HaClusterOptions, startHaCluster } from './ha-cluster.ts'
import type { HaNode } from './ha-node.ts'

/** Parts of a round that a fault of the cluster may break or check. */
export type ClusterContext = {
  cluster: HaCluster
  primary: HaNode
  replica: HaNode
  /** Both processes of the product. The clients use the first process. */
  products: readonly Product[]
  /** Creator at the first process, and the quiz of the load. */
  caller: SignedInCreator
  quiz: SampleQuiz
  load: Load
  result: ScenarioResult
}

/** Address of the database in the environment of the product, for example that of a pooler. */
type DatabaseEntry = { env: Record<string, string>; stop: () => Promise<void> }

/** Fault of the cluster. `inject` begins the outage, and `repair` ends its cause. */
export type ClusterFault = {
  inject: (context: ClusterContext) => Promise<void>
  repair?: (context: ClusterContext) => Promise<void>
  /** Prepares a round before its time is measured. */
  prepare?: (context: ClusterContext) => Promise<void>
  cluster?: HaClusterOptions
  /** True if the outage is measured from the end of `inject`, whose effect ends within EFFECT_MS. */
  is_measured_from_end?: boolean
  /** Pause of a visitor between two submissions, in milliseconds; by default THINK_MS. */
  think_ms?: number
  /** Returns the options of the first (0) or second (1) process of the product. */
  launch_options?: (rank: number) => Partial<LaunchOptions>
  /** Starts a program between the product and the cluster, and returns the address for the product. */
  openEntry?: (cluster: HaCluster) => Promise<DatabaseEntry>
}

/** Pause before each fault, so that the fault meets running clients and not their start. */
const BEFORE_FAULT_MS = 2_000
/** Maximum time from the fault until all clients are served again. */
const MAX_OUTAGE_MS = 30_000
/** Minimum wait of a submission that counts as held up by the fault. */
const HELD_UP_MS = 1_000
const POLL_MS = 100
/** Time in which a corrected clock has an effect in every program. */
const EFFECT_MS = 1_500
/** Pause of a visitor. Shorter pauses would create more deliveries than the rate limits of the tools allow. */
const THINK_MS = 1_500

/** Watches the nodes until `stop`, which returns the maximum number of nodes that accepted writes at once. */
const watchPrimaries = ({ findPrimaries }: HaCluster): { stop: () => Promise<number> } => {
  let isOver = false
  let max_primaries = 0
  const watching = (async () => {
    while (!isOver) {
      max_primaries = Math.max(max_primaries, (await findPrimaries()).length)
      await pause(POLL_MS)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return max_primaries
    },
  }
}

/** Adds the waiting times of visitors to the report, and a failure if a published page was not served. */
const reportVisitors = (
  result: ScenarioResult,
  { waits_ms, statuses, longest_by_kind }: RequestLog,
) => {
  const held_up = waits_ms.filter((ms) => ms > HELD_UP_MS)
  if (held_up.length > 0)
    result.notes.push(
      `${held_up.length} submissions were held up, p50 ${formatSeconds(quantile(held_up, 0.5))}, max ${formatSeconds(Math.max(...held_up))}`,
    )
  result.notes.push(
    `${statuses.get('page 200') ?? 0} pages served, the slowest in ${formatSeconds(longest_by_kind.get('page') ?? 0)}`,
  )
  const refused = [...statuses].filter(([key]) => /^(page|snapshot) (?!200)/.test(key))
  for (const [key, count] of refused) addFailure(result, `${count} times ${key}`)
}

/**
 * Creates the `run` function of a fault of the cluster. Each round injects it while clients use the product and tools
 * receive contacts. Then the log is compared with the database and the receivers.
 */
export const runOnCluster =
  (fault: ClusterFault) =>
  async ({ rounds, max_recovery_ms, deadline }: ScenarioOptions): Promise<ScenarioResult> => {
    const result = createResult()
    const receivers = await startExternalServices()
    const cluster = await startHaCluster(fault.cluster)
    const products: Product[] = []
    let entry: DatabaseEntry | undefined
    let installation: Installation | undefined
    try {
      entry = await fault.openEntry?.(cluster)
      installation = await openInstallation({
        engine: 'external',
        env: { ...receivers.env, ...entry?.env },
        database: { url: cluster.primary_url, connection: cluster.connection },
      })
      const first = await installation.start(fault.launch_options?.(0))
      products.push(first)
      // Both processes have one public address, so that each accepts the tokens of the other.
      const PUBLIC_URL = first.origin.replace('127.0.0.1', 'localhost')
      const options = fault.launch_options?.(1)
      const env = { ...options?.env, PUBLIC_URL }
      products.push(await installation.start({ ...options, port: await freePort(), env }))
      const { origin } = first
      const caller = { origin, ...(await signUp(origin)) }
      const { client } = caller
      const quiz = await publishedScoreQuiz(client)
      await connectTools(receivers, caller)
      await enableAutomations(receivers, caller, { id: quiz.id, rules: rulesOf(quiz) })
      const { think_ms = THINK_MS } = fault
      const load = startLoad({ origin, quiz, client, visitors: 2, think_ms })
      const listeners = await createListenerChecks({ products, caller, quiz, load, result })
      const context = { cluster, load, result, products, caller, quiz }
      for (; result.rounds < rounds && performance.now() < deadline; result.rounds++)
        await runRound(fault, { ...context, max_recovery_ms, listeners })
      await load.finish()
      listeners.report()
      reportVisitors(result, load.log)
      await waitForDeliveries({ installation, receivers, caller, quiz }, result)
      compareReceivers(result, receivers, {
        remaining: expectedLabels(load),
        erased: new Map(),
        unrecorded_mails: new Map(),
      })
      const comparison = await compareWithDatabase(installation, { quiz, log: load.log })
      const { nb_acknowledged, nb_lost, nb_duplicated } = comparison
      Object.assign(result, { nb_acknowledged, nb_lost, nb_duplicated })
      addFailure(result, ...comparison.failures, ...load.log.failures)
    } finally {
      await Promise.all(products.map(stopProduct))
      await installation?.cleanUp()
      await entry?.stop()
      await cluster.cleanUp()
      await receivers.close()
    }
    return result
  }

type Round = Omit<ClusterContext, 'primary' | 'replica'> & {
  max_recovery_ms: number
  listeners: ListenerChecks
}

const runRound = async (
  { prepare, inject, repair, is_measured_from_end }: ClusterFault,
  { max_recovery_ms, listeners, ...parts }: Round,
): Promise<void> => {
  const { cluster, load, result } = parts
  const waitForContext = async (): Promise<ClusterContext> => ({
    ...parts,
    ...(await cluster.waitUntilHealthy()),
  })
  await prepare?.(await waitForContext())
  const context = await waitForContext()
  await load.waitForRecovery(performance.now(), max_recovery_ms)
  await pause(BEFORE_FAULT_MS)
  await listeners.openScreen()
  const watch = watchPrimaries(cluster)
  let began = performance.now()
  await inject(context)
  if (is_measured_from_end) began = performance.now()
  const effect_ms = is_measured_from_end ? EFFECT_MS : 0
  await load.waitForRecovery(performance.now() + effect_ms, max_recovery_ms)
  const outage_ms = performance.now() - began
  result.recovery_times_ms.push(outage_ms)
  if (outage_ms > MAX_OUTAGE_MS && max_recovery_ms <= MAX_OUTAGE_MS)
    addFailure(result, `writes were back after ${formatSeconds(outage_ms)}`)
  await listeners.check()
  await repair?.(context)
  await cluster.waitUntilHealthy()
  const max_primaries = await watch.stop()
  if (max_primaries > 1) addFailure(result, `${max_primaries} servers accepted writes at once`)
}
