import type { CompiledQuery } from 'kysely'
import pg from 'pg'

/** Hears of a line as COPY writes it, with its end; the bytes are another line's soon. */
export type OnLine = (line: Buffer) => void

/** Runs a statement `COPY … TO STDOUT` and gives each line on as it comes. */
export const copyLines = async (
  pool: pg.Pool,
  query: CompiledQuery,
  onLine: OnLine,
): Promise<void> => {
  const client = await pool.connect()
  try {
    await copyAll(client, withLiterals(query), onLine)
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
}

const copyAll = (client: pg.PoolClient, statement: string, onLine: OnLine): Promise<void> =>
  new Promise((resolve, reject) => {
    const copying = {
      /** The driver puts its time-out around this, and waits for it to be called. */
      callback: (error?: Error) => error && reject(error),
      submit: (connection: pg.Connection) => connection.query(statement),
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        try {
          onLine(chunk)
        } catch (error) {
          // In the driver's hands it would end the process.
          reject(error)
        }
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => {
        copying.callback()
        resolve()
      },
      handleError: (error: Error) => copying.callback(error),
    }
    client.query(copying)
  })

/** COPY takes no parameters: each stands in the text as a literal, of no type yet, as they are. */
const withLiterals = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
  sql.replaceAll(/\$(\d+)/g, (_, rank: string) => literalOf(parameters[Number(rank) - 1]))

const literalOf = (value: unknown): string => {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number') return pg.escapeLiteral(String(value))
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(entryOf).join()}}`)
  throw new TypeError('No literal is known for this parameter')
}

const entryOf = (value: unknown): string => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`
