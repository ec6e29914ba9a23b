import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

/** Error of a pooler for settings that belong to a session. */
const REFUSED_SETTING = /unsupported startup parameter/

/** Returns true if the error of a connection shows that its address leads to a pooler. */
export const isRefusedByPooler = (error: unknown): boolean => REFUSED_SETTING.test(String(error))

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
    if (isRefusedByPooler(error))
      return "DATABASE_DIRECT_URL: required with a pooler's DATABASE_URL, the server's own address"
  }
  return undefined
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
    query: (text_or_config: unknown, ...rest: unknown[]): unknown => {
      const unnamed = isNamed(text_or_config)
        ? { ...text_or_config, name: undefined }
        : text_or_config
      return Reflect.apply(query, client, [unnamed, ...rest])
    },
  })
}
