import { z } from 'zod'

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
