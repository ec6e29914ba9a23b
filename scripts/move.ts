/** Copies the embedded database to an empty PostgreSQL server. Quizaine must not run meanwhile (docs/backup.md). */
import { recordCommand } from '#server/audit/audit-log.ts'
import { secretKeyId } from '#server/backup/backup-file.ts'
import { readBackup } from '#server/backup/read-backup.ts'
import { AlreadyRestored, formatRestoreReport, restoreInto } from '#server/backup/restore.ts'
import { withStoppedDatabase, withTarget } from '#server/backup/source-and-target.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { readConfig } from '#server/config/config.ts'
import { fail } from './fail.ts'

const move = async (target: string): Promise<void> => {
  // The configuration validates the address.
  const { database_url } = readConfig({ DATABASE_URL: target, SECRET_KEY: '-'.repeat(32) })
  const config = readConfig({
    ...process.env,
    DATABASE_URL: undefined,
    DATABASE_DIRECT_URL: undefined,
  })
  const { data_dir } = config
  await withStoppedDatabase(data_dir, async (source) => {
    const backup = await readBackup(writeBackup(source, { secret_key_id: secretKeyId(config) }))
    try {
      const restored = await withTarget({ database_url, data_dir }, async (client) => {
        const done = await restoreInto(client, backup)
        await recordCommand(client, 'backup_restored', 'move')
        return done
      })
      for (const line of formatRestoreReport(backup.header, restored)) console.log(line)
    } catch (error) {
      // The previous move was interrupted after its commit.
      if (!(error instanceof AlreadyRestored)) throw error
      console.log(error.message)
    }
  })
  if (!config.secret_key)
    console.log(
      `Start with DATABASE_URL and SECRET_KEY=base64url:<content of ${data_dir}/secret.key>.`,
    )
}

const target = process.env.TARGET_DATABASE_URL
await (target
  ? move(target)
  : Promise.reject(
      new Error('The target is missing: TARGET_DATABASE_URL=postgres://… npm run move'),
    )
).catch(fail)
