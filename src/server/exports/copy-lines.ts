import { finished } from 'node:stream'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { to } from 'pg-copy-streams'

const NEW_LINE = 10

/** Gets each line as COPY writes it, with its line end. */
export type OnLine = (line: Buffer) => void

/** Runs a statement `COPY … TO STDOUT` and passes each line on as it arrives. */
export const copyLines = async (
  pool: pg.Pool,
  query: CompiledQuery,
  onLine: OnLine,
): Promise<void> => {
  const client = await pool.connect()
  try {
    // The driver wraps its query timeout around `callback`, which pg-copy-streams does not call.
    const timed = Object.assign(to(withLiterals(query)), { callback: () => undefined })
    const copying = client.query(timed)
    finished(copying, () => timed.callback())
    await eachLine(copying, onLine)
  } catch (error) {
    client.release(true)
    throw error
  }
  client.release()
}

const eachLine = async (chunks: AsyncIterable<Buffer>, onLine: OnLine): Promise<void> => {
  let begun: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk
    let start = 0
    for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, start)) {
      onLine(bytes.subarray(start, end + 1))
      start = end + 1
    }
    begun = bytes.subarray(start)
  }
}

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
