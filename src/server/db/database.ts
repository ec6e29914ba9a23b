import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { isCollision } from './database-error.ts'
import { createDedicatedPools, type OpenDedicatedPool, type QueryPool } from './dedicated-pools.ts'
import { createHeavyReads, type HeavyReads } from './heavy-reads.ts'
import { discardStalledConnections } from './kysely-pool.ts'
import { createNotifications, type Notifications } from './notifications.ts'
import { disablePreparedStatements } from './pooler.ts'
import { createReplicaPools } from './read-replica.ts'
import type { Tables } from './tables.ts'

/** Database or transaction to which the `.store.ts` files send their queries. */
export type Db = Kysely<Tables>

/** Returns the database for work that may be abandoned: queries throw the signal's reason once it is aborted. */
const untilAborted = (db: Db, signal: AbortSignal | undefined): Db =>
  signal
    ? db.withPlugin({
        transformQuery: ({ node }) => {
          signal.throwIfAborted()
          return node
        },
        transformResult: async ({ result }) => result,
      })
    : db

/**
 * Runs `read` in a read-only repeatable-read transaction, so that its queries agree with each other. If
 * `signal` is aborted, the next query throws its reason.
 */
export const readInOneSnapshot = <T>(
  db: Db,
  read: (db: Db) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((state) => read(untilAborted(state, signal)))

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
  /** Runs reads that take much time, on the read replica if there is one. */
  heavyReads: HeavyReads
  /** Notifications of changes that other processes commit. */
  notifications: Notifications
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

/** Returns the database whose queries use a pool. */
const createDb = (pool: QueryPool): Kysely<Tables> =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: discardStalledConnections(pool) }) })

/** Addresses of optional further servers. */
type OtherAddresses = {
  /** Pooler in transaction mode in front of the server. */
  pooler_url?: string | undefined
  /** Replica for heavy reads. */
  read_url?: string | undefined
}

/**
 * Opens a pool on a migrated database; `log` reports connections that are lost while idle. Queries go through the
 * pooler and heavy reads to the replica, if these addresses are set.
 */
export const openPool = (
  connection: pg.PoolConfig,
  log: FastifyBaseLogger,
  { pooler_url, read_url }: OtherAddresses = {},
): Database => {
  const pool = new pg.Pool({
    ...LIMITS,
    ...(pooler_url ? { connectionString: pooler_url } : { ...SESSION_LIMITS, ...connection }),
    types,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  pool.on('connect', (client) => {
    // The query of a lost connection fails by itself; an 'error' event without a listener would end the process.
    client.on('error', () => undefined)
    if (pooler_url) disablePreparedStatements(client)
  })
  const db = createDb(pool)
  const limits = { ...LIMITS, ...SESSION_LIMITS, types }
  const openDedicatedPool = createDedicatedPools({ ...limits, ...connection }, { createDb })
  const heavyReads = createHeavyReads(
    { source: { db, pool }, openDedicatedPool },
    read_url
      ? createReplicaPools({ ...limits, connectionString: read_url }, { createDb, primary: pool })
      : undefined,
    log,
  )
  const notifications = createNotifications(connection, log)
  return {
    db,
    pool,
    openDedicatedPool,
    heavyReads,
    notifications,
    isReady: () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    close: async () => {
      await Promise.all([notifications.close(), heavyReads.close()])
      await pool.end()
    },
  }
}
