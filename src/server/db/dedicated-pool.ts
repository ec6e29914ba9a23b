import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** A pool of a few connections for one purpose, opened when they are needed. */
type DedicatedPool = {
  db: Kysely<Tables>
  /** Ends them, and the queries that run on them. */
  close: () => Promise<void>
}

/** Opens a pool for statements of up to `longest_ms`. The name is shown by pg_stat_activity. */
export type OpenDedicatedPool = (wanted: {
  name: string
  most: number
  longest_ms: number
}) => DedicatedPool

/**
 * Connects to the database itself, never through a pooler: a long statement would take one of the few connections that
 * all clients of the pooler share, and the pooler's time-outs are not those of a session.
 */
export const createDedicatedPools =
  (connection: pg.PoolConfig): OpenDedicatedPool =>
  ({ name, most, longest_ms }) => {
    const open = new Set<pg.PoolClient>()
    const pool = new pg.Pool({
      ...connection,
      max: most,
      min: 0,
      connectionTimeoutMillis: 0,
      query_timeout: longest_ms,
      statement_timeout: longest_ms,
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
        // What runs loses its connection; PostgreSQL looks for that every so often, and stops.
        await Promise.all([...open].map((client) => endClient(client)))
        await ended
      },
    }
  }

const endClient = async (client: pg.PoolClient): Promise<void> => {
  if ('end' in client && typeof client.end === 'function') await client.end()
}
