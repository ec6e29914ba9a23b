import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Columns that hold the id of an owner or of an owned parent. */
const OWNER_COLUMNS = [
  'creator_id',
  'user_id',
  'linking_user_id',
  'quiz_id',
  'session_id',
  'factor_id',
  'connection_id',
] as const

/**
 * Returns a function that computes a digest of all rows that belong to given ids. Equal digests before and after a
 * call prove that the call wrote nothing.
 */
export const createRowsDigest = async (db: Db) => {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select columns.table_name, column_name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and (column_name = any(${[...OWNER_COLUMNS]}::text[]) or (column_name = 'id' and table_name = 'users'))
  `.execute(db)
  const parts = rows.map(
    ({ table_name, column_name }) =>
      `select '${table_name}' as name, md5(string_agg(t::text, '|' order by t::text)) as digest
       from ${table_name} as t where t.${column_name}::text = any($1::text[])`,
  )
  const text = parts.join(' union all ')
  return async (pool: { query: Query }, ids: string[]): Promise<string> => {
    // A named statement would get a generic plan, which PostgreSQL compiles anew at each call.
    const found = await pool.query({ text, values: [ids] })
    return JSON.stringify(
      found.rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    )
  }
}

type Query = (statement: { text: string; values: unknown[] }) => Promise<{ rows: unknown[] }>
