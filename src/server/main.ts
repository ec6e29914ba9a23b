import { pino } from 'pino'
import { createApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { openDatabase } from './db/database.ts'
import { FolderInUse } from './db/embedded.ts'
import { MissingBinaries } from './db/postgres-binaries.ts'
import { loadSecretKey } from './secret-key.ts'

/** Failures whose message says all that its reader can act on. */
const EXPECTED = [ConfigError, FolderInUse, MissingBinaries]

const LONGEST_STOP_MS = 15_000

const run = async (config: Config): Promise<void> => {
  const log = pino({ level: config.log_level })
  const database = await openDatabase({ config, log })
  const app = await createApp({ config, database, secretKey: loadSecretKey(config), log })

  let isStopping = false
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    // A second signal does not wait for anybody.
    if (isStopping) process.exit(1)
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref()
    await app.close()
    await database.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

  await app.listen({ port: config.port, host: config.host })
  console.log(`Quizaine is ready on ${config.public_url}`)
  console.log('Load a demo account with `npm run seed`, in another terminal.')
}

// Whoever reads our output may go away; we serve on.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

try {
  await run(readConfig(process.env))
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  console.error(isExpected ? (error as Error).message : error)
  process.exit(1)
}
