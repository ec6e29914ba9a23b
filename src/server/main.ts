import { once } from 'node:events'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { openDatabase } from './db/database.ts'
import { FolderInUse } from './db/embedded/embedded.ts'
import { MissingBinaries } from './db/embedded/postgres-binaries.ts'
import { PasswordRefused } from './db/embedded/postgres-session.ts'
import { UnfinishedRestore, UnreachableDatabase } from './db/migrate.ts'
import { closeGracefully, listen, listenForShutdown } from './runtime/lifecycle.ts'
import { createLog } from './runtime/log.ts'
import { loadSecretKey } from './runtime/secret-key.ts'

/** Failures whose message says all that its reader can act on. */
const EXPECTED = [
  ConfigError,
  FolderInUse,
  MissingBinaries,
  PasswordRefused,
  UnfinishedRestore,
  UnreachableDatabase,
]

/** Serves until it is told to stop; whatever ends it, the database is closed. */
const run = async (config: Config): Promise<void> => {
  const stop = listenForShutdown(config.drain_seconds * 1_000)
  const log = createLog(config)
  const database = await openDatabase({ config, log })
  try {
    // A second process on the folder is refused before the whole product is loaded.
    const { createApp } = await import('./app.ts')
    const app = await createApp({ config, database, secretKey: loadSecretKey(config), log })
    try {
      if (stop.aborted) return
      await listen(app, config)
      console.log(`Quizaine is ready on ${config.public_url}`)
      console.log('Load a demo account with `npm run seed`, in another terminal.')
      await once(stop, 'abort')
      log.info({ signal: stop.reason }, 'stopping')
      await app.drain(config.drain_seconds)
    } finally {
      await closeGracefully(app)
    }
  } finally {
    await database.close()
  }
}

// The reader of our output may go away, or its disk be full: the server goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  await run(readConfig(process.env))
  process.exit(0)
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  console.error(isExpected ? (error as Error).message : error)
  process.exit(1)
}
