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
  SESSION_SETTINGS,
  storeRestoredFingerprint,
} from './catalogue.store.ts'
import { isLoaded, loadTables } from './load-tables.ts'
import type { Backup } from './read-backup.ts'

/** Error with a one-line message for a database or data folder that a restore or backup cannot use. */
export class RefusedTarget extends Error {
  override name = 'RefusedTarget'
}

/** Error for a database into which this backup was already restored. */
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
 * Restores a backup into an empty database in one transaction: schema, rows, foreign keys, then newer migrations.
 * A failure leaves the database unchanged. A killed restore leaves the table `unfinished_restore`: servers refuse the
 * database until a repeated restore drops this table.
 */
export const restoreInto = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[] = readMigrations(),
): Promise<RestoreReport> => {
  checkHistory(backup.header.migrations, migrations, 'backup')
  await client.query(SESSION_SETTINGS)
  await lockMigrations(client)
  try {
    return await restoreAndMark(client, backup, migrations)
  } finally {
    await unlockMigrations(client).catch(() => undefined)
  }
}

const restoreAndMark = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[],
): Promise<RestoreReport> => {
  const applied = await assertEmptyTarget(client, backup, migrations)
  const wasInterrupted = await isRestoreUnfinished(client)
  if (!wasInterrupted)
    await client.query('create table unfinished_restore (began_at timestamptz default now())')
  try {
    await client.query('begin')
    const restored = await loadBackup(client, backup, { migrations, applied })
    await storeRestoredFingerprint(client, backup.fingerprint())
    await client.query('drop table unfinished_restore')
    await client.query('commit')
    await client.query('analyze')
    return restored
  } catch (error) {
    // If the connection was lost, both statements fail and the table `unfinished_restore` remains.
    await client.query('rollback').catch(() => undefined)
    if (!wasInterrupted)
      await client.query('drop table if exists unfinished_restore').catch(() => undefined)
    throw error
  }
}

/**
 * Returns the number of applied migrations. Throws RefusedTarget if a table has rows, a server uses the database, or
 * the database has more migrations than the backup.
 */
const assertEmptyTarget = async (
  client: pg.Client,
  backup: Backup,
  migrations: readonly Migration[],
): Promise<number> => {
  const { header } = backup
  if (await hasLiveServer(client))
    throw new RefusedTarget('A Quizaine server uses this database: stop the server first.')
  const { tables } = await listTables(client, migrations)
  const filled = await findFilledTable(client, tables)
  if (filled !== undefined && (await isLoaded(client, backup, migrations)))
    throw new AlreadyRestored(
      'This backup was already restored here. All comparable tables have the same rows ' +
        '(not compared: audit_events and tables that a newer migration changed). Nothing was written.',
    )
  if (filled !== undefined)
    throw new RefusedTarget(
      `The database is not empty (table ${filled} has rows): use an empty database.`,
    )
  const applied = await listApplied(client)
  if (applied.length > header.migrations.length)
    throw new RefusedTarget(
      'The database has a newer schema than the backup: use a database without tables.',
    )
  checkHistory(applied, migrations)
  return applied.length
}

const loadBackup = async (
  client: pg.Client,
  backup: Backup,
  { migrations, applied }: { migrations: readonly Migration[]; applied: number },
): Promise<RestoreReport> => {
  const of_backup = migrations.slice(0, backup.header.migrations.length)
  for (const migration of of_backup.slice(applied)) await applyWithin(client, migration)
  const foreign_keys = await loadTables(client, backup, of_backup)
  const newer = migrations.slice(of_backup.length)
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

/** Returns a number with its noun in the singular or plural. */
export const formatCount = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** Returns the lines that the command prints after a restore. */
export const formatRestoreReport = (header: Header, restored: RestoreReport): string[] => {
  const { tables, rows, foreign_keys, migrated, differences } = restored
  const nb_differences = differences.length
  return [
    `Restored ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')} from the backup of ${header.created_at}.`,
    'Verified: all rows were read back and compared; ' +
      `${formatCount(foreign_keys, 'foreign key')} checked; ` +
      (nb_differences === 0
        ? 'all counters equal a recount.'
        : `${formatCount(nb_differences, 'counter')} ${nb_differences === 1 ? 'differs' : 'differ'} from a recount; the backup has the same differences.`),
    migrated.length === 0
      ? `Schema: ${header.migrations.at(-1)?.name ?? 'none'}, the schema of this version.`
      : `Schema: ${header.migrations.at(-1)?.name ?? 'none'} in the backup. Newer migrations applied: ${migrated.join(', ')}.`,
  ]
}

/** Returns a warning if SECRET_KEY differs from the key of the backup; undefined if it is equal or unknown. */
export const formatKeyWarning = (header: Header, key_id: string | null): string | undefined =>
  header.secret_key_id === null || header.secret_key_id === key_id
    ? undefined
    : 'SECRET_KEY is not the key of the installation that was backed up. Before the first start, copy its secret.key ' +
      'into DATA_DIR, or set SECRET_KEY. The server does not start with another key (docs/backup.md).'
