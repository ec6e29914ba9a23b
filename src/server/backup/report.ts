import type { Header } from './format.ts'
import type { Restored } from './restore.ts'

/** A number of things, in words. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** What a restore has verified, a line each. */
export const restoredLines = (header: Header, restored: Restored): string[] => {
  const { tables, rows, foreign_keys, migrated, differences } = restored
  const figures = differences.length
  return [
    `Restored ${counted(rows, 'row')} of ${counted(tables, 'table')}, as they were at ${header.created_at}.`,
    'Verified: every row read back and compared; ' +
      `${counted(foreign_keys, 'foreign key')} checked; ` +
      (figures === 0
        ? 'every counter is that of a recount.'
        : `${counted(figures, 'kept figure')} not those of a recount, here as in what was backed up.`),
    migrated.length === 0
      ? `Schema: ${header.migrations.at(-1)?.name ?? 'none'}, this version's.`
      : `Schema: ${header.migrations.at(-1)?.name ?? 'none'}, then ${migrated.join(', ')}.`,
  ]
}

/** What must be done about SECRET_KEY before the first start; nothing when it is the backup's. */
export const keyWarning = (header: Header, own: string | null): string | undefined =>
  header.secret_key_id === null || header.secret_key_id === own
    ? undefined
    : 'SECRET_KEY is not the one of the backup: put its secret.key into DATA_DIR, or set SECRET_KEY, ' +
      'before the first start. No server starts without it (docs/backup.md).'
