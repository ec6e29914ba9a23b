import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
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
import { isCollision } from './database-error.ts'
import { refuseSharedFolder, startEmbedded } from './embedded/embedded.ts'
import { clusterFolder } from './embedded/postgres-folder.ts'
import { migrate, UnfinishedRestore } from './migrate.ts'
import { createNotices, type Notices } from './notices.ts'
import type { Tables } from './tables.ts'

/** Returns the folder in which a data folder's database is restored before it takes its place. */
export const restoringFolder = (data_dir: string): string => join(data_dir, 'restoring')

/**
 * Throws UnfinishedRestore if a restore into a data folder was interrupted or still runs. Removes the remains of a
 * completed one.
 */
export const refuseUnfinishedRestore = (data_dir: string): void => {
  const restoring = restoringFolder(data_dir)
  if (!existsSync(restoring)) return
  if (!existsSync(clusterFolder(data_dir))) throw new UnfinishedRestore()
  rmSync(restoring, { recursive: true, force: true })
}

/** Database or transaction that stores query. */
export type Db = Kysely<Tables>

/** Returns the database for work that may be abandoned: queries throw the signal's reason once it is aborted. */
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

const TRIES = 3
const MAX_PAUSE_MS = 40

/**
 * Runs `work`, and runs it again if the database rolled its transaction back because of a collision. Throws the third
 * collision.
 */
export const withRetries = async <T>(work: () => Promise<T>, tries = TRIES): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (tries <= 1 || !isCollision(error)) throw error
  }
  // A random pause keeps the same transactions from colliding again.
  await pause(Math.random() * MAX_PAUSE_MS)
  return withRetries(work, tries - 1)
}

/** A pool or a connection that runs single statements. */
export type Queryable = {
  query: <Row extends pg.QueryResultRow>(
    text: string,
    values?: unknown[],
  ) => Promise<pg.QueryResult<Row>>
}

/** An open database with all its kinds of connections. */
export type Database = {
  db: Kysely<Tables>
  /** Pool of the connections, for prepared statements on hot paths. */
  pool: pg.Pool
  /** Opens further connections for long statements. */
  openDedicatedPool: OpenDedicatedPool
  /** Notifications of changes that other processes commit. */
  notices: Notices
  /** Returns true if the database answers. */
  isReady: () => Promise<boolean>
  /** Migrations that were applied when the database was opened. */
  applied?: string[]
  close: () => Promise<void>
}

const INT8 = 20
const TIMESTAMPTZ = 1184
const INT2_ARRAY = 1005
const TEXT_ARRAY = 1009

/** Array literal with quoted or null entries or with explicit bounds. */
const COMPLEX_ARRAY = /["\\]|NULL|^\[/

/** Returns the entries of an array literal without quotes, such as `{1,2}`. */
const plainEntries = (array: string): string[] =>
  array === '{}' ? [] : array.slice(1, -1).split(',')

const numberEntry = (entry: string): number | null => (entry === 'NULL' ? null : Number(entry))

/** Parsers that return values as the API sends them: counts as numbers, times as ISO 8601 in UTC. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number
    if (oid === INT2_ARRAY) return (array: string) => plainEntries(array).map(numberEntry)
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text).toISOString()
    const parse = pg.types.getTypeParser(oid, format)
    if (oid !== TEXT_ARRAY) return parse
    return (array: string) => (COMPLEX_ARRAY.test(array) ? parse(array) : plainEntries(array))
  },
}

/** Maximum number of connections of a process to the database. */
export const DATABASE_CONNECTIONS = 16

const LIMITS: pg.PoolConfig = {
  max: DATABASE_CONNECTIONS,
  connectionTimeoutMillis: 3_000,
  // Applies only if the server cannot even report that a statement took too long.
  query_timeout: 6_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  application_name: 'quizaine',
}
/** Session settings. A pooler shares sessions, so there the role has these settings (docs/operations.md). */
const SESSION_LIMITS: pg.PoolConfig = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
}

/**
 * Opens a pool on a migrated database; `log` reports connections that are lost while idle. Queries go through
 * `pooler`, a pooler in transaction mode, if there is one.
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
    // The query of a lost connection fails by itself; an 'error' event without a listener would end the process.
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
 * Opens and migrates the database of a configuration: the server of DATABASE_URL, or the embedded one, which `close`
 * also stops.
 */
export const openDatabase = async ({
  config,
  log,
}: {
  config: Pick<Config, 'database_url' | 'data_dir'> & Partial<Pick<Config, 'pooler_url'>>
  log: FastifyBaseLogger
}): Promise<Database> => {
  if (!config.database_url) refuseUnfinishedRestore(config.data_dir)
  // Keys, mails and text messages are written into this folder even with an external database.
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
