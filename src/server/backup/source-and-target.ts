import { existsSync, renameSync, rmSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import type { Config } from '#server/config/config.ts'
import { FolderInUse, makeDataFolder, startEmbedded } from '#server/db/embedded/embedded.ts'
import { connectForCommand } from '#server/db/embedded/postgres-access.ts'
import { clusterFolder } from '#server/db/embedded/postgres-folder.ts'
import { refuseUnfinishedRestore, restoringFolder } from '#server/db/open-database.ts'
import { syncFolder } from '#server/runtime/secret-key.ts'
import { RefusedTarget } from './restore.ts'

type Place = Pick<Config, 'database_url' | 'data_dir'>
type Work<T> = (client: pg.Client) => Promise<T>

const log = pino({ level: 'silent' })

/**
 * Runs `work` on a connection and closes the connection. The error listener is empty, because a statement on a lost
 * connection throws anyway.
 */
const runAndEnd = async <T>(client: pg.Client, work: Work<T>): Promise<T> => {
  client.on('error', () => undefined)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const connect = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, application_name: 'quizaine-backup' })
  await client.connect()
  return client
}

/** Runs `work` on the embedded database, which is started before and stopped afterwards. Throws FolderInUse. */
const withEmbedded = async <T>(data_dir: string, work: Work<T>): Promise<T> => {
  const { connection, stop } = await startEmbedded({ data_dir, log })
  try {
    return await runAndEnd(await connect(connection), work)
  } finally {
    await stop()
  }
}

/** Runs `work` on the database to back up. A stopped embedded database is started before and stopped afterwards. */
export const withSource = async <T>(place: Place, work: Work<T>): Promise<T> => {
  if (!place.database_url) refuseUnfinishedRestore(place.data_dir)
  const client = await connectForCommand(place)
  return client ? runAndEnd(client, work) : withStoppedDatabase(place.data_dir, work)
}

/** Runs `work` on the embedded database. Throws FolderInUse if a server uses the data folder. */
export const withStoppedDatabase = async <T>(data_dir: string, work: Work<T>): Promise<T> => {
  refuseUnfinishedRestore(data_dir)
  if (!existsSync(clusterFolder(data_dir)))
    throw new RefusedTarget(`There is no database in ${data_dir}.`)
  return withEmbedded(data_dir, work)
}

/**
 * Runs `work` on the target of a restore: an external server, or a new database in the data folder. A new database is
 * filled in the folder of `restoringFolder` and moved when it is complete. A repeated restore empties that folder first.
 */
export const withTarget = async <T>(
  { database_url, data_dir }: Place,
  work: Work<T>,
): Promise<T> => {
  if (database_url) return runAndEnd(await connect({ connectionString: database_url }), work)
  const cluster = clusterFolder(data_dir)
  if (existsSync(cluster))
    throw new RefusedTarget(
      `${data_dir} already has a database: choose a DATA_DIR without a database.`,
    )
  const restoring = restoringFolder(data_dir)
  const wasInterrupted = existsSync(restoring)
  makeDataFolder(data_dir)
  try {
    if (wasInterrupted) await deleteInterrupted(restoring)
    const done = await withEmbedded(restoring, work)
    renameSync(clusterFolder(restoring), cluster)
    syncFolder(data_dir)
    rmSync(restoring, { recursive: true, force: true })
    return done
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new RefusedTarget(`Another restore into ${data_dir} is running.`)
    if (!wasInterrupted) rmSync(restoring, { recursive: true, force: true })
    throw error
  }
}

/**
 * Deletes the database of a killed restore, but not the folder, because servers refuse to start while it exists.
 * Throws FolderInUse if the restore still runs.
 */
const deleteInterrupted = async (restoring: string): Promise<void> => {
  await withEmbedded(restoring, async () => undefined)
  rmSync(clusterFolder(restoring), { recursive: true, force: true })
}
