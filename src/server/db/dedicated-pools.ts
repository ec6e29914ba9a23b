import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** Connections for reads: `db` for queries of stores, `pool` for sessions without a query. */
export type ReadSource = {
  db: Kysely<Tables>
  pool: { connect: () => Promise<pg.PoolClient> }
}

/** A pool of a few connections for one purpose, opened on demand. */
type DedicatedPool = ReadSource & {
  /** Closes all connections, also those of running queries. */
  close: () => Promise<void>
}

/** Settings of a dedicated pool for statements of up to `timeout_ms`. `pg_stat_activity` shows `name`. */
export type DedicatedPoolSettings = { name: string; max_connections: number; timeout_ms: number }

/** Opens a dedicated pool. */
export type OpenDedicatedPool = (settings: DedicatedPoolSettings) => DedicatedPool

/** Part of a pool that Kysely uses. */
export type QueryPool = Pick<pg.Pool, 'options' | 'end'> & ReadSource['pool']

/** Options of all dedicated pools on one server. */
export type DedicatedPoolOptions = {
  /** Creates the database whose queries use a pool. */
  createDb: (pool: QueryPool) => Kysely<Tables>
  /** Maximum time to open a connection; 0 waits without a limit. */
  connect_timeout_ms?: number
  /** Returns a connection for the next transaction; by default any connection of the pool. */
  checkOut?: (pool: pg.Pool) => Promise<pg.PoolClient>
}

/** Time in which the server must report the time-out of a statement. */
const TIMEOUT_REPORT_MS = 1_000

/**
 * Creates a function that opens dedicated pools on the database server itself. A pooler has few connections, which a long
 * statement would occupy, and time-outs of its own.
 */
export const createDedicatedPools =
  (
    connection: pg.PoolConfig,
    { createDb, connect_timeout_ms = 0, checkOut = (pool) => pool.connect() }: DedicatedPoolOptions,
  ): OpenDedicatedPool =>
  ({ name, max_connections, timeout_ms }) => {
    const open = new Set<pg.PoolClient>()
    const pool = new pg.Pool({
      ...connection,
      max: max_connections,
      min: 0,
      connectionTimeoutMillis: connect_timeout_ms,
      query_timeout: timeout_ms + TIMEOUT_REPORT_MS,
      statement_timeout: timeout_ms,
      application_name: `quizaine ${name}`,
    })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      open.add(client)
      client.on('error', () => undefined)
      client.once('end', () => open.delete(client))
    })
    const query_pool: QueryPool = {
      options: pool.options,
      connect: () => checkOut(pool),
      end: () => pool.end(),
    }
    return {
      db: createDb(query_pool),
      pool: query_pool,
      close: async () => {
        const ended = pool.end()
        // PostgreSQL checks for lost connections regularly and then cancels their statements.
        await Promise.all([...open].map((client) => endClient(client)))
        await ended
      },
    }
  }

const endClient = async (client: pg.PoolClient): Promise<void> => {
  if ('end' in client && typeof client.end === 'function') await client.end()
}
