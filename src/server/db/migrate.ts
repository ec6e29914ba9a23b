import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '#server/config/operator-error.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
/** Advisory lock held while migrations run, so that processes that start together apply each migration once. */
const MIGRATION_LOCK = 7_305_115

const CONNECT_TIMEOUT_MS = 10_000

/** Error for a database that cannot be reached or refuses the login. */
class UnreachableDatabase extends OperatorError {
  override name = 'UnreachableDatabase'
}

/** Error for a database whose restore was interrupted or still runs. */
export class UnfinishedRestore extends OperatorError {
  override name = 'UnfinishedRestore'

  constructor() {
    super(
      'A restore into this database was interrupted: run npm run restore again (docs/backup.md).',
    )
  }
}

/** A migration file and the checksum of its text. */
export type Migration = { name: string; sql: string; checksum: string }

/** Returns the migrations of a folder in the order of their numbers. */
export const readMigrations = (folder = FOLDER): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })

/**
 * Applies the missing migrations in order, each in its own transaction, and returns their names. Refuses a database
 * that is newer than the code or whose applied files have changed. Throws UnreachableDatabase.
 */
export const migrate = async (
  connection: pg.ClientConfig,
  migrations = readMigrations(),
): Promise<string[]> => {
  const client = await connect(connection)
  const names: string[] = []
  try {
    for (;;) {
      const applied = await applyNext(client, migrations)
      if (!applied) return names
      names.push(applied.name)
    }
  } finally {
    await client.end()
  }
}

/** Starts a transaction without the time-outs of visitors' calls; the lock ends with the transaction. */
const BEGIN = `begin;
set local statement_timeout = 0; set local lock_timeout = 0;
set local idle_in_transaction_session_timeout = 0`

/**
 * Applies the first missing migration in a transaction that holds the migration lock. Returns undefined if none is
 * missing.
 */
const applyNext = async (
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<Migration | undefined> => {
  await client.query(BEGIN)
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    if (await isRestoreUnfinished(client)) throw new UnfinishedRestore()
    const applied = await listApplied(client)
    checkHistory(applied, migrations)
    const next = migrations[applied.length]
    if (next) await apply(client, next)
    await client.query('commit')
    return next
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/** Waits until no process migrates or restores, then holds the lock of this session until `unlockMigrations`. */
export const lockMigrations = async (client: pg.Client): Promise<void> => {
  await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
}

/** Releases the lock of `lockMigrations`. */
export const unlockMigrations = async (client: pg.Client): Promise<void> => {
  await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
}

/** Returns true if a restore has begun and not ended. The transaction that ends it drops this table. */
export const isRestoreUnfinished = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('unfinished_restore') is not null as exists",
  )
  return rows[0]?.exists === true
}

type AppliedMigration = Pick<Migration, 'name' | 'checksum'>

/** Returns the applied migrations of a database in order; none if it was never migrated. */
export const listApplied = async (client: pg.Client): Promise<AppliedMigration[]> => {
  const { rows: found } = await client.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  )
  if (!found[0]?.exists) return []
  const { rows } = await client.query<AppliedMigration>(
    'select name, checksum from schema_migrations order by name',
  )
  return rows
}

const connect = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  try {
    await client.connect()
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const reason = message || code
    throw new UnreachableDatabase(`The database cannot be reached: ${reason}`, { cause: error })
  }
  return client
}

/** Throws if a database or a backup is newer than this code or was created from other migration files. */
export const checkHistory = (
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
  owner = 'database',
): void => {
  for (const [index, { name, checksum }] of applied.entries()) {
    const migration = known[index]
    if (migration?.name !== name)
      throw new OperatorError(
        `The ${owner} has migration ${name}, which this version does not know: ` +
          'use the version that made it, or an older backup (docs/backup.md).',
      )
    if (migration.checksum !== checksum)
      throw new OperatorError(
        `Migration ${name} has changed since it was applied to this ${owner}: use the files of a release unchanged.`,
      )
  }
}

/**
 * SQL that gives the view `quizzes` the current columns of its table (docs/decisions/081). Does nothing in databases from
 * before the trash.
 */
const RENEW_QUIZZES_VIEW = `do $$
begin
  if to_regclass('all_quizzes') is not null then
    create or replace view quizzes as select * from all_quizzes where trashed_at is null;
  end if;
end
$$`

/** Runs one migration in the transaction of the caller. */
export const applyWithin = async (
  client: pg.Client,
  { name, sql, checksum }: Migration,
): Promise<void> => {
  await client.query(
    `create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`,
  )
  await client.query(sql)
  await client.query(RENEW_QUIZZES_VIEW)
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
    name,
    checksum,
  ])
}

const apply = async (client: pg.Client, migration: Migration): Promise<void> => {
  try {
    await applyWithin(client, migration)
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed`, { cause: error })
  }
}
