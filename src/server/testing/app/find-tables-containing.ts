import type pg from 'pg'

/** Returns the names of tables with a row that contains the text, as text or as bytes in hexadecimal. */
export const findTablesContaining = async (pool: pg.Pool, text: string): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class
     where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  )
  const hex = Buffer.from(text).toString('hex')
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await pool.query(
      `select from ${name} as one where one::text ilike '%' || $1 || '%' or one::text like '%' || $2 || '%'
       limit 1`,
      [text, hex],
    )
    if (hits.length > 0) found.push(name)
  }
  return found.sort()
}
