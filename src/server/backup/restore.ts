import type pg from 'pg'
import {
  applyWithin,
  checkHistory,
  isRestoreUnfinished,
  listApplied,
  lockMigrations,
  type Migration,
  readMigrations,
  unlockMigrations,
} from '#server/db/migrate.ts'
import { type Difference, findDifferences } from '#server/statistics/verify.store.ts'
import { findFilled, hasLiveServer, listTables, noteRestored, SETTINGS } from './catalogue.store.ts'
import type { Totals } from './format.ts'
import { isLoaded, loadTables } from './load-tables.ts'
import type { Backup } from './read-backup.ts'

/** A database that is not written into; the message says why in one line. */
export class RefusedTarget extends Error {
  override name = 'RefusedTarget'
}

/** A database that was filled from the same contents before, to the end, and holds them still. */
export class AlreadyRestored extends RefusedTarget {
  override name = 'AlreadyRestored'
}

export type Restored = Totals & {
  foreign_keys: number
  /** Migrations that are newer than the backup, and were applied to what it held. */
  migrated: string[]
  /** Kept figures that a recount does not give. The rows are the backup's, so they differed there already. */
  differences: Difference[]
}

/**
 * Fills an empty database from a backup, in one transaction: the schema of the backup, its rows, the
 * foreign keys, the migrations that have come since. Every table is read back and compared. A failure
 * leaves the database as it was; a kill leaves a mark that servers refuse (UnfinishedRestore) and that
 * the next restore takes away. One that had committed is known by what it wrote of itself. Throws
 * RefusedBackup, RefusedTarget, AlreadyRestored.
 */
export const restoreInto = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[] = readMigrations(),
): Promise<Restored> => {
  checkHistory(backup.header.migrations, migrations, 'backup')
  await client.query(SETTINGS)
  await lockMigrations(client)
  try {
    return await fillWithMark(client, backup, migrations)
  } finally {
    await unlockMigrations(client).catch(() => undefined)
  }
}

const fillWithMark = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[],
): Promise<Restored> => {
  const applied = await refuseUnlessEmpty(client, backup, migrations)
  const wasCut = await isRestoreUnfinished(client)
  if (!wasCut)
    await client.query('create table unfinished_restore (began_at timestamptz default now())')
  try {
    await client.query('begin')
    const restored = await fill(client, backup, { migrations, applied })
    await noteRestored(client, backup.fingerprint())
    await client.query('drop table unfinished_restore')
    await client.query('commit')
    await client.query('analyze')
    return restored
  } catch (error) {
    // Nothing of ours is left then; when the connection is what failed, the mark stays.
    await client.query('rollback').catch(() => undefined)
    if (!wasCut)
      await client.query('drop table if exists unfinished_restore').catch(() => undefined)
    throw error
  }
}

/** How many migrations the database has: none, or a beginning of the backup's, and in either case no row. */
const refuseUnlessEmpty = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[],
): Promise<number> => {
  const { header } = backup
  if (await hasLiveServer(client))
    throw new RefusedTarget('A Quizaine is running on the database: stop it first.')
  const { tables } = await listTables(client, migrations)
  const filled = await findFilled(client, tables)
  if (filled !== undefined && (await isLoaded(client, backup, migrations)))
    throw new AlreadyRestored(
      'The database holds all of it already, every row read and compared: nothing was written.',
    )
  if (filled !== undefined)
    throw new RefusedTarget(
      `The database is not empty (table ${filled} has rows): give one that is.`,
    )
  const applied = await listApplied(client)
  if (applied.length > header.migrations.length)
    throw new RefusedTarget(
      'The database has a newer schema than the backup: give one without tables.',
    )
  checkHistory(applied, migrations)
  return applied.length
}

const fill = async (
  client: pg.Client,
  backup: Backup,
  { migrations, applied }: { migrations: readonly Migration[]; applied: number },
): Promise<Restored> => {
  const known = migrations.slice(0, backup.header.migrations.length)
  for (const migration of known.slice(applied)) await applyWithin(client, migration)
  const foreign_keys = await loadTables(client, backup, known)
  const newer = migrations.slice(known.length)
  for (const migration of newer) {
    await applyWithin(client, migration)
    await client.query('set constraints all immediate')
  }
  return {
    ...backup.totals(),
    foreign_keys,
    migrated: newer.map(({ name }) => name),
    differences: await findDifferences(client),
  }
}
