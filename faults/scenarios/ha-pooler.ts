import pg from 'pg'
import { NOTICES_NAME } from '#server/db/notices.ts'
import { type Pgbouncer, startPgbouncer } from '#server/testing/network/proxies/pgbouncer.ts'
import type { HaCluster } from '../ha/ha-cluster.ts'
import { runOnCluster } from '../ha/run-on-cluster.ts'
import { addFailure, type Scenario, type ScenarioOptions } from '../runner/scenario.ts'

/** Ways to restart PgBouncer, with their names. */
const RESTARTS = [
  { signal: 'SIGINT', name: 'after running transactions (SIGINT, as systemctl does)' },
  { signal: 'SIGTERM', name: 'at once (SIGTERM)' },
  { signal: 'SIGKILL', name: 'by force (SIGKILL)' },
] as const

/** Returns the ids of the sessions that listen for notifications, as the product opened them. */
const listListeners = async ({ connection }: HaCluster): Promise<number[]> => {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 order by pid',
    [NOTICES_NAME],
  )
  await client.end()
  return rows.map(({ pid }) => pid)
}

type Signal = (typeof RESTARTS)[number]['signal']

/** Creates the `run` function. The listening connections, which bypass PgBouncer, must survive its restart. */
const runRestart = (signal: Signal) => (options: ScenarioOptions) => {
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

/** Scenarios F39: PgBouncer in transaction mode, in front of HAProxy, is restarted. */
export const poolerFaults: Scenario[] = RESTARTS.map(({ signal, name }) => ({
  fault: 'F39',
  name: `PgBouncer before the primary is restarted ${name}`,
  engines: ['external'],
  rounds: { full: 3, short: 0 },
  run: runRestart(signal),
}))
