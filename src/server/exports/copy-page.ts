import type { CompiledQuery } from 'kysely'
import pg from 'pg'

/** Lines as COPY writes them, end to end. */
export type Page = { bytes: Buffer; nb_lines: number }

const FIRST_BYTES = 1_048_576

/** All that a statement `COPY … TO STDOUT` gives; of so many lines as memory holds. */
export const copyPage = async (pool: pg.Pool, query: CompiledQuery): Promise<Page> => {
  const client = await pool.connect()
  try {
    const page = await copyAll(client, withLiterals(query))
    client.release()
    return page
  } catch (error) {
    client.release(true)
    throw error
  }
}

const copyAll = (client: pg.PoolClient, statement: string): Promise<Page> =>
  new Promise((resolve, reject) => {
    let bytes = Buffer.allocUnsafe(FIRST_BYTES)
    let used = 0
    let nb_lines = 0
    const copying = {
      /** The driver puts its time-out around this, and waits for it to be called. */
      callback: (error?: Error) => error && reject(error),
      submit: (connection: pg.Connection) => connection.query(statement),
      // A line a message; the bytes are the driver's, and another line's soon.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => {
        if (used + chunk.length > bytes.length) {
          const larger = Buffer.allocUnsafe(2 * (used + chunk.length))
          bytes.copy(larger, 0, 0, used)
          bytes = larger
        }
        used += chunk.copy(bytes, used)
        nb_lines++
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => {
        copying.callback()
        resolve({ bytes: bytes.subarray(0, used), nb_lines })
      },
      handleError: (error: Error) => {
        copying.callback(error)
        reject(error)
      },
    }
    client.query(copying)
  })

/** COPY takes no parameters: each stands in the text as a literal, of no type yet, as they are. */
export const withLiterals = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
  sql.replaceAll(/\$(\d+)/g, (_, rank: string) => literalOf(parameters[Number(rank) - 1]))

const literalOf = (value: unknown): string => {
  if (typeof value === 'string') return pg.escapeLiteral(value)
  if (typeof value === 'number') return pg.escapeLiteral(String(value))
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(entryOf).join()}}`)
  throw new TypeError('No literal is known for this parameter')
}

const entryOf = (value: unknown): string => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`
