import type pg from 'pg'
import { listTables, quoteIdentifier } from '#server/backup/catalogue.store.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { readMigrations } from '#server/db/migrate.ts'

/** Returns a backup of a database as one buffer. */
export const createBackup = async (
  client: pg.Client,
  migrations = readMigrations(),
): Promise<Buffer> => concatenate(writeBackup(client, { secret_key_id: null, migrations }))

/** Returns all pieces of a stream as one buffer. */
export const concatenate = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

const PIECE_BYTES = 1_000

/** Yields bytes in pieces whose ends do not match lines, as a file stream does. */
export async function* splitIntoPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

/** Later migration that adds a column with values for existing rows. */
export const LATER_MIGRATION = {
  name: '999_later.sql',
  sql: 'alter table all_quizzes add column later integer not null default 7',
  checksum: 'later',
}

/** Returns every row of every table as JSON in a fixed order. */
export const readAllRows = async (
  client: pg.Client,
  migrations = readMigrations(),
): Promise<Record<string, string[]>> => {
  const { tables } = await listTables(client, migrations)
  const all: Record<string, string[]> = {}
  for (const { table } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${quoteIdentifier(table)} t order by 1`,
    )
    all[table] = rows.map(({ row }) => row)
  }
  return all
}

/** Returns the schema in PostgreSQL's own notation. */
export const describeSchema = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ line: string }>(`
    select concat_ws(' ', 'column', table_name, column_name, data_type, is_nullable, column_default) as line
    from information_schema.columns where table_schema = 'public'
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select indexdef from pg_indexes where schemaname = 'public'
    union all
    select concat_ws(' ', tgrelid::regclass, tgenabled, pg_get_triggerdef(oid))
    from pg_trigger where not tgisinternal
    order by 1`)
  return rows.map(({ line }) => line)
}
