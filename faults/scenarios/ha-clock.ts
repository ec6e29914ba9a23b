import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { HaCluster } from '../ha/ha-cluster.ts'
import { type ClusterContext, runOnCluster } from '../ha/run-on-cluster.ts'
import {
  addFailure,
  formatSeconds,
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
/** Tool with a rate limit below one call a second, so that its deliveries may wait longer. */
const SLOW_TOOL = 'systemio'
const ROUNDS = { full: 3, short: 0 }

/** Returns texts that identify all pending deliveries. Each begins with the name of the tool. */
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
 * Waits until all currently pending deliveries are sent, except those to the slow tool, of which one must be sent. Adds
 * a failure after MAX_OUTBOX_MS.
 */
const checkOutbox = async ({ cluster, result }: ClusterContext): Promise<void> => {
  const began = performance.now()
  const before = [...(await listPending(cluster))]
  const nb_slow = before.filter(isSlow).length
  let unsent = before
  const isOver = (): boolean =>
    unsent.every(isSlow) && (nb_slow === 0 || unsent.filter(isSlow).length < nb_slow)
  while (!isOver() && performance.now() - began < MAX_OUTBOX_MS) {
    await pause(POLL_MS)
    const pending = await listPending(cluster)
    unsent = unsent.filter((key) => pending.has(key))
  }
  result.notes.push(
    `${before.length} pending deliveries went on within ${formatSeconds(performance.now() - began)}`,
  )
  if (!isOver())
    addFailure(result, `${unsent.length} deliveries are held up, such as ${unsent.at(0)}`)
}

/** Creates the `run` function of a fault that sets the clock of the primary (PostgreSQL and Patroni) wrong for WRONG_MS. */
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

/** Sets the clocks of both processes of the product wrong in opposite directions, then in exchanged directions. */
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
