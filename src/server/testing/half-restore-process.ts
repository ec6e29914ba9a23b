/** Process that restores half of a backup into a data folder and then waits. Arguments: file, folder. */
import { open } from 'node:fs/promises'
import { readBackup } from '#server/backup/read-backup.ts'
import { restoreInto } from '#server/backup/restore.ts'
import { withTarget } from '#server/backup/source-and-target.ts'

const [file = '', data_dir = ''] = process.argv.slice(2)

async function* firstHalf(): AsyncGenerator<Buffer> {
  const handle = await open(file)
  const { size } = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(Math.floor(size / 2)))
  yield buffer
  console.log('half')
  // The process waits until it is killed.
  await new Promise(() => setInterval(() => undefined, 60_000))
}

const backup = await readBackup(firstHalf())
await withTarget({ database_url: undefined, data_dir }, (client) => restoreInto(client, backup))
