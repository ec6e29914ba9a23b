/** Fills an empty database from a file of `npm run backup` (docs/backup.md). */
import { recordCommand } from '#server/audit/audit-log.ts'
import { readBackupFile, secretKeyId } from '#server/backup/backup-file.ts'
import { readBackup } from '#server/backup/read-backup.ts'
import { formatKeyWarning, formatRestoreReport, restoreInto } from '#server/backup/restore.ts'
import { withTarget } from '#server/backup/source-and-target.ts'
import { readConfig } from '#server/config/config.ts'
import { fail } from './fail.ts'

const restore = async (file: string): Promise<void> => {
  const config = readConfig(process.env)
  const passphrase = process.env.BACKUP_PASSPHRASE || undefined
  const backup = await readBackup(readBackupFile(file, { passphrase }))
  const restored = await withTarget(config, async (client) => {
    const done = await restoreInto(client, backup)
    await recordCommand(client, 'backup_restored', 'restore')
    return done
  })
  for (const line of formatRestoreReport(backup.header, restored)) console.log(line)
  const warning = formatKeyWarning(backup.header, secretKeyId(config))
  if (warning) console.error(warning)
}

const [file] = process.argv.slice(2)
await (file
  ? restore(file)
  : Promise.reject(new Error('The file is missing: npm run restore -- FILE'))
).catch(fail)
