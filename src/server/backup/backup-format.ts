import { hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { z } from 'zod'

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
function* rowsOf(block: Buffer): Generator<Buffer> {
  let start = 0
  while (start < block.length) {
    const end = block.indexOf(NEW_LINE, start)
    if (end < 0) throw new Error('A block of rows ends within a row.')
    yield block.subarray(start, end)
    start = end + 1
  }
}

/** How many rows, and a sum of them that no order changes. */
export type Digest = { rows: number; sha256_sum: string }

const LANES = 8

/**
 * Counts rows and adds up the SHA-256 of each, lane by lane: two tables with the same digest hold the
 * same rows, in whatever order each was read.
 */
export const createRowDigest = () => {
  const sum = new Uint32Array(LANES)
  let rows = 0
  return {
    add: (block: Buffer): void => {
      for (const row of rowsOf(block)) {
        const digest = hash('sha256', row, 'buffer')
        for (let lane = 0; lane < LANES; lane++)
          sum[lane] = (sum[lane] ?? 0) + digest.readUInt32BE(lane * 4)
        rows++
      }
    },
    end: (): Digest => ({
      rows,
      sha256_sum: Array.from(sum, (lane) => lane.toString(16).padStart(8, '0')).join(''),
    }),
  }
}

/** A backup that is not restored; the message says why in one line. */
export class RefusedBackup extends Error {
  override name = 'RefusedBackup'
}

export const FORMAT = 'quizaine-backup'
export const VERSION = 1

const count = z.number().int().min(0)
const name = z.string().min(1).max(63)

/** First line: what the file is, and the schema that its rows are of. */
export const headerLine = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  created_at: z.string(),
  /** Tells SECRET_KEYs apart; null where none was at hand. */
  secret_key_id: z.string().nullable(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  sequences: z.array(
    z.object({ sequence: name, last_value: z.string().regex(/^-?\d+$/), is_called: z.boolean() }),
  ),
})
export type Header = z.output<typeof headerLine>

/** Begins a table. Blocks of rows in COPY's text form follow, each after its length. */
export const tableLine = z.object({ table: name, columns: z.array(name) })
export const blockLine = z.object({ bytes: z.number().int().min(1) })
/** Ends a table. */
export const tableEnd = z.object({ rows: count, sha256_sum: z.string() })
/** Last line: nothing was cut off, and `sha256` is that of all that stands before it. */
export const endLine = z.object({ tables: count, rows: count, sha256: z.string() })

/** What a whole backup held. */
export type Totals = { tables: number; rows: number }
