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
import {
  type Difference,
  findDifferences,
} from '#server/statistics/counters/verify-counters.store.ts'
import type { Header, Totals } from './backup-format.ts'
import {
  findFilledTable,
  hasLiveServer,
  listTables,
  markRestored,
  SETTINGS,
} from './catalogue.store.ts'
import { isLoaded, loadTables } from './load-tables.ts'
import type { Backup } from './read-backup.ts'

/** Error of a database that cannot be restored into, with a one-line message. */
export class RefusedTarget extends Error {
  override name = 'RefusedTarget'
}

/** Error of a database that already contains this backup completely. */
export class AlreadyRestored extends RefusedTarget {
  override name = 'AlreadyRestored'
}

/** Result of a completed restore. */
export type RestoreReport = Totals & {
  foreign_keys: number
  /** Migrations newer than the backup, which were applied after its rows were loaded. */
  migrated: string[]
  /** Counters that differ from a recount. The backup contained the same differences. */
  differences: Difference[]
}

/**
 * Restores a backup into an empty database in one transaction: its schema, rows, foreign keys, and newer migrations.
 * All tables are read back and compared. A failure leaves the database unchanged; a kill leaves a mark, which servers
 * refuse and the next restore removes.
 */
export const restoreInto = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[] = readMigrations(),
): Promise<RestoreReport> => {
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
): Promise<RestoreReport> => {
  const applied = await refuseUnlessEmpty(client, backup, migrations)
  const wasCut = await isRestoreUnfinished(client)
  if (!wasCut)
    await client.query('create table unfinished_restore (began_at timestamptz default now())')
  try {
    await client.query('begin')
    const restored = await loadBackup(client, backup, { migrations, applied })
    await markRestored(client, backup.fingerprint())
    await client.query('drop table unfinished_restore')
    await client.query('commit')
    await client.query('analyze')
    return restored
  } catch (error) {
    // Rolls everything back; the mark remains if the connection failed.
    await client.query('rollback').catch(() => undefined)
    if (!wasCut)
      await client.query('drop table if exists unfinished_restore').catch(() => undefined)
    throw error
  }
}

/**
 * Returns the number of applied migrations, which must be a prefix of the backup's. Throws if any table has a row.
 */
const refuseUnlessEmpty = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[],
): Promise<number> => {
  const { header } = backup
  if (await hasLiveServer(client))
    throw new RefusedTarget('A Quizaine is running on the database: stop it first.')
  const { tables } = await listTables(client, migrations)
  const filled = await findFilledTable(client, tables)
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

const loadBackup = async (
  client: pg.Client,
  backup: Backup,
  { migrations, applied }: { migrations: readonly Migration[]; applied: number },
): Promise<RestoreReport> => {
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

/** Returns a number and its noun in the right form. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** Returns a report of a restore, one line for each verified fact. */
export const restoredLines = (header: Header, restored: RestoreReport): string[] => {
  const { tables, rows, foreign_keys, migrated, differences } = restored
  const figures = differences.length
  return [
    `Restored ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')}, as they were at ${header.created_at}.`,
    'Verified: every row read back and compared; ' +
      `${formatCount(foreign_keys, 'foreign key')} checked; ` +
      (figures === 0
        ? 'every counter is that of a recount.'
        : `${formatCount(figures, 'kept figure')} not those of a recount, here as in what was backed up.`),
    migrated.length === 0
      ? `Schema: ${header.migrations.at(-1)?.name ?? 'none'}, this version's.`
      : `Schema: ${header.migrations.at(-1)?.name ?? 'none'}, then ${migrated.join(', ')}.`,
  ]
}

/** Returns what to do about SECRET_KEY before the first start; undefined if it is the backup's. */
export const keyWarning = (header: Header, own: string | null): string | undefined =>
  header.secret_key_id === null || header.secret_key_id === own
    ? undefined
    : 'SECRET_KEY is not the one of the backup: put its secret.key into DATA_DIR, or set SECRET_KEY, ' +
      'before the first start. No server starts without it (docs/backup.md).'
