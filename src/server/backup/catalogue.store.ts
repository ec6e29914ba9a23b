import pg from 'pg'
import type { Migration } from '#server/db/migrate.ts'

/** Table with its columns in order, without generated columns. */
export type Table = { table: string; columns: string[] }
/** Current state of a sequence. */
export type Sequence = { sequence: string; last_value: string; is_called: boolean }
/** Foreign key with its definition in SQL. */
export type ForeignKey = { table: string; name: string; definition: string }

/** SQL condition for relations of the current schema that do not belong to an extension. */
const IN_CURRENT_SCHEMA = `relnamespace = (select oid from pg_namespace where nspname = current_schema())
  and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
  )`

const TABLES = `
select relname as table, array_agg(attname::text order by attnum) as columns
from pg_class join pg_attribute on attrelid = pg_class.oid
where ${IN_CURRENT_SCHEMA} and relkind in ('r', 'p') and not relispartition
  and attnum > 0 and not attisdropped and attgenerated = ''
  and relname not in ('schema_migrations', 'unfinished_restore')
group by relname order by relname`

const FOREIGN_KEYS = `
select relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
from pg_constraint join pg_class on pg_class.oid = conrelid
where ${IN_CURRENT_SCHEMA} and contype = 'f' and conparentid = 0
order by relname, conname`

/** Returns the tables whose names occur in a migration, and the names of all other tables of the schema. */
export const listTables = async (
  client: pg.Client,
  migrations: readonly Migration[],
): Promise<{ tables: Table[]; others: string[] }> => {
  const { rows } = await client.query<Table>(TABLES)
  const words = new Set(migrations.flatMap(({ sql }) => sql.match(/\w+/g) ?? []))
  return {
    tables: rows.filter(({ table }) => words.has(table)),
    others: rows.flatMap(({ table }) => (words.has(table) ? [] : table)),
  }
}

/** Returns the current value of each sequence of the schema. */
export const readSequences = async (client: pg.Client): Promise<Sequence[]> => {
  const { rows } = await client.query<{ sequence: string }>(
    `select relname as sequence from pg_class where ${IN_CURRENT_SCHEMA} and relkind = 'S' order by 1`,
  )
  if (rows.length === 0) return []
  const all = rows.map(
    ({ sequence }) =>
      `select ${pg.escapeLiteral(sequence)} as sequence, last_value::text, is_called from ${quoteIdentifier(sequence)}`,
  )
  return (await client.query<Sequence>(all.join(' union all '))).rows
}

/** Returns all foreign keys of the schema with their definitions. */
export const listForeignKeys = async (client: pg.Client): Promise<ForeignKey[]> =>
  (await client.query<ForeignKey>(FOREIGN_KEYS)).rows

/** Returns the name of a table that has rows; undefined if all tables are empty. */
export const findFilledTable = async (
  client: pg.Client,
  tables: readonly Table[],
): Promise<string | undefined> => {
  if (tables.length === 0) return undefined
  const each = tables.map(
    ({ table }) =>
      `select ${pg.escapeLiteral(table)} as filled where exists (select from ${quoteIdentifier(table)})`,
  )
  const { rows } = await client.query<{ filled: string }>(each.join(' union all '))
  return rows[0]?.filled
}

/** Returns the name quoted as an SQL identifier. */
export const quoteIdentifier = (name: string): string => pg.escapeIdentifier(name)

/** Returns `table (column, …)` for COPY. */
export const formatTableColumns = ({ table, columns }: Table): string =>
  `${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')})`

/** Session settings of backups and restores: fixed text formats of values, and no time-outs. */
export const SESSION_SETTINGS = `
set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
set extra_float_digits = 1; set bytea_output = 'hex'; set client_encoding = 'UTF8';
set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`

/** Returns true if a Quizaine server is connected to the database. */
export const hasLiveServer = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select from pg_stat_activity
    where datname = current_database() and application_name in ('quizaine', 'quizaine notices')
    limit 1`,
  )
  return rows.length > 0
}

/** Start of the comment that stores the fingerprint. */
const COMMENT_PREFIX = 'restored from '

/** Stores the fingerprint of the restored backup as a comment on `schema_migrations`, in the caller's transaction. */
export const storeRestoredFingerprint = async (
  client: pg.Client,
  fingerprint: string,
): Promise<void> => {
  const comment = pg.escapeLiteral(`${COMMENT_PREFIX}${fingerprint}`)
  await client.query(`comment on table schema_migrations is ${comment}`)
}

/** Returns the fingerprint of the backup that was restored into the database; undefined if there was no restore. */
export const readRestoredFingerprint = async (client: pg.Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description(to_regclass('schema_migrations'), 'pg_class') as comment",
  )
  const comment = rows[0]?.comment
  return comment?.startsWith(COMMENT_PREFIX) ? comment.slice(COMMENT_PREFIX.length) : undefined
}
