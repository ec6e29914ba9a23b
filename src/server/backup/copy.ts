import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

const NEW_LINE = 10

/**
 * What a statement `COPY … TO STDOUT` in text form gives, in blocks of whole rows; the database waits for
 * a slow reader. A reader that stops early must end the client.
 */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer> {
  const copying = client.query(to(statement))
  // A client that ends after its reader stopped reports it here, where an error without a listener is fatal.
  copying.on('error', () => undefined)
  let begun: Buffer[] = []
  for await (const chunk of copying as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(NEW_LINE) + 1
    if (end > 0) yield Buffer.concat([...begun, chunk.subarray(0, end)])
    begun = end > 0 ? [chunk.subarray(end)] : [...begun, chunk]
  }
}

/** Gives blocks of rows to a statement `COPY … FROM STDIN`, as fast as the database takes them. */
export const copyIn = (
  client: pg.Client,
  statement: string,
  blocks: AsyncIterable<Buffer>,
): Promise<void> => pipeline(blocks, client.query(from(statement)))

/** The rows of a block, which ends with a whole one; text form keeps line ends out of values. */
export function* rowsOf(block: Buffer): Generator<Buffer> {
  let start = 0
  while (start < block.length) {
    const end = block.indexOf(NEW_LINE, start)
    if (end < 0) throw new Error('A block of rows ends within a row.')
    yield block.subarray(start, end)
    start = end + 1
  }
}
