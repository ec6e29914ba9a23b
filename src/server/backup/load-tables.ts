import pg from 'pg'
import type { Migration } from '#server/db/migrate.ts'
import { copyIn, copyOut, createRowDigest, RefusedBackup } from './backup-format.ts'
import {
  type ForeignKey,
  formatTableColumns,
  listForeignKeys,
  listTables,
  quoteIdentifier,
  readRestoredFingerprint,
  type Table,
} from './catalogue.store.ts'
import type { Backup, ReadTable } from './read-backup.ts'
import { copyStatement } from './write-backup.ts'

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Replaces the rows of all tables with those of a backup of the same schema, in the caller's transaction. Foreign keys
 * are dropped and recreated, because tables are loaded in any order. Returns the number of foreign keys.
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
    await client.query(
      `alter table ${quoteIdentifier(table)} drop constraint ${quoteIdentifier(name)}`,
    )
  for (const name of names)
    await client.query(`alter table ${quoteIdentifier(name)} disable trigger user`)
  if (names.length > 0) await client.query(`truncate ${names.map(quoteIdentifier)}`)

  const missing = new Map(own.map((table) => [table.table, table]))
  for await (const read of tables) {
    const target = missing.get(read.table)
    if (!target || !hasSameColumns(target, read))
      throw new RefusedBackup(
        `Table ${read.table} of the backup does not match the schema of the backup.`,
      )
    missing.delete(read.table)
    await loadTable(client, read)
  }
  for (const name of missing.keys())
    throw new RefusedBackup(`Table ${name} of the schema is missing in the backup.`)

  for (const { sequence, last_value, is_called } of header.sequences)
    await client.query('select setval($1::regclass, $2, $3)', [
      quoteIdentifier(sequence),
      last_value,
      is_called,
    ])
  for (const name of names)
    await client.query(`alter table ${quoteIdentifier(name)} enable trigger user`)
  for (const key of keys) await addForeignKey(client, key)
  return keys.length
}

const hasSameColumns = (table: Table, other: Table): boolean =>
  table.columns.toSorted().join() === other.columns.toSorted().join()

/** Returns true if a table contains exactly the rows of the backup. */
const hasSameRows = async (client: pg.Client, read: ReadTable): Promise<boolean> => {
  const stored = createRowDigest()
  for await (const block of copyOut(client, copyStatement(read))) stored.add(block)
  const [actual, expected] = [stored.end(), read.end()]
  return actual.rows === expected.rows && actual.sha256_sum === expected.sha256_sum
}

/** Table that differs from the backup after a restore, because the command inserts an audit event. */
const TABLE_WITH_RESTORE_EVENT = 'audit_events'

/**
 * Returns true if the same backup was restored here and all compared tables still have its rows. Does not compare
 * `audit_events` and tables whose columns a newer migration changed.
 */
export const isLoaded = async (
  client: pg.Client,
  { tables, fingerprint }: Backup,
  migrations: readonly Migration[],
): Promise<boolean> => {
  const restored_fingerprint = await readRestoredFingerprint(client)
  if (restored_fingerprint === undefined) return false
  const own = (await listTables(client, migrations)).tables
  for await (const read of tables) {
    for await (const _ of read.blocks);
    const target = own.find(({ table }) => table === read.table)
    const isComparable =
      target !== undefined &&
      hasSameColumns(target, read) &&
      read.table !== TABLE_WITH_RESTORE_EVENT
    if (isComparable && !(await hasSameRows(client, read))) return false
  }
  return fingerprint() === restored_fingerprint
}

/** Copies the rows of a table, reads them back and compares them with the backup. */
const loadTable = async (client: pg.Client, read: ReadTable): Promise<void> => {
  await copyIn(client, `copy ${formatTableColumns(read)} from stdin`, read.blocks)
  if (!(await hasSameRows(client, read)))
    throw new RefusedBackup(
      `The restored table ${read.table} differs from the backup. Nothing was restored.`,
    )
}

const addForeignKey = async (
  client: pg.Client,
  { table, name, definition }: ForeignKey,
): Promise<void> => {
  try {
    await client.query(
      `alter table ${quoteIdentifier(table)} add constraint ${quoteIdentifier(name)} ${definition}`,
    )
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION)
      throw new RefusedBackup(
        `Rows of ${table} refer to rows that are not in the backup (${name}).`,
      )
    throw error
  }
}
