import { setTimeout as pause } from 'node:timers/promises'
import {
  connectTools,
  enableAutomations,
  startExternalServices,
} from '#server/testing/quizzes/external-services.ts'
import { publishedScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'
import { signUp } from '../../bench/creator.ts'
import { type HaCluster, startHaCluster } from '../ha/ha-cluster.ts'
import type { HaNode } from '../ha/ha-node.ts'
import { compareWithDatabase } from '../runner/compare-with-database.ts'
import { openInstallation } from '../runner/installation.ts'
import { type Load, startLoad } from '../runner/load.ts'
import type { RequestLog } from '../runner/request-log.ts'
import {
  addFailure,
  createResult,
  quantile,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'
import { compareReceivers } from './compare-receivers.ts'
import { expectedLabels, rulesOf, waitForDeliveries } from './delivery-load.ts'

/** The parts that a fault of the cluster may break. */
type HaContext = { cluster: HaCluster; primary: HaNode; replica: HaNode }

/** Fault of the cluster. `inject` begins the outage, `repair` ends its cause. */
type ClusterFault = {
  inject: (context: HaContext) => Promise<void>
  repair: (context: HaContext) => Promise<void>
}

/** Pause before each fault, so that it meets the load and not the start. */
const BEFORE_FAULT_MS = 2_000
/** Maximum time from the fault until all clients are served again. */
const MAX_OUTAGE_MS = 30_000
/** A submission that waited longer was held up by the fault. */
const HELD_UP_MS = 1_000
const POLL_MS = 100
/** Pause of a visitor, so that the rate limits of the tools let all deliveries through in time. */
const THINK_MS = 1_500

const wait = (): Promise<void> => Promise.resolve()

/** Watches the nodes until `stop`, which returns how many accepted writes at once at most. */
const watchPrimaries = ({ findPrimaries }: HaCluster): { stop: () => Promise<number> } => {
  let isOver = false
  let most = 0
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, (await findPrimaries()).length)
      await pause(POLL_MS)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await watching
      return most
    },
  }
}

const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Adds how long visitors waited, and a failure if a published page was not served. */
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

/** Creates the `run` function of a fault. Each round injects it while clients use the product and tools receive contacts. */
const runOnCluster =
  ({ inject, repair }: ClusterFault) =>
  async ({ rounds, max_recovery_ms, deadline }: ScenarioOptions): Promise<ScenarioResult> => {
    const result = createResult()
    const receivers = await startExternalServices()
    const cluster = await startHaCluster()
    const installation = await openInstallation({
      ...{ engine: 'external', env: receivers.env },
      database: { url: cluster.primary_url, connection: cluster.connection },
    })
    try {
      const { origin } = await installation.start()
      const caller = { origin, ...(await signUp(origin)) }
      const quiz = await publishedScoreQuiz(caller.client)
      await connectTools(receivers, caller)
      await enableAutomations(receivers, caller, { id: quiz.id, rules: rulesOf(quiz) })
      const load = startLoad({
        origin,
        quiz,
        client: caller.client,
        visitors: 2,
        think_ms: THINK_MS,
      })
      for (; result.rounds < rounds && performance.now() < deadline; result.rounds++)
        await runRound({ inject, repair }, { cluster, load, result, max_recovery_ms })
      await load.finish()
      reportVisitors(result, load.log)
      await waitForDeliveries({ installation, receivers, caller, quiz }, result)
      compareReceivers(result, receivers, {
        ...{ remaining: expectedLabels(load), erased: new Map(), unrecorded_mails: new Map() },
      })
      const comparison = await compareWithDatabase(installation, { quiz, log: load.log })
      const { nb_acknowledged, nb_lost, nb_duplicated } = comparison
      Object.assign(result, { nb_acknowledged, nb_lost, nb_duplicated })
      addFailure(result, ...comparison.failures, ...load.log.failures)
    } finally {
      await installation.cleanUp()
      await cluster.cleanUp()
      await receivers.close()
    }
    return result
  }

type Round = { cluster: HaCluster; load: Load; result: ScenarioResult; max_recovery_ms: number }

const runRound = async (
  { inject, repair }: ClusterFault,
  { cluster, load, result, max_recovery_ms }: Round,
): Promise<void> => {
  const nodes = await cluster.waitUntilHealthy()
  await load.waitForRecovery(performance.now(), max_recovery_ms)
  await pause(BEFORE_FAULT_MS)
  const watch = watchPrimaries(cluster)
  const began = performance.now()
  await inject({ cluster, ...nodes })
  await load.waitForRecovery(performance.now(), max_recovery_ms)
  const outage_ms = performance.now() - began
  result.recovery_times_ms.push(outage_ms)
  if (outage_ms > MAX_OUTAGE_MS && max_recovery_ms <= MAX_OUTAGE_MS)
    addFailure(result, `writes were back after ${formatSeconds(outage_ms)}`)
  await repair({ cluster, ...nodes })
  await cluster.waitUntilHealthy()
  const most = await watch.stop()
  if (most > 1) addFailure(result, `${most} servers accepted writes at once`)
}

const ROUNDS = { full: 3, short: 0 }

/** Scenarios F30 to F33: two PostgreSQL servers with synchronous replication, Patroni, etcd and HAProxy (ops/ha). */
export const haClusterFaults: Scenario[] = [
  {
    fault: 'F30',
    name: 'the machine of the primary dies; the replica takes over',
    engines: ['external'],
    rounds: { full: 3, short: 1 },
    run: runOnCluster({
      inject: ({ primary }) => primary.kill(),
      repair: ({ primary }) => primary.start(),
    }),
  },
  {
    fault: 'F31',
    name: 'the primary is cut off from etcd and stays alive; never two servers accept writes',
    engines: ['external'],
    rounds: ROUNDS,
    run: runOnCluster({
      inject: async ({ cluster, primary }) => {
        primary.relay.set('silent')
        // The load continues on the old primary until another one has its role.
        while (!(await cluster.findPrimaries()).some((node) => node !== primary))
          await pause(POLL_MS)
      },
      repair: async ({ primary }) => primary.relay.set('pass'),
    }),
  },
  {
    fault: 'F32',
    name: 'the machine of the replica dies and returns',
    engines: ['external'],
    rounds: ROUNDS,
    run: runOnCluster({
      inject: ({ replica }) => replica.kill(),
      repair: ({ replica }) => replica.start(),
    }),
  },
  {
    fault: 'F33',
    name: 'an operator hands the role of the primary to the replica',
    engines: ['external'],
    rounds: ROUNDS,
    run: runOnCluster({ inject: ({ cluster }) => cluster.switchOver(), repair: wait }),
  },
]
