import { once } from 'node:events'
import type { createApp } from './app.ts'
import { type Config, readConfig } from './config/config.ts'
import { printFailure } from './config/operator-error.ts'
import { openDatabase } from './db/open-database.ts'
import { createErrorReports } from './error-reports/error-reports.ts'
import { closeGracefully, listen, listenForShutdown } from './runtime/lifecycle.ts'
import { createLog } from './runtime/log.ts'
import { RELEASE, VERSION } from './runtime/release.ts'
import { loadSecretKey } from './runtime/secret-key.ts'

/** Folders of the built browser files; undefined for those in dist. */
type Folders = Parameters<typeof createApp>[0]['folders']

/** Serves until the process is told to stop, and closes the database however it ends. */
const run = async (config: Config, folders: Folders): Promise<void> => {
  const stop = listenForShutdown(config.drain_seconds * 1_000)
  const errorReports = createErrorReports({ address: config.error_reports, release: RELEASE })
  const log = createLog(config, { onError: errorReports.report })
  const database = await openDatabase({ config, log })
  try {
    // Loads the application only now, so that a second process on the folder is refused quickly.
    const { createApp } = await import('./app.ts')
    const app = await createApp({
      config,
      database,
      secretKey: loadSecretKey(config),
      log,
      error_reports: errorReports,
      ...(folders && { folders }),
    })
    try {
      if (stop.aborted) return
      await listen(app, config)
      console.log(`Quizaine ${VERSION} is ready on ${config.public_url}`)
      console.log('Load a demo account with `npm run seed`, in another terminal.')
      await once(stop, 'abort')
      log.info({ signal: stop.reason }, 'stopping')
      await app.drain(config.drain_seconds)
    } finally {
      await closeGracefully(app)
    }
  } finally {
    await database.close()
    await errorReports.close()
  }
}

/**
 * Runs the server of a process with the configuration of its environment, and ends the process with it. A mistake of the
 * operator is printed without a stack.
 */
export const serveUntilStopped = async (
  env: Record<string, string | undefined>,
  folders?: Folders,
): Promise<never> => {
  // The server continues if the reader of its output leaves or the disk is full.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  try {
    await run(readConfig(env), folders)
    process.exit(0)
  } catch (error) {
    printFailure(error)
    process.exit(1)
  }
}
