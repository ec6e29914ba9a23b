import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** A few connections beside the pool's, opened when they are needed. */
type Apart = {
  db: Kysely<Tables>
  /** Ends them, whatever runs there. */
  close: () => Promise<void>
}

/** Opens some for what may take so long; the name is what the database's own lists call them. */
export type OpenApart = (wanted: { name: string; most: number; longest_ms: number }) => Apart

/**
 * Connections to the database's own address, never through a pooler: what takes long there would keep one
 * of the few that everybody shares, and its time-outs are not a session's.
 */
export const createApart =
  (connection: pg.PoolConfig): OpenApart =>
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
        await Promise.all([...open].map((client) => hangUp(client)))
        await ended
      },
    }
  }

const hangUp = async (client: pg.PoolClient): Promise<void> => {
  if ('end' in client && typeof client.end === 'function') await client.end()
}
