import pg from 'pg'
import type { Migration } from '#server/db/migrate.ts'
import { copyIn, copyOut, createRowDigest, RefusedBackup } from './backup-format.ts'
import {
  type ForeignKey,
  listForeignKeys,
  listTables,
  quoted,
  readRestored,
  type Table,
  withColumns,
} from './catalogue.store.ts'
import type { Backup, ReadTable } from './read-backup.ts'
import { copyStatement } from './write-backup.ts'

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Loads the rows of a backup into tables of the same schema, in the caller's transaction. Returns the number of
 * foreign keys. Foreign keys are dropped and recreated, so that rows can be loaded in any order and all are checked.
 */
export const loadTables = async (
  client: pg.Client,
  { header, tables }: Backup,
  migrations: readonly Migration[],
): Promise<number> => {
  const own = (await listTables(client, migrations)).tables
  const names = own.map(({ table }) => table)
  const keys = (await listForeignKeys(client)).filter(({ table }) => names.includes(table))
  for (const { table, name } of keys)
    await client.query(`alter table ${quoted(table)} drop constraint ${quoted(name)}`)
  for (const name of names) await client.query(`alter table ${quoted(name)} disable trigger user`)
  if (names.length > 0) await client.query(`truncate ${names.map(quoted)}`)

  const missing = new Map(own.map((table) => [table.table, table]))
  for await (const read of tables) {
    const target = missing.get(read.table)
    if (!target || !isSameShape(target, read))
      throw new RefusedBackup(`Table ${read.table} of the backup is not one of its schema.`)
    missing.delete(read.table)
    await load(client, read)
  }
  for (const name of missing.keys())
    throw new RefusedBackup(`The backup has no table ${name}, which its schema has.`)

  for (const { sequence, last_value, is_called } of header.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [
      quoted(sequence),
      last_value,
      is_called,
    ])
  for (const name of names) await client.query(`alter table ${quoted(name)} enable trigger user`)
  for (const key of keys) await addForeignKey(client, key)
  return keys.length
}

const isSameShape = (one: Table, other: Table): boolean =>
  one.columns.toSorted().join() === other.columns.toSorted().join()

/** Returns true if a table contains exactly the rows of the backup. */
const isStored = async (client: pg.Client, read: ReadTable): Promise<boolean> => {
  const stored = createRowDigest()
  for await (const block of copyOut(client, copyStatement(read))) stored.add(block)
  const [actual, expected] = [stored.end(), read.end()]
  return actual.rows === expected.rows && actual.sha256_sum === expected.sha256_sum
}

/** Table into which a restore inserts an audit event; it therefore differs from the backup afterwards. */
const TABLE_WITH_RESTORE_EVENT = 'audit_events'

/**
 * Returns true if the same backup was completely restored here and its rows are still there. Tables whose columns a
 * later migration has changed are not compared. Reads the backup to its end.
 */
export const isLoaded = async (
  client: pg.Client,
  { tables, fingerprint }: Backup,
  migrations: readonly Migration[],
): Promise<boolean> => {
  const known = await readRestored(client)
  if (known === undefined) return false
  const own = (await listTables(client, migrations)).tables
  for await (const read of tables) {
    for await (const _ of read.blocks);
    const target = own.find(({ table }) => table === read.table)
    const isComparable =
      target !== undefined && isSameShape(target, read) && read.table !== TABLE_WITH_RESTORE_EVENT
    if (isComparable && !(await isStored(client, read))) return false
  }
  return fingerprint() === known
}

/** Copies a table and compares it with the backup by reading it back. */
const load = async (client: pg.Client, read: ReadTable): Promise<void> => {
  await copyIn(client, `copy ${withColumns(read)} from stdin`, read.blocks)
  if (!(await isStored(client, read)))
    throw new RefusedBackup(
      `Table ${read.table}, read back, has other rows than the backup: nothing was restored.`,
    )
}

const addForeignKey = async (
  client: pg.Client,
  { table, name, definition }: ForeignKey,
): Promise<void> => {
  try {
    await client.query(`alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION)
      throw new RefusedBackup(
        `Rows of ${table} point to rows that are not in the backup (${name}).`,
      )
    throw error
  }
}
