import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** A pool of a few connections for one purpose, opened on demand. */
type DedicatedPool = {
  db: Kysely<Tables>
  /** Closes the connections and the queries that run on them. */
  close: () => Promise<void>
}

/** Opens a pool for statements of up to `timeout_ms`. pg_stat_activity shows its name. */
export type OpenDedicatedPool = (wanted: {
  name: string
  max_connections: number
  timeout_ms: number
}) => DedicatedPool

/**
 * Creates dedicated pools that connect to the database itself. A pooler has few connections, which a long statement
 * would occupy, and time-outs of its own.
 */
export const createDedicatedPools =
  (connection: pg.PoolConfig): OpenDedicatedPool =>
  ({ name, max_connections, timeout_ms }) => {
    const open = new Set<pg.PoolClient>()
    const pool = new pg.Pool({
      ...connection,
      max: max_connections,
      min: 0,
      connectionTimeoutMillis: 0,
      query_timeout: timeout_ms,
      statement_timeout: timeout_ms,
      application_name: `quizaine ${name}`,
    })
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      open.add(client)
      client.on('error', () => undefined)
      client.once('end', () => open.delete(client))
    })
    return {
      db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
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
