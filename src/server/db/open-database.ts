import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { type Config, ConfigError } from '#server/config/config.ts'
import { warnOfClocks } from './clocks.ts'
import { type Database, openPool } from './database.ts'
import { refuseSharedFolder, startEmbedded } from './embedded/embedded.ts'
import { clusterFolder } from './embedded/postgres-folder.ts'
import { migrate, UnfinishedRestore } from './migrate.ts'
import { findPoolerProblem } from './pooler.ts'

/** Returns the folder in which a data folder's database is restored before it takes its place. */
export const restoringFolder = (data_dir: string): string => join(data_dir, 'restoring')

/**
 * Throws UnfinishedRestore if a restore into a data folder was interrupted or still runs. Removes the remains of a
 * completed one.
 */
export const refuseUnfinishedRestore = (data_dir: string): void => {
  const restoring = restoringFolder(data_dir)
  if (!existsSync(restoring)) return
  if (!existsSync(clusterFolder(data_dir))) throw new UnfinishedRestore()
  rmSync(restoring, { recursive: true, force: true })
}

/**
 * Opens and migrates the database of a configuration: the server of DATABASE_URL, or the embedded one, which `close`
 * also stops.
 */
export const openDatabase = async ({
  config,
  log,
}: {
  config: Pick<Config, 'database_url' | 'data_dir'> &
    Partial<Pick<Config, 'pooler_url' | 'read_url'>>
  log: FastifyBaseLogger
}): Promise<Database> => {
  if (!config.database_url) refuseUnfinishedRestore(config.data_dir)
  // Keys, mails and text messages are written into this folder even with an external database.
  refuseSharedFolder(config.data_dir)
  const embedded = config.database_url
    ? undefined
    : await startEmbedded({ data_dir: config.data_dir, log })
  const connection = embedded?.connection ?? { connectionString: config.database_url }
  let applied: string[]
  try {
    applied = await migrate(connection)
    if (applied.length > 0) log.info({ applied }, 'migrations applied')
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const opened = openPool(connection, log, config)
  const problem =
    (await findPoolerProblem(opened.pool, log)) ?? (await opened.heavyReads.findProblem())
  if (problem) {
    await opened.close()
    await embedded?.stop()
    throw new ConfigError(problem)
  }
  await warnOfClocks(opened.pool, log)
  return {
    ...opened,
    applied,
    close: async () => {
      await opened.close()
      await embedded?.stop()
    },
  }
}
