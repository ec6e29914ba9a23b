import type { FastifyBaseLogger } from 'fastify'
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

const NO_ANSWER = /^Query read timeout/

/**
 * Wraps a pool for Kysely so that a connection whose answer did not arrive in time is closed. Kysely would release it
 * as usable, and the next query would wait for the old answer.
 */
export const discardStalledConnections = (pool: pg.Pool): PostgresPool => ({
  options: pool.options,
  connect: async () => new Guarded(await pool.connect()),
  end: () => pool.end(),
})

type Asking<R> = Promise<PostgresQueryResult<R>>
type Command = PostgresQueryResult<unknown>['command']

class Guarded implements PostgresPoolClient {
  #client: pg.PoolClient
  #hasStalled = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  query<R>(sql: string, parameters: readonly unknown[]): Asking<R>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    asked: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Asking<R> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('Nothing streams by cursors')
    return this.#ask<R>(asked, parameters)
  }

  release(isDiscarded = false): void {
    this.#client.release(isDiscarded || this.#hasStalled)
  }

  async #ask<R>(sql: string, parameters: readonly unknown[]): Asking<R> {
    try {
      const { command, rowCount, rows } = await this.#client.query(sql, [...parameters])
      // Kysely's type lists its own commands; the driver returns any text.
      return { command: command as Command, rowCount: rowCount ?? 0, rows }
    } catch (error) {
      this.#hasStalled ||= error instanceof Error && NO_ANSWER.test(error.message)
      throw error
    }
  }
}

const isNamed = (query: unknown): query is { name: string } =>
  typeof query === 'object' && query !== null && 'name' in query && 'text' in query

/**
 * Makes a connection send statements without names. A pooler in transaction mode may run the next statement in
 * another session, which lacks the prepared statement.
 */
export const disablePreparedStatements = (client: pg.ClientBase): void => {
  const { query } = client
  Object.assign(client, {
    query: (given: unknown, ...rest: unknown[]): unknown => {
      const unnamed = isNamed(given) ? { ...given, name: undefined } : given
      return Reflect.apply(query, client, [unnamed, ...rest])
    },
  })
}

/** Error of a pooler for settings that belong to a session. */
const REFUSED_SETTING = /unsupported startup parameter/

/**
 * Returns a one-line problem if DATABASE_URL leads to a pooler that is not declared as one. Warns if statements
 * through a pooler have no time limit. An unreachable database is no problem here.
 */
export const findPoolerProblem = async (
  pool: pg.Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<string | undefined> => {
  try {
    const { rows } = await pool.query<{ statement_timeout: string }>('show statement_timeout')
    if (rows[0]?.statement_timeout === '0')
      log.warn('statements through the pooler have no time limit: see docs/operations.md')
  } catch (error) {
    if (REFUSED_SETTING.test(String(error)))
      return "DATABASE_DIRECT_URL: required with a pooler's DATABASE_URL, the server's own address"
  }
  return undefined
}

/** A pool of a few connections for one purpose, opened on demand. */
type DedicatedPool = {
  db: Kysely<Tables>
  /** Closes the connections and the queries that run on them. */
  close: () => Promise<void>
}

/** Opens a pool for statements of up to `longest_ms`. pg_stat_activity shows its name. */
export type OpenDedicatedPool = (wanted: {
  name: string
  most: number
  longest_ms: number
}) => DedicatedPool

/**
 * Creates dedicated pools that connect to the database itself. A pooler has few connections, which a long statement
 * would occupy, and time-outs of its own.
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
        // PostgreSQL checks for lost connections regularly and then cancels their statements.
        await Promise.all([...open].map((client) => endClient(client)))
        await ended
      },
    }
  }

const endClient = async (client: pg.PoolClient): Promise<void> => {
  if ('end' in client && typeof client.end === 'function') await client.end()
}
