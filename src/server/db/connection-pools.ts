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
 * The pool as Kysely takes connections from it. Kysely gives each back as if all were well; one on which
 * an answer did not come in time still waits for it, and the next query on it would wait as well, until
 * the network's own time-out. Such a connection is closed instead.
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
      // Kysely knows of the commands that it sends; to the driver they are any text.
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
 * Has a connection send every statement without its name. A prepared statement belongs to a session, and
 * a pooler in transaction mode gives the next statement to another one.
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

/** What a pooler answers to settings that belong to a session. */
const REFUSED_SETTING = /unsupported startup parameter/

/**
 * Why the address in DATABASE_URL does not do, in one line, when it is a pooler's and was not said to be.
 * Warns when statements through a pooler may run for ever. A database that is away has no such problem.
 */
export const findPoolerProblem = async (
  pool: pg.Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<string | undefined> => {
  try {
    const { rows } = await pool.query<{ statement_timeout: string }>('show statement_timeout')
    if (rows[0]?.statement_timeout === '0')
      log.warn('nothing bounds statements through the pooler: docs/operations.md says how')
  } catch (error) {
    if (REFUSED_SETTING.test(String(error)))
      return "DATABASE_DIRECT_URL: required with a pooler's DATABASE_URL, the server's own address"
  }
  return undefined
}

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
