import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const FOLDER = join(import.meta.dirname, 'migrations')
/** Held while migrations run, so that processes that start together apply each once. */
const MIGRATION_LOCK = 7_305_115

const CONNECT_PATIENCE_MS = 10_000

/** The database cannot be reached, or does not let us in. */
export class UnreachableDatabase extends Error {
  override name = 'UnreachableDatabase'
}

type Migration = { name: string; sql: string; checksum: string }

/** The migrations of a folder, in the order of their numbers. */
export const readMigrations = (folder = FOLDER): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })

/**
 * Brings a database to this code's schema: what is missing is applied in order, each in a transaction
 * of its own. Refuses a database that is newer than the code or whose applied files have changed.
 * Gives the names it applied; throws UnreachableDatabase.
 */
export const migrate = async (
  connection: pg.ClientConfig,
  migrations = readMigrations(),
): Promise<string[]> => {
  const client = await connect(connection)
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      `create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`,
    )
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name',
    )
    checkHistory(rows, migrations)
    const missing = migrations.slice(rows.length)
    for (const migration of missing) await apply(client, migration)
    return missing.map(({ name }) => name)
  } finally {
    // Ending the session also gives the lock back.
    await client.end()
  }
}

const connect = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_PATIENCE_MS })
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const reason = message || code
    throw new UnreachableDatabase(`The database cannot be reached: ${reason}`, { cause: error })
  }
  return client
}

const checkHistory = (
  applied: readonly { name: string; checksum: string }[],
  known: readonly Migration[],
): void => {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = known[index]
    if (migration?.name !== name)
      throw new Error(`The database has migration ${name}, which this version does not know.`)
    if (migration.checksum !== checksum)
      throw new Error(`Migration ${name} has changed since it was applied to this database.`)
  }
}

const apply = async (client: pg.Client, { name, sql, checksum }: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      name,
      checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}
