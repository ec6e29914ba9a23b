import type pg from 'pg'

type Index = { table: string; name: string; definition: string; constraint: string | null }

/** Those that no foreign key needs meanwhile. */
const INDEXES = `
select owner.relname as table, index.relname as name, pg_get_indexdef(indexrelid) as definition,
  pg_get_constraintdef(own.oid) as constraint
from pg_index
join pg_class as index on index.oid = indexrelid
join pg_class as owner on owner.oid = indrelid
left join pg_constraint as own on own.conindid = indexrelid and own.contype in ('p', 'u')
where indrelid = any($1::regclass[])
  and not exists (select from pg_constraint where conindid = indexrelid and contype = 'f')
order by 1, 2`

/**
 * Takes the indexes off some tables while they are filled, and makes them again of all rows at once: in a
 * tenth of the time, and as dense as they can be.
 */
export const withoutIndexes = async (
  session: pg.Client,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> => {
  const { rows } = await session.query<Index>(INDEXES, [tables])
  for (const { table, name, constraint } of rows)
    await session.query(
      constraint ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`,
    )
  await fill()
  for (const { table, name, constraint, definition } of rows)
    await session.query(
      constraint ? `alter table ${table} add constraint ${name} ${constraint}` : definition,
    )
}
