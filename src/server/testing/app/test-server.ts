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

/** Limit of connections: processes of a run share a server, and a test file may start several applications. */
const max_connections = 240
const quiet = pino({ level: 'silent' })

/** Prepares the database server of a run: the server of TEST_DATABASE_URL, or a temporary embedded server. */
export const startTestServer = async (): Promise<{
  server: TestServer
  stop: () => Promise<void>
}> => {
  const url = process.env.TEST_DATABASE_URL
  const data_dir = mkdtempSync(join(tmpdir(), 'quizaine-db-'))
  const embedded = url ? undefined : await startEmbedded({ data_dir, log: quiet, max_connections })
  const connection = embedded?.connection ?? { connectionString: url }
  if (embedded) await disableDiskSync(connection)
  const template = `template_${randomUUID().replaceAll('-', '')}`
  await runStatement(connection, `create database ${template}`)
  await migrate(withDatabaseName(connection, template))
  await partitionIfRequested(withDatabaseName(connection, template))
  return {
    server: { connection, template },
    stop: async () => {
      await runStatement(connection, `drop database ${template}`)
      await embedded?.stop()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}

/** Disables disk synchronisation of an embedded server, because tests of durability use separate servers. */
export const disableDiskSync = async (connection: pg.ClientConfig): Promise<void> => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'])
    await runStatement(connection, `alter system set ${name} = off`)
  await runStatement(connection, 'select pg_reload_conf()')
}

/** Partitions the growing tables of the template as `npm run partition` does, if TEST_PARTITIONS is set. */
const partitionIfRequested = async (connection: pg.ClientConfig): Promise<void> => {
  const partitions = Number(process.env.TEST_PARTITIONS ?? 0)
  if (partitions === 0) return
  const client = new pg.Client(connection)
  await client.connect()
  for (const table of GROWING_TABLES) await partitionTable(client, table, partitions)
  await client.end()
}

/** Makes this test file start its own server without partitions, because the file creates partitions itself. */
export const requireUnpartitionedServer = (): void => {
  if (!process.env.TEST_PARTITIONS) return
  Reflect.deleteProperty(process.env, 'TEST_PARTITIONS')
  Reflect.deleteProperty(process.env, 'QUIZAINE_TEST_SERVER')
}

/** Returns the server of the run. Starts a server if a test file runs alone. */
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

/** Copies the template database. Uses file copies, because they take a fifth of the time of WAL logging. */
export const createTestDatabase = async ({
  connection,
  template,
}: TestServer): Promise<TestDatabase> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const strategy = connection.connectionString ? '' : 'strategy file_copy'
  await runStatement(connection, `create database ${name} template ${template} ${strategy}`)
  return {
    name,
    connection: withDatabaseName(connection, name),
    drop: () => runStatement(connection, `drop database ${name} with (force)`),
  }
}

/** Returns the address of another database on the same server. */
export const withDatabaseName = (
  connection: pg.ClientConfig,
  database: string,
): pg.ClientConfig => {
  if (!connection.connectionString) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** Runs one statement outside any transaction. */
export const runStatement = async (connection: pg.ClientConfig, sql: string): Promise<void> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
