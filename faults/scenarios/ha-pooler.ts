import pg from 'pg'
import { NOTIFICATIONS_NAME } from '#server/db/notifications.ts'
import { type Pgbouncer, startPgbouncer } from '#server/testing/network/proxies/pgbouncer.ts'
import type { HaCluster } from '../ha/ha-cluster.ts'
import { runOnCluster } from '../ha/run-on-cluster.ts'
import { addFailure, type Scenario, type ScenarioOptions } from '../runner/scenario.ts'

/** Signals that restart PgBouncer, with their descriptions. */
const RESTARTS = [
  { signal: 'SIGINT', name: 'after running transactions (SIGINT, as systemctl does)' },
  { signal: 'SIGTERM', name: 'at once (SIGTERM)' },
  { signal: 'SIGKILL', name: 'by force (SIGKILL)' },
] as const

/** Returns the process ids of the database sessions in which the product listens for notifications. */
const listListeners = async ({ connection }: HaCluster): Promise<number[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 order by pid',
    [NOTIFICATIONS_NAME],
  )
  await client.end()
  return rows.map(({ pid }) => pid)
}

type Signal = (typeof RESTARTS)[number]['signal']

/** Creates the `run` function. The listening connections must survive the restart, because they bypass PgBouncer. */
const restartWith = (signal: Signal) => (options: ScenarioOptions) => {
  let pooler: Pgbouncer | undefined
  let listeners: number[] = []
  return runOnCluster({
    openEntry: async ({ connection, primary_url }) => {
      pooler = await startPgbouncer(connection)
      return {
        env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: primary_url },
        stop: pooler.stop,
      }
    },
    prepare: async ({ cluster }) => {
      listeners = await listListeners(cluster)
    },
    inject: async () => pooler?.restart(signal),
    repair: async ({ cluster, result }) => {
      const after = await listListeners(cluster)
      if (listeners.length === 0 || listeners.join() !== after.join())
        addFailure(result, `the listening connections changed from ${listeners} to ${after}`)
    },
  })(options)
}

/** Scenarios F39: a restart of PgBouncer in transaction mode in front of HAProxy. */
export const poolerFaults: Scenario[] = RESTARTS.map(({ signal, name }) => ({
  fault: 'F39',
  name: `PgBouncer before the primary is restarted ${name}`,
  engines: ['external'],
  rounds: { full: 3, short: 0 },
  run: restartWith(signal),
}))
