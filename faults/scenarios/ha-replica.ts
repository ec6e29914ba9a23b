import { setTimeout as pause } from 'node:timers/promises'
import type { HaNode } from '../ha/ha-node.ts'
import { type ClusterContext, runOnCluster } from '../ha/run-on-cluster.ts'
import { addFailure, quantile, type Scenario } from '../runner/scenario.ts'

/** Time for which the replica applies no commits. It still receives and confirms them. */
const LAG_MS = 60_000
const READ_EVERY_MS = 1_000
/** Pause of a visitor. With shorter pauses, the creator would reach the limit of 200 notices a day. */
const THINK_MS = 5_000
/** Maximum median wait of submissions, because they must not wait for a replica that lags. */
const MAX_MEDIAN_WAIT_MS = 1_000

/** Returns the first part of the email address of each acknowledged participant. */
const listAcknowledged = ({ load }: ClusterContext): string[] =>
  [...load.log.submissions]
    .filter(([, { is_acknowledged }]) => is_acknowledged)
    .map(([id]) => `p${id.slice(0, 8)}@`)

/** Reads filtered statistics, and adds a failure if a participant who was acknowledged before is missing. */
const checkStatistics = async (context: ClusterContext): Promise<void> => {
  const { caller, quiz, result } = context
  const nb_expected = listAcknowledged(context).length
  // Every participant matches a filter by both answers of the question.
  const answer = quiz.answer_ids.join()
  const { figures } = await caller.client.statistics.responses({
    id: quiz.id,
    answer,
    limit: 10,
    figures: '1',
  })
  const nb_shown = figures?.nb_participants ?? 0
  if (nb_shown < nb_expected)
    addFailure(result, `statistics show ${nb_shown} participants of ${nb_expected}`)
}

/** Downloads an export, and adds a failure if a participant who was acknowledged before is missing. */
const checkExport = async (context: ClusterContext): Promise<void> => {
  const { caller, quiz, result } = context
  const expected = listAcknowledged(context)
  const { url } = await caller.client.exports.link({ id: quiz.id, body: { format: 'json' } })
  const response = await fetch(`${caller.origin}${url}`)
  const file = await response.text()
  const missing = expected.filter((address) => !file.includes(address))
  if (!response.ok || missing.length > 0)
    addFailure(result, `an export (${response.status}) lacks ${missing.length} participants`)
}

/** Returns the numbers of heavy reads of the first process by server, as in `replica 12, primary behind 3`. */
const readHeavyReads = async ({ caller }: ClusterContext): Promise<string> => {
  const text = await (await fetch(`${caller.origin}/metrics`)).text()
  return [...text.matchAll(/^database_heavy_reads_total\{server="(\w+)",reason="(\w*)"\} (\d+)$/gm)]
    .map(([, server, reason, count]) => [server, reason, count].filter(Boolean).join(' '))
    .join(', ')
}

/** Returns the id of the process that applies the log. `pg_wal_replay_pause` is not used, because Patroni ends that pause. */
const findReplayProcess = (replica: HaNode): Promise<number> =>
  replica.query(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'startup'",
    )
    if (!rows[0]) throw new Error('The replica replays nothing')
    return rows[0].pid
  })

/** Returns the age of the last commit that the replica shows, in seconds. */
const measureLag = (replica: HaNode): Promise<number> =>
  replica.query(async (client) => {
    const { rows } = await client.query<{ lag_s: number }>(
      'select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float as lag_s',
    )
    return rows[0]?.lag_s ?? 0
  })

/** Stops the replay of the replica for LAG_MS, while the creator reads statistics and exports. */
const stopReplay = async (context: ClusterContext): Promise<void> => {
  const { replica, load, result } = context
  const pid = await findReplayProcess(replica)
  const nb_before = load.log.waits_ms.length
  const until = performance.now() + LAG_MS
  const times_ms: number[] = []
  process.kill(pid, 'SIGSTOP')
  try {
    while (performance.now() < until) {
      const began = performance.now()
      await checkStatistics(context)
      times_ms.push(performance.now() - began)
      await checkExport(context)
      await pause(READ_EVERY_MS)
    }
    const lag_s = await measureLag(replica)
    if (lag_s * 1_000 < LAG_MS / 2) addFailure(result, `the replica lagged by only ${lag_s} s`)
    result.notes.push(`the replica lagged by ${Math.round(lag_s)} s`)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  const wait_ms = quantile(load.log.waits_ms.slice(nb_before), 0.5)
  if (wait_ms > MAX_MEDIAN_WAIT_MS) addFailure(result, `submissions took ${Math.round(wait_ms)} ms`)
  result.notes.push(
    `${times_ms.length} statistics and exports, p50 ${Math.round(quantile(times_ms, 0.5))} ms, max ${Math.round(Math.max(...times_ms))} ms`,
    `submissions p50 ${Math.round(wait_ms)} ms`,
    `heavy reads: ${await readHeavyReads(context)}`,
  )
}

/** Scenario F38: the replica lags, while statistics and exports may use it (`DATABASE_READ_URL`). */
export const laggingReplica: Scenario[] = [
  {
    fault: 'F38',
    name: 'the replica lags by a minute; statistics and exports miss nobody',
    engines: ['external'],
    rounds: { full: 3, short: 0 },
    run: runOnCluster({
      openEntry: async ({ replica_url }) => ({
        env: { DATABASE_READ_URL: replica_url },
        stop: () => Promise.resolve(),
      }),
      is_measured_from_end: true,
      think_ms: THINK_MS,
      inject: stopReplay,
      repair: async (context) => {
        // Waits for the end of the pause after which reads use the replica again.
        await pause(3 * READ_EVERY_MS)
        await checkStatistics(context)
      },
    }),
  },
]
