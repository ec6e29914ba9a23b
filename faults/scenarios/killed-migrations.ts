import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '#server/db/migrate.ts'
import { describeSchema } from '#server/testing/app/backups.ts'
import { type Cluster, startCluster } from '#server/testing/network/cluster.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { root } from '../runner/product.ts'
import {
  addFailure,
  createResult,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from '../runner/scenario.ts'

/** Key of the advisory lock. */
const LOCK_KEY = 7_777
const MAX_WAIT_MS = 20_000

/**
 * Returns SQL for an event trigger that blocks the n-th schema command at an advisory lock. The trigger is removed before
 * schemas are compared.
 */
const blockAtCommand = (nth: number): string => `
  create schema gate;
  create sequence gate.commands;
  create function gate.wait() returns event_trigger language plpgsql as $$
  begin
    if nextval('gate.commands') = ${nth} then
      perform pg_advisory_lock(${LOCK_KEY});
      perform pg_advisory_unlock(${LOCK_KEY});
    end if;
  end $$;
  create event trigger gate on ddl_command_end execute function gate.wait();
`

const connectTo = async (cluster: Cluster, database: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...cluster.connection, database })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const schemaOf = async (cluster: Cluster, database: string): Promise<string> => {
  const client = await connectTo(cluster, database)
  const lines = await describeSchema(client)
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migrations order by name',
  )
  await client.end()
  return [...lines, ...rows.map(({ name }) => name)].join('\n')
}

/** Waits until a session is blocked at the lock and returns its process id; undefined if the program ended first. */
const waitForBlockedSession = async (
  admin: pg.Client,
  isOver: () => boolean,
): Promise<number | undefined> => {
  const deadline = performance.now() + MAX_WAIT_MS
  while (!isOver() && performance.now() < deadline) {
    const { rows } = await admin.query<{ pid: number }>(
      "select pid from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
      [LOCK_KEY],
    )
    if (rows[0]) return rows[0].pid
    await pause(5)
  }
  return undefined
}

/** Kills a migration at its n-th schema command. Returns false if the migration has fewer commands. */
const killMigrationAt = async (
  cluster: Cluster,
  { nth, clean, result }: { nth: number; clean: string; result: ScenarioResult },
): Promise<boolean> => {
  const admin = await connectTo(cluster, 'postgres')
  const database = `cut_${nth}`
  await admin.query(`create database ${database}`)
  const database_client = await connectTo(cluster, database)
  await database_client.query(blockAtCommand(nth))
  await database_client.query('select pg_advisory_lock($1)', [LOCK_KEY])
  const url = databaseUrl({ ...cluster.connection, database })
  const program = spawn(process.execPath, [join(root, 'faults/programs/migrate.ts'), url])
  let code: number | null | undefined
  const ended = once(program, 'exit').then(([given]) => {
    code = given as number | null
  })
  const pid = await waitForBlockedSession(database_client, () => code !== undefined)
  if (pid !== undefined) {
    program.kill('SIGKILL')
    // The database session ends too in every second case, as in a crash of the database machine.
    if (nth % 2 === 0) await database_client.query('select pg_terminate_backend($1)', [pid])
  }
  await ended
  await database_client.query('select pg_advisory_unlock($1)', [LOCK_KEY])
  await database_client.query('drop event trigger gate; drop schema gate cascade')
  await database_client.end()
  const began = performance.now()
  await migrate({ ...cluster.connection, database })
  if (pid !== undefined) result.recovery_times_ms.push(performance.now() - began)
  if ((await schemaOf(cluster, database)) !== clean)
    addFailure(
      result,
      `after a kill at command ${nth}, the schema differs from a clean installation`,
    )
  await admin.query(`drop database ${database} with (force)`)
  await admin.end()
  return pid !== undefined
}

/** Kills a migration at every schema command, or at about `rounds` evenly distributed commands. */
const killMigrationsEverywhere = async ({ rounds }: ScenarioOptions): Promise<ScenarioResult> => {
  const result = createResult()
  const cluster = await startCluster()
  try {
    const admin = await connectTo(cluster, 'postgres')
    await admin.query('create database clean')
    const database_client = await connectTo(cluster, 'clean')
    await database_client.query(blockAtCommand(0))
    await migrate({ ...cluster.connection, database: 'clean' })
    const { rows } = await database_client.query<{ count: number }>(
      'select last_value::integer as count from gate.commands',
    )
    const count = rows[0]?.count ?? 0
    await database_client.query('drop event trigger gate; drop schema gate cascade')
    await database_client.end()
    await admin.end()
    const clean = await schemaOf(cluster, 'clean')
    const step = Math.max(1, Math.floor(count / rounds))
    for (let nth = 1; nth <= count; nth += step) {
      if (await killMigrationAt(cluster, { nth, clean, result })) result.rounds++
      else addFailure(result, `the migration never reached command ${nth}`)
    }
    result.notes.push(`the migration has ${count} commands`)
  } finally {
    await cluster.cleanUp()
  }
  return result
}

/** Scenario F21: killed migrations. */
export const killedMigrations: Scenario[] = [
  {
    fault: 'F21',
    name: 'a migration is killed at each schema command; the next start must complete it',
    engines: ['external'],
    rounds: { full: 10_000, short: 3 },
    run: killMigrationsEverywhere,
  },
]
