import { once } from 'node:events'
import { ConfigError, readConfig } from './config/config.ts'
import { printFailure } from './config/operator-error.ts'
import { openDatabase } from './db/open-database.ts'
import { runOutbox } from './deliveries/run-outbox.ts'
import { createSenders } from './deliveries/send.ts'
import { createErrorReports } from './error-reports/error-reports.ts'
import { createHeavyWork } from './heavy-work/heavy-work.ts'
import { createIntegrations } from './integrations/create-integrations.ts'
import { createCompiledVersions } from './published-versions/compiled-versions.ts'
import { createReports } from './reports/create-reports.ts'
import { createTextParser } from './rich-texts/text-parser.ts'
import { listenForShutdown } from './runtime/lifecycle.ts'
import { createLog } from './runtime/log.ts'
import { RELEASE } from './runtime/release.ts'
import { loadSecretKey } from './runtime/secret-key.ts'

/** Delivers the outbox of a database that other processes serve (`npm run worker`). */
const run = async (): Promise<void> => {
  const config = readConfig(process.env)
  if (!config.database_url)
    throw new ConfigError(
      'DATABASE_URL: a worker beside the server needs a database that both can reach',
    )
  const stop = listenForShutdown()
  const errorReports = createErrorReports({ address: config.error_reports, release: RELEASE })
  const log = createLog(config, { onError: errorReports.report })
  const database = await openDatabase({ config, log })
  const tracing =
    config.tracing &&
    (await import('./http/observability/tracing.ts')).startTracing(config.tracing, {
      pool: database.pool,
      log,
    })
  try {
    const { db } = database
    const secretKey = loadSecretKey(config)
    const integrations = createIntegrations({ db, config, secretKey, log })
    const heavyWork = createHeavyWork()
    const compiled = createCompiledVersions(db, createTextParser(heavyWork))
    const reports = createReports({
      db,
      compiled,
      secretKey,
      heavyWork,
      public_url: config.public_url,
    })
    const { send, erase, campaigns } = createSenders({
      db,
      config,
      integrations,
      secretKey,
      compiled,
      reports,
      log,
    })
    const outbox = runOutbox(database, { send, erase, campaigns, log, tracing })
    log.info({ release: RELEASE }, 'delivering the outbox')
    if (!stop.aborted) await once(stop, 'abort')
    await outbox.close()
    await heavyWork.close()
  } finally {
    await tracing?.close()
    await database.close()
    await errorReports.close()
  }
}

try {
  await run()
  process.exit(0)
} catch (error) {
  printFailure(error)
  process.exit(1)
}
