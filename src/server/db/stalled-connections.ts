import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'

const NO_ANSWER = /^Query read timeout/

/**
 * The pool as Kysely takes connections from it. Kysely gives each back as if all were well; one on which
 * an answer did not come in time still waits for it, and the next query on it would wait as well, until
 * the network's own time-out. Such a connection is closed instead.
 */
export const withoutStalled = (pool: pg.Pool): PostgresPool => ({
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
