import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Config, ConfigError } from '#server/config/config.ts'
import {
  createDedicatedPools,
  disablePreparedStatements,
  discardStalledConnections,
  findPoolerProblem,
  type OpenDedicatedPool,
} from './connection-pools.ts'
import { refuseSharedFolder, startEmbedded } from './embedded/embedded.ts'
import { clusterFolder } from './embedded/postgres-folder.ts'
import { migrate, UnfinishedRestore } from './migrate.ts'
import { createNotices, type Notices } from './notices.ts'
import type { Tables } from './tables.ts'

/** Where a data folder's database is restored, until it is whole and takes its place. */
export const restoringFolder = (data_dir: string): string => join(data_dir, 'restoring')

/** Refuses a data folder whose restore was cut, or still goes on; what one that ended left behind is removed. */
export const refuseUnfinishedRestore = (data_dir: string): void => {
  const restoring = restoringFolder(data_dir)
  if (!existsSync(restoring)) return
  if (!existsSync(clusterFolder(data_dir))) throw new UnfinishedRestore()
  rmSync(restoring, { recursive: true, force: true })
}

/** What stores query with: the database itself, or a transaction. */
export type Db = Kysely<Tables>

/**
 * Returns the same database for work that may be abandoned: each query after the signal was aborted throws its reason
 * instead of running.
 */
export const untilAborted = (db: Db, signal: AbortSignal | undefined): Db =>
  signal
    ? db.withPlugin({
        transformQuery: ({ node }) => {
          signal.throwIfAborted()
          return node
        },
        transformResult: async ({ result }) => result,
      })
    : db

/** What runs one statement: a pool, or a connection of its own. */
export type Queryable = {
  query: <Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ) => Promise<pg.QueryResult<Row>>
}

export type Database = {
  db: Kysely<Tables>
  /** The same connections, for prepared statements on the hot path. */
  pool: pg.Pool
  /** Connections beside those, for what takes long. */
  openDedicatedPool: OpenDedicatedPool
  /** What other processes on this database commit. */
  notices: Notices
  /** True when the database answers. */
  isReady: () => Promise<boolean>
  /** The migrations that opening it has applied. */
  applied?: string[]
  close: () => Promise<void>
}

const INT8 = 20
const TIMESTAMPTZ = 1184
const INT2_ARRAY = 1005
const TEXT_ARRAY = 1009

/** An array with quoted or absent entries, or of other bounds. */
const UNUSUAL = /["\\]|NULL|^\[/

/** The entries of `{1,2}`, where nothing is quoted. */
const plainEntries = (array: string): string[] =>
  array === '{}' ? [] : array.slice(1, -1).split(',')

const numberEntry = (entry: string): number | null => (entry === 'NULL' ? null : Number(entry))

/** Rows come out as they go on the wire: counts as numbers, times as ISO 8601 in UTC. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number
    if (oid === INT2_ARRAY) return (array: string) => plainEntries(array).map(numberEntry)
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString()
    const parse = pg.types.getTypeParser(oid, format)
    if (oid !== TEXT_ARRAY) return parse
    return (array: string) => (UNUSUAL.test(array) ? parse(array) : plainEntries(array))
  },
}

/** Connections of a process to the database. */
export const DATABASE_CONNECTIONS = 16

const LIMITS: pg.PoolConfig = {
  max: DATABASE_CONNECTIONS,
  connectionTimeoutMillis: 3_000,
  // Only for a server that cannot even say that a statement took too long.
  query_timeout: 6_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'quizaine',
}
/** Settings of a session. Through a pooler, which shares sessions, the role has them (docs/operations.md). */
const SESSION_LIMITS: pg.PoolConfig = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
}

/**
 * Opens a pool on a database whose schema is this code's; `log` hears of connections lost while idle. With
 * the address of a `pooler` in transaction mode its queries go through that one, and need no session.
 */
export const openPool = (
  connection: pg.PoolConfig,
  log: FastifyBaseLogger,
  pooler?: string,
): Database => {
  const pool = new pg.Pool({
    ...LIMITS,
    ...(pooler ? { connectionString: pooler } : { ...SESSION_LIMITS, ...connection }),
    types,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  pool.on('connect', (client) => {
    // Lost while a query runs: the query fails, and an event without a listener would end the process.
    client.on('error', () => undefined)
    if (pooler) disablePreparedStatements(client)
  })
  const notices = createNotices(connection, log)
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: discardStalledConnections(pool) }),
    }),
    pool,
    openDedicatedPool: createDedicatedPools({ ...LIMITS, ...SESSION_LIMITS, ...connection, types }),
    notices,
    isReady: () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    close: async () => {
      await notices.close()
      await pool.end()
    },
  }
}

/**
 * The database of a configuration, migrated and ready: the server that DATABASE_URL names, else the
 * embedded one, which `close` stops too.
 */
export const openDatabase = async ({
  config,
  log,
}: {
  config: Pick<Config, 'database_url' | 'data_dir'> & Partial<Pick<Config, 'pooler_url'>>
  log: FastifyBaseLogger
}): Promise<Database> => {
  if (!config.database_url) refuseUnfinishedRestore(config.data_dir)
  // Keys, mails and text messages are written there, whatever the database.
  refuseSharedFolder(config.data_dir)
  const embedded = config.database_url
    ? undefined
    : await startEmbedded({ data_dir: config.data_dir, log })
  const connection = embedded?.connection ?? { connectionString: config.database_url }
  let applied: string[]
  try {
    applied = await migrate(connection)
    if (applied.length > 0) log.info({ applied }, 'migrations applied')
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const opened = openPool(connection, log, config.pooler_url)
  const problem = await findPoolerProblem(opened.pool, log)
  if (problem) {
    await opened.close()
    await embedded?.stop()
    throw new ConfigError(problem)
  }
  return {
    ...opened,
    applied,
    close: async () => {
      await opened.close()
      await embedded?.stop()
    },
  }
}
