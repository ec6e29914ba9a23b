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

/** Runs work on one connection; its statements report a lost connection. */
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

/** Starts the database of a data folder during the work. Throws if another process uses it. */
const withEmbedded = async <T>(data_dir: string, work: Work<T>): Promise<T> => {
  const { connection, stop } = await startEmbedded({ data_dir, log })
  try {
    return await runAndEnd(await connect(connection), work)
  } finally {
    await stop()
  }
}

/** Connects to the database to back up. The embedded one is started unless it runs. */
export const withSource = async <T>(place: Place, work: Work<T>): Promise<T> => {
  if (!place.database_url) refuseUnfinishedRestore(place.data_dir)
  const client = await connectForCommand(place)
  return client ? runAndEnd(client, work) : withStoppedDatabase(place.data_dir, work)
}

/** Connects to the embedded database while no server uses it. */
export const withStoppedDatabase = async <T>(data_dir: string, work: Work<T>): Promise<T> => {
  refuseUnfinishedRestore(data_dir)
  if (!existsSync(clusterFolder(data_dir)))
    throw new RefusedTarget(`There is no database in ${data_dir}.`)
  return withEmbedded(data_dir, work)
}

/**
 * Connects to the database to restore into: an external server, or a new database in a data folder. A new database is
 * built in another folder and renamed when complete; an interrupted one is rebuilt.
 */
export const withTarget = async <T>(
  { database_url, data_dir }: Place,
  work: Work<T>,
): Promise<T> => {
  if (database_url) return runAndEnd(await connect({ connectionString: database_url }), work)
  const cluster = clusterFolder(data_dir)
  if (existsSync(cluster))
    throw new RefusedTarget(`${data_dir} has a database: choose a DATA_DIR without one.`)
  const restoring = restoringFolder(data_dir)
  const wasCut = existsSync(restoring)
  makeDataFolder(data_dir)
  try {
    if (wasCut) await empty(restoring)
    const done = await withEmbedded(restoring, work)
    renameSync(clusterFolder(restoring), cluster)
    syncFolder(data_dir)
    rmSync(restoring, { recursive: true, force: true })
    return done
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new RefusedTarget(`Another restore into ${data_dir} is running.`)
    if (!wasCut) rmSync(restoring, { recursive: true, force: true })
    throw error
  }
}

/** Removes the remains of a killed restore unless it still runs. The folder itself stays as a mark. */
const empty = async (restoring: string): Promise<void> => {
  await withEmbedded(restoring, async () => undefined)
  rmSync(clusterFolder(restoring), { recursive: true, force: true })
}
