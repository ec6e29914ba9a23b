import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { HaCluster } from '../ha/ha-cluster.ts'
import { type ClusterContext, runOnCluster } from '../ha/run-on-cluster.ts'
import {
  addFailure,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'

const HOUR_S = 3_600
/** Time for which each wrong clock lasts. */
const WRONG_MS = 12_000
/** Maximum time until deliveries that are pending at the correction of a clock are sent. */
const MAX_OUTBOX_MS = 30_000
const POLL_MS = 200
/** Tool whose rate limit allows less than a call a second, so that deliveries to it may wait for longer. */
const SLOW_TOOL = 'systemio'
const ROUNDS = { full: 3, short: 0 }

/** Returns the keys of all pending deliveries. */
const listPending = async ({ connection }: HaCluster): Promise<Set<string>> => {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ key: string }>(
    `select concat_ws(' ', provider, participant_uuid, connection_id) as key from deliveries
     where status = 'pending'`,
  )
  await client.end()
  return new Set(rows.map(({ key }) => key))
}

const isSlow = (key: string): boolean => key.startsWith(SLOW_TOOL)

/**
 * Waits until the deliveries that are pending now have been sent, and at least one to the slow tool. Adds a failure if
 * they are held up.
 */
const checkOutbox = async ({ cluster, result }: ClusterContext): Promise<void> => {
  const began = performance.now()
  const before = [...(await listPending(cluster))]
  const nb_slow = before.filter(isSlow).length
  let left = before
  const isOver = (): boolean =>
    left.every(isSlow) && (nb_slow === 0 || left.filter(isSlow).length < nb_slow)
  while (!isOver() && performance.now() - began < MAX_OUTBOX_MS) {
    await pause(POLL_MS)
    const pending = await listPending(cluster)
    left = left.filter((key) => pending.has(key))
  }
  result.notes.push(
    `${before.length} pending deliveries went on within ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  )
  if (!isOver()) addFailure(result, `${left.length} deliveries are held up, such as ${left.at(0)}`)
}

/** The clock of the machine of the primary (PostgreSQL and Patroni) jumps. Then it is right again. */
const shiftPrimary = (ahead_s: number) =>
  runOnCluster({
    cluster: { has_own_clocks: true },
    is_measured_from_end: true,
    inject: async ({ primary }) => {
      primary.setClock(ahead_s)
      await pause(WRONG_MS)
      primary.setClock(0)
    },
    repair: checkOutbox,
  })

/** The clocks of both processes of the product jump in opposite directions, then the other way. Then they are right. */
const shiftProcesses = async (options: ScenarioOptions): Promise<ScenarioResult> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-clock-'))
  const fileOf = (rank: number): string => join(folder, String(rank))
  const setClocks = (first_s: number, second_s: number): void => {
    for (const [rank, ahead_s] of [first_s, second_s].entries())
      writeFileSync(fileOf(rank), String(ahead_s * 1_000))
  }
  setClocks(0, 0)
  try {
    return await runOnCluster({
      launch_options: (rank) => ({
        env: { CLOCK_FILE: fileOf(rank) },
        node_options: ['--import', './faults/programs/shifted-clock.ts'],
      }),
      is_measured_from_end: true,
      inject: async ({ load }) => {
        for (const ahead_s of [HOUR_S, -HOUR_S]) {
          setClocks(ahead_s, -ahead_s)
          await pause(WRONG_MS)
        }
        setClocks(0, 0)
        // The editor may have to sign in again while the clock is wrong.
        load.log.failures = load.log.failures.filter((text) => text !== 'save 401')
      },
      repair: checkOutbox,
    })(options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Scenarios F37: a clock of the cluster or of the product jumps by an hour. */
export const jumpingClocks: Scenario[] = [
  {
    fault: 'F37',
    name: 'the clock of the primary jumps an hour ahead for 12 s',
    engines: ['external'],
    rounds: ROUNDS,
    run: shiftPrimary(HOUR_S),
  },
  {
    fault: 'F37',
    name: 'the clock of the primary jumps an hour back for 12 s',
    engines: ['external'],
    rounds: ROUNDS,
    run: shiftPrimary(-HOUR_S),
  },
  {
    fault: 'F37',
    name: 'the clocks of two product processes jump an hour apart, in both directions for 12 s each',
    engines: ['external'],
    rounds: ROUNDS,
    run: shiftProcesses,
  },
]
