import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { GROWING_TABLES, partitionTable } from '#server/db/partition.ts'

/** Database server of tests with a migrated template database. */
export type TestServer = { connection: pg.ClientConfig; template: string }

const quiet = pino({ level: 'silent' })

/** Starts the server of a run: TEST_DATABASE_URL or a temporary embedded one. */
export const startTestServer = async (): Promise<{
  server: TestServer
  stop: () => Promise<void>
}> => {
  const url = process.env.TEST_DATABASE_URL
  const data_dir = mkdtempSync(join(tmpdir(), 'quizaine-db-'))
  const embedded = url ? undefined : await startEmbedded({ data_dir, log: quiet })
  const connection = embedded?.connection ?? { connectionString: url }
  if (embedded) await spareTheDisk(connection)
  const template = `template_${randomUUID().replaceAll('-', '')}`
  await runOn(connection, `create database ${template}`)
  await migrate(onDatabase(connection, template))
  await spreadIfAsked(onDatabase(connection, template))
  return {
    server: { connection, template },
    stop: async () => {
      await runOn(connection, `drop database ${template}`)
      await embedded?.stop()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

/** Disables disk synchronisation of an embedded server. Durability is tested on separate servers. */
export const spareTheDisk = async (connection: pg.ClientConfig): Promise<void> => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await runOn(connection, `alter system set ${name} = off`)
  await runOn(connection, 'select pg_reload_conf()')
}

/** Partitions the growing tables for a whole run, as `npm run partition` does (TEST_PARTITIONS partitions). */
const spreadIfAsked = async (connection: pg.ClientConfig): Promise<void> => {
  const partitions = Number(process.env.TEST_PARTITIONS ?? 0)
  if (partitions === 0) return
  const client = new pg.Client(connection)
  await client.connect()
  for (const table of GROWING_TABLES) await partitionTable(client, table, partitions)
  await client.end()
}

/** Returns an unpartitioned server for tests that create partitions. */
export const wantPlainTables = (): void => {
  if (!process.env.TEST_PARTITIONS) return
  Reflect.deleteProperty(process.env, 'TEST_PARTITIONS')
  Reflect.deleteProperty(process.env, 'QUIZAINE_TEST_SERVER')
}

/** Returns the server of the run, or starts one for a single test file. */
export const findTestServer = async (): Promise<{
  server: TestServer
  stop: () => Promise<void>
}> => {
  const given = process.env.QUIZAINE_TEST_SERVER
  if (!given) return startTestServer()
  return { server: JSON.parse(given) as TestServer, stop: async () => undefined }
}

/** Migrated database of one test file. */
export type TestDatabase = { name: string; connection: pg.ClientConfig; drop: () => Promise<void> }

/** Copies the template database; file copies take a fifth of the time of WAL logging. */
export const createTestDatabase = async ({
  connection,
  template,
}: TestServer): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const strategy = connection.connectionString ? '' : 'strategy file_copy'
  await runOn(connection, `create database ${name} template ${template} ${strategy}`)
  return {
    name,
    connection: onDatabase(connection, name),
    drop: () => runOn(connection, `drop database ${name} with (force)`),
  }
}

/** Returns the address of another database on the same server. */
export const onDatabase = (connection: pg.ClientConfig, database: string): pg.ClientConfig => {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** Runs one statement outside any transaction. */
export const runOn = async (connection: pg.ClientConfig, sql: string): Promise<void> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
