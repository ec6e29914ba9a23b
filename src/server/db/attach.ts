import pg from 'pg'
import type { Config } from '#server/config.ts'
import { embeddedConnection } from './postgres-access.ts'
import { findRunning } from './postgres-process.ts'

/**
 * One connection beside the application's, for a command that may take its time: to the server that
 * DATABASE_URL names, else to the embedded one while its application runs; undefined when it does not.
 */
export const attach = async ({
  database_url,
  data_dir,
}: Pick<Config, 'database_url' | 'data_dir'>): Promise<pg.Client | undefined> => {
  if (!database_url && findRunning(data_dir) === undefined) return undefined
  const client = new pg.Client(
    database_url ? { connectionString: database_url } : embeddedConnection(data_dir),
  )
  await client.connect()
  return client
}
