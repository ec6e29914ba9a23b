import { hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { z } from 'zod'

const NEW_LINE = 10

/**
 * Yields the text output of `COPY … TO STDOUT` in blocks of complete rows. The database waits for a slow reader. A
 * reader that stops early must close the client.
 */
export async function* copyOut(client: pg.Client, statement: string): AsyncGenerator<Buffer> {
  const copying = client.query(to(statement))
  // Closing the client during COPY emits an error, which would end the process without a listener.
  copying.on('error', () => undefined)
  let partialRow: Buffer[] = []
  for await (const chunk of copying as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(NEW_LINE) + 1
    if (end > 0) yield Buffer.concat([...partialRow, chunk.subarray(0, end)])
    partialRow = end > 0 ? [chunk.subarray(end)] : [...partialRow, chunk]
  }
}

/** Passes blocks of rows to `COPY … FROM STDIN` and waits when the database is slower. */
export const copyIn = (
  client: pg.Client,
  statement: string,
  blocks: AsyncIterable<Buffer>,
): Promise<void> => pipeline(blocks, client.query(from(statement)))

/** Yields the rows of a block. Each line is one row, because COPY escapes line ends in values. */
function* rowsOf(block: Buffer): Generator<Buffer> {
  let start = 0
  while (start < block.length) {
    const end = block.indexOf(NEW_LINE, start)
    if (end < 0) throw new Error('A block of rows ends within a row.')
    yield block.subarray(start, end)
    start = end + 1
  }
}

/** Number of rows, and the sum of their hashes, which does not depend on the order of the rows. */
export type Digest = { rows: number; sha256_sum: string }

/** Number of 32-bit words in a SHA-256 hash. The sum of each word is kept separately. */
const WORDS_PER_HASH = 8

/**
 * Creates a digest that counts rows and adds up their SHA-256 hashes. Tables with equal digests contain the same rows
 * in any order.
 */
export const createRowDigest = () => {
  const sum = new Uint32Array(WORDS_PER_HASH)
  let rows = 0
  return {
    add: (block: Buffer): void => {
      for (const row of rowsOf(block)) {
        const digest = hash('sha256', row, 'buffer')
        for (let word = 0; word < WORDS_PER_HASH; word++)
          sum[word] = (sum[word] ?? 0) + digest.readUInt32BE(word * 4)
        rows++
      }
    },
    end: (): Digest => ({
      rows,
      sha256_sum: Array.from(sum, (word) => word.toString(16).padStart(8, '0')).join(''),
    }),
  }
}

/** Error with a one-line message for a backup file that cannot be written, read or restored. */
export class RefusedBackup extends Error {
  override name = 'RefusedBackup'
}

/** Format name in the first line of a backup. */
export const FORMAT = 'quizaine-backup'
/** Format version in the first line of a backup. */
export const VERSION = 1

const count = z.number().int().min(0)
const name = z.string().min(1).max(63)

/** First line of a backup: file format, and migrations and sequences of its database. */
export const headerLine = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  created_at: z.string(),
  /** Identifier of the SECRET_KEY; null if none was available. */
  secret_key_id: z.string().nullable(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  sequences: z.array(
    z.object({ sequence: name, last_value: z.string().regex(/^-?\d+$/), is_called: z.boolean() }),
  ),
})
/** Validated first line of a backup. */
export type Header = z.output<typeof headerLine>

/** Line before a table. Its rows follow as blocks in the text form of COPY, each after a `blockLine`. */
export const tableLine = z.object({ table: name, columns: z.array(name) })
/** Line before a block of rows, with the length of the block. */
export const blockLine = z.object({ bytes: z.number().int().min(1) })
/** Line after a table, with the digest of its rows. */
export const tableEnd = z.object({ rows: count, sha256_sum: z.string() })
/** Last line, which proves that the file is complete; `sha256` covers everything before it. */
export const endLine = z.object({ tables: count, rows: count, sha256: z.string() })

/** Totals of a complete backup. */
export type Totals = { tables: number; rows: number }
