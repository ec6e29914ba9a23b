import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { describeSchema } from '#server/testing/app/backups.ts'
import { type Cluster, startCluster } from '../../bench/cluster.ts'
import { root } from '../product.ts'
import {
  addFailure,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../scenario.ts'

/** F21: a migration is killed at each of its statements (G11). */

const GATE = 7_777
const PATIENCE_MS = 20_000

/**
 * SQL for a trigger that blocks the n-th schema command at an advisory lock. The trigger is outside the compared
 * schema.
 */
const gateAt = (nth: number): string => `
  create schema gate;
  create sequence gate.commands;
  create function gate.wait() returns event_trigger language plpgsql as $$
  begin
    if nextval('gate.commands') = ${nth} then
      perform pg_advisory_lock(${GATE});
      perform pg_advisory_unlock(${GATE});
    end if;
  end $$;
  create event trigger gate on ddl_command_end execute function gate.wait();
`

const opened = async (cluster: Cluster, database: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...cluster.connection, database })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const schemaOf = async (cluster: Cluster, database: string): Promise<string> => {
  const client = await opened(cluster, database)
  const lines = await describeSchema(client)
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migrations order by name',
  )
  await client.end()
  return [...lines, ...rows.map(({ name }) => name)].join('\n')
}

/** Waits until a session is blocked at the lock. Returns its process id, or nothing if the program ended first. */
const atTheGate = async (keeper: pg.Client, isOver: () => boolean): Promise<number | undefined> => {
  const until = performance.now() + PATIENCE_MS
  while (!isOver() && performance.now() < until) {
    const { rows } = await keeper.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [GATE],
    )
    if (rows[0]) return rows[0].pid
    await pause(5)
  }
  return undefined
}

/** Kills a migration at its n-th command. Returns false if it has fewer commands. */
const cutAt = async (
  cluster: Cluster,
  { nth, clean, result }: { nth: number; clean: string; result: ScenarioResult },
): Promise<boolean> => {
  const keeper = await opened(cluster, 'postgres')
  const database = `cut_${nth}`
  await keeper.query(`create database ${database}`)
  const there = await opened(cluster, database)
  await there.query(gateAt(nth))
  await there.query('select pg_advisory_lock($1)', [GATE])
  const url = `postgres://quizaine@localhost/${database}?host=${cluster.connection.host}`
  const program = spawn(process.execPath, [join(root, 'faults/programs/migrate.ts'), url])
  let code: number | null | undefined
  const ended = once(program, 'exit').then(([given]) => {
    code = given as number | null
  })
  const pid = await atTheGate(there, () => code !== undefined)
  if (pid !== undefined) {
    program.kill('SIGKILL')
    // Every second interruption also ends the database session, as a crash of the database machine would.
    if (nth % 2 === 0) await there.query('select pg_terminate_backend($1)', [pid])
  }
  await ended
  await there.query('select pg_advisory_unlock($1)', [GATE])
  await there.query('drop event trigger gate; drop schema gate cascade')
  await there.end()
  const began = performance.now()
  await migrate({ ...cluster.connection, database })
  if (pid !== undefined) result.recoveries.push(performance.now() - began)
  if ((await schemaOf(cluster, database)) !== clean)
    addFailure(result, `cut at command ${nth}, the schema is another than a clean installation’s`)
  await keeper.query(`drop database ${database} with (force)`)
  await keeper.end()
  return pid !== undefined
}

/** Kills a migration at every command, or at `rounds` evenly distributed ones. */
const cutEverywhere = async ({ rounds }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  const cluster = await startCluster()
  try {
    const keeper = await opened(cluster, 'postgres')
    await keeper.query('create database clean')
    const there = await opened(cluster, 'clean')
    await there.query(gateAt(0))
    await migrate({ ...cluster.connection, database: 'clean' })
    const { rows } = await there.query<{ count: number }>(
      'select last_value::integer as count from gate.commands',
    )
    const count = rows[0]?.count ?? 0
    await there.query('drop event trigger gate; drop schema gate cascade')
    await there.end()
    await keeper.end()
    const clean = await schemaOf(cluster, 'clean')
    const step = Math.max(1, Math.floor(count / rounds))
    for (let nth = 1; nth <= count; nth += step) {
      if (await cutAt(cluster, { nth, clean, result })) result.rounds++
      else addFailure(result, `nobody came to command ${nth}`)
    }
    result.notes.push(`of ${count} commands`)
  } finally {
    await cluster.cleanUp()
  }
  return result
}

/** Scenarios F21: killed migrations. */
export const migrations: Scenario[] = [
  {
    fault: 'F21',
    name: 'migrations killed at each command',
    engines: ['external'],
    rounds: { whole: 10_000, short: 3 },
    run: cutEverywhere,
  },
]
