import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type RawBuilder,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { QueryPool } from './dedicated-pools.ts'

/** Begins the text of a statement that each connection prepares once. */
const PREPARED = /^-- prepared: (\S+)\n/

/**
 * Returns the first line of a long statement that is run often with other parameters. The connection parses and plans
 * such a statement once; that of a claim takes 5 ms. The rest of the text must be constant.
 */
export const prepared = (name: string): RawBuilder<unknown> => sql.raw(`-- prepared: ${name}\n`)

const NO_ANSWER = /^Query read timeout/

/**
 * Wraps a pool for Kysely so that a connection whose answer did not arrive in time is closed. Kysely would release it
 * as usable, and the next query would wait for the old answer.
 */
export const discardStalledConnections = (pool: QueryPool): PostgresPool => ({
  options: pool.options,
  connect: async () => new StallDiscardingClient(await pool.connect()),
  end: () => pool.end(),
})

type PendingQuery<R> = Promise<PostgresQueryResult<R>>
type Command = PostgresQueryResult<unknown>['command']

class StallDiscardingClient implements PostgresPoolClient {
  #client: pg.PoolClient
  #hasStalled = false

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  query<R>(sql: string, parameters: readonly unknown[]): PendingQuery<R>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    query: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): PendingQuery<R> | PostgresCursor<R> {
    if (typeof query !== 'string') throw new Error('Nothing streams by cursors')
    return this.#ask<R>(query, parameters)
  }

  release(isDiscarded = false): void {
    this.#client.release(isDiscarded || this.#hasStalled)
  }

  async #ask<R>(text: string, parameters: readonly unknown[]): PendingQuery<R> {
    try {
      const name = PREPARED.exec(text)?.[1]
      const { command, rowCount, rows } = await this.#client.query({
        text,
        values: [...parameters],
        ...(name ? { name } : {}),
      })
      // Kysely's type lists its own commands; the driver returns any text.
      return { command: command as Command, rowCount: rowCount ?? 0, rows }
    } catch (error) {
      this.#hasStalled ||= error instanceof Error && NO_ANSWER.test(error.message)
      throw error
    }
  }
}
