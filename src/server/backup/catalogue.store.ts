import pg from 'pg'
import type { Migration } from '#server/db/migrate.ts'

/** A table and its columns in order, without generated columns. */
export type Table = { table: string; columns: string[] }
/** Current state of a sequence. */
export type Sequence = { sequence: string; last_value: string; is_called: boolean }
/** A foreign key and its definition in SQL. */
export type ForeignKey = { table: string; name: string; definition: string }

/** Condition for relations of the current schema that no extension created. */
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

/** Returns the tables that migrations created, and the names of other tables in the schema. */
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
      `select ${pg.escapeLiteral(sequence)} as sequence, last_value::text, is_called from ${quoted(sequence)}`,
  )
  return (await client.query<Sequence>(all.join(' union all '))).rows
}

/** Returns all foreign keys of the schema with their definitions. */
export const listForeignKeys = async (client: pg.Client): Promise<ForeignKey[]> =>
  (await client.query<ForeignKey>(FOREIGN_KEYS)).rows

/** Returns the first of the tables that has a row; undefined if all are empty. */
export const findFilledTable = async (
  client: pg.Client,
  tables: readonly Table[],
): Promise<string | undefined> => {
  if (tables.length === 0) return undefined
  const each = tables.map(
    ({ table }) =>
      `select ${pg.escapeLiteral(table)} as filled where exists (select from ${quoted(table)})`,
  )
  const { rows } = await client.query<{ filled: string }>(each.join(' union all '))
  return rows[0]?.filled
}

/** Returns a quoted SQL identifier. */
export const quoted = (name: string): string => pg.escapeIdentifier(name)

/** Returns `table (column, …)` for COPY. */
export const withColumns = ({ table, columns }: Table): string =>
  `${quoted(table)} (${columns.map(quoted).join(', ')})`

/** Session settings for a backup: values are written in one format, and no time-out ends a long command. */
export const SETTINGS = `
set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
set extra_float_digits = 1; set bytea_output = 'hex'; set client_encoding = 'UTF8';
set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`

/** Returns true if a server process uses the database. */
export const hasLiveServer = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    `select from pg_stat_activity
    where datname = current_database() and application_name in ('quizaine', 'quizaine notices')
    limit 1`,
  )
  return rows.length > 0
}

const MARK = 'restored from '

/** Stores the fingerprint of the restored backup as a comment of the schema, in the caller's transaction. */
export const markRestored = async (client: pg.Client, fingerprint: string): Promise<void> => {
  const mark = pg.escapeLiteral(`${MARK}${fingerprint}`)
  await client.query(`comment on table schema_migrations is ${mark}`)
}

/** Returns the fingerprint of the backup that filled the database; undefined if none did. */
export const readRestored = async (client: pg.Client): Promise<string | undefined> => {
  const { rows } = await client.query<{ mark: string | null }>(
    "select obj_description(to_regclass('schema_migrations'), 'pg_class') as mark",
  )
  const mark = rows[0]?.mark
  return mark?.startsWith(MARK) ? mark.slice(MARK.length) : undefined
}
