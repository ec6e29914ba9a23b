/** Process that runs the embedded database on the folder in its argument until SIGTERM. */
import { pino } from 'pino'
import { FolderInUse, startEmbedded } from '#server/db/embedded/embedded.ts'

try {
  const embedded = await startEmbedded({
    data_dir: process.argv[2] ?? '',
    log: pino({ level: 'silent' }),
  })
  process.on('SIGTERM', async () => {
    await embedded.stop()
    process.exit(0)
  })
  console.log('ready')
} catch (error) {
  if (!(error instanceof FolderInUse)) throw error
  console.log(error.message)
  process.exit(3)
}
