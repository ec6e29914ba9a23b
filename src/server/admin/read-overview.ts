import { statfs } from 'node:fs/promises'
import type { InstallationOverview } from '#contract/admin.ts'
import type { AccountManagement } from '#server/auth/admin/manage-accounts.ts'
import type { Config } from '#server/config/config.ts'
import type { Database } from '#server/db/database.ts'
import { readMigrations } from '#server/db/migrate.ts'
import type { RecentErrors } from '#server/error-reports/recent-errors.ts'
import { RELEASE } from '#server/runtime/release.ts'
import { countAccounts } from './accounts.store.ts'
import { readDatabaseState, readMailQueue, readQueues } from './overview.store.ts'

/** Dependencies of the overview. */
export type OverviewDependencies = {
  database: Pick<Database, 'db' | 'isReady'>
  config: Pick<Config, 'data_dir' | 'is_worker' | 'smtp_url' | 'auth'>
  /** Accounts of this installation; undefined if another service holds them. */
  accounts: AccountManagement | undefined
  /** Returns the last errors of this process, newest first. */
  recentErrors: RecentErrors['list']
}

/** Returns free and total bytes of the disk of a folder; null if it cannot be read. */
const readDisk = async (folder: string): Promise<InstallationOverview['health']['disk']> => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free_bytes: bavail * bsize, size_bytes: blocks * bsize }
  } catch {
    return null
  }
}

/**
 * Compares the last migration of the database with the last one of this process. The database is newer while a newer release
 * takes over.
 */
export const compareSchemas = (
  schema: string,
  known_schema: string,
): InstallationOverview['versions']['schema_state'] => {
  if (schema === known_schema) return 'same'
  return schema > known_schema ? 'newer' : 'older'
}

/** Returns the state of the installation, as this process and its database know it. */
export const readOverview = async ({
  database: { db, isReady },
  config,
  accounts,
  recentErrors,
}: OverviewDependencies): Promise<InstallationOverview> => {
  const [is_ready, disk, state, queues, mails, counted, sign_up_mode] = await Promise.all([
    isReady(),
    readDisk(config.data_dir),
    readDatabaseState(db),
    readQueues(db),
    readMailQueue(db),
    countAccounts(db),
    accounts ? accounts.findSignUpMode() : config.auth.sign_up_mode,
  ])
  const known_schema = readMigrations().at(-1)?.name ?? ''
  const { postgresql, schema, nb_processes, last_backup_at } = state
  return {
    versions: {
      quizaine: RELEASE.slice(RELEASE.indexOf('@') + 1),
      node: process.versions.node,
      postgresql,
      schema,
      known_schema,
      schema_state: compareSchemas(schema, known_schema),
    },
    health: {
      is_ready,
      worker: config.is_worker ? 'inline' : 'separate',
      uptime_s: Math.floor(process.uptime()),
      nb_processes,
      disk,
    },
    queues,
    mails: { ...mails, has_mail_server: config.smtp_url !== undefined },
    errors: recentErrors(),
    last_backup_at,
    has_accounts: accounts !== undefined,
    accounts: { ...counted, sign_up_mode },
  }
}
