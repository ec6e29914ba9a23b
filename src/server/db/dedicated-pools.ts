import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** Where reads go: queries of stores, and connections for statements that no store can send. */
export type ReadSource = {
  db: Kysely<Tables>
  pool: { connect: () => Promise<pg.PoolClient> }
}

/** A pool of a few connections for one purpose, opened on demand. */
type DedicatedPool = ReadSource & {
  /** Closes the connections and the queries that run on them. */
  close: () => Promise<void>
}

/** Settings of a dedicated pool for statements of up to `timeout_ms`. pg_stat_activity shows its name. */
export type DedicatedPoolSettings = { name: string; max_connections: number; timeout_ms: number }

/** Opens a dedicated pool. */
export type OpenDedicatedPool = (wanted: DedicatedPoolSettings) => DedicatedPool

/** What queries need of a pool. */
export type OpenPool = Pick<pg.Pool, 'options' | 'end'> & ReadSource['pool']

/** How dedicated pools open and hand out connections. */
export type DedicatedPoolOptions = {
  /** Returns the database whose queries use a pool. */
  createDb: (pool: OpenPool) => Kysely<Tables>
  /** Time until a connection must be open; 0 waits without a limit. */
  connect_timeout_ms?: number
  /** Takes a connection for the next transaction. */
  checkOut?: (pool: pg.Pool) => Promise<pg.PoolClient>
}

/** Time after a statement's time-out in which the server should have reported it. */
const REPORT_MS = 1_000

/**
 * Creates dedicated pools that connect to the database itself. A pooler has few connections, which a long statement
 * would occupy, and time-outs of its own.
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
      query_timeout: timeout_ms + REPORT_MS,
      statement_timeout: timeout_ms,
      application_name: `quizaine ${name}`,
    })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      open.add(client)
      client.on('error', () => undefined)
      client.once('end', () => open.delete(client))
    })
    const checked = {
      options: pool.options,
      connect: () => checkOut(pool),
      end: () => pool.end(),
    }
    return {
      db: createDb(checked),
      pool: checked,
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
