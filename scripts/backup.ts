/** Writes all rows of the database to a file, with or without a running server (docs/backup.md). */
import { recordCommand } from '#server/audit/audit-log.ts'
import { secretKeyId, writeBackupFile } from '#server/backup/backup-file.ts'
import type { Totals } from '#server/backup/backup-format.ts'
import { formatCount } from '#server/backup/restore.ts'
import { withSource } from '#server/backup/source-and-target.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { readConfig } from '#server/config/config.ts'
import { fail } from './fail.ts'

const backUp = async (file: string): Promise<void> => {
  const config = readConfig(process.env)
  const passphrase = process.env.BACKUP_PASSPHRASE || undefined
  const secret_key_id = secretKeyId(config)
  let totals: (Totals & { others: string[] }) | undefined
  const bytes = await withSource(config, async (client) => {
    const onEnd = (all: typeof totals): void => {
      totals = all
    }
    const content = writeBackup(client, { secret_key_id, onEnd })
    const written = await writeBackupFile(file, content, { passphrase })
    await recordCommand(client, 'backup_written', passphrase ? 'sealed' : 'not_sealed')
    return written
  })
  const { tables = 0, rows = 0, others = [] } = totals ?? {}
  const encryption = passphrase ? 'encrypted' : 'not encrypted: set BACKUP_PASSPHRASE to encrypt it'
  console.log(
    `${file}: ${formatCount(rows, 'row')} of ${formatCount(tables, 'table')}, ${formatCount(bytes, 'byte')}; the file was read and verified; ${encryption}.`,
  )
  if (others.length > 0)
    console.log(
      `Not in the backup, because Quizaine did not create these tables: ${others.join(', ')}.`,
    )
}

const [file] = process.argv.slice(2)
await (file
  ? backUp(file)
  : Promise.reject(new Error('The file is missing: npm run backup -- FILE'))
).catch(fail)
