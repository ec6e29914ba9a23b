import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

const isNamed = (query: unknown): query is { name: string } =>
  typeof query === 'object' && query !== null && 'name' in query && 'text' in query

/**
 * Has a connection send every statement without its name. A prepared statement belongs to a session, and
 * a pooler in transaction mode gives the next statement to another one.
 */
export const forgetStatementNames = (client: pg.ClientBase): void => {
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
