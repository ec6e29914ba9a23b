import pg from 'pg'

/**
 * Tables that grow with participants. Their keys start with `quiz_id` and they reference no row of another quiz, so
 * that they can be partitioned by quiz (docs/scale.md).
 */
export const GROWING_TABLES = [
  'responses',
  'text_counts',
  'deliveries',
  'delivery_attempts',
  'rare_answers',
  'certificates',
  'email_confirmations',
  'invitations',
] as const

/** Name of a growing table. */
export type GrowingTable = (typeof GROWING_TABLES)[number]

type Index = { name: string; is_unique: boolean; key: string; constraint: string | null }
/** Definition of a table: its indexes and the statements to recreate everything else. */
type Shape = { isPartitioned: boolean; indexes: Index[]; others: string[] }

const INDEXES = `
select relname as name, indisunique as is_unique,
  substring(pg_get_indexdef(indexrelid) from ' USING .*$') as key,
  pg_get_constraintdef(own.oid) as constraint
from pg_index join pg_class on pg_class.oid = indexrelid
left join pg_constraint as own on own.conindid = indexrelid and own.contype in ('p', 'u')
where indrelid = $1::regclass order by 1`

/** Query for the foreign keys, triggers and privileges of a table. */
const OTHERS = `
select format('alter table %s add constraint %I %s', $1::regclass, conname, pg_get_constraintdef(oid)) as statement
from pg_constraint where conrelid = $1::regclass and contype = 'f'
union all
select pg_get_triggerdef(oid) from pg_trigger where tgrelid = $1::regclass and not tgisinternal
union all
select format('grant %s on %s to %s', privilege_type, $1::regclass,
  case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
from pg_class cross join lateral aclexplode(relacl) as given
where pg_class.oid = $1::regclass and grantee <> relowner`

const readShape = async (client: pg.Client, table: string): Promise<Shape> => {
  const { rows: kinds } = await client.query<{ is_partitioned: boolean }>(
    `select relkind = 'p' as is_partitioned from pg_class where oid = $1::regclass`,
    [table],
  )
  const { rows: indexes } = await client.query<Index>(INDEXES, [table])
  const { rows: others } = await client.query<{ statement: string }>(OTHERS, [table])
  return {
    isPartitioned: kinds[0]?.is_partitioned ?? false,
    indexes,
    others: others.map(({ statement }) => statement),
  }
}

/**
 * Statements that begin the partitioning. These statements disable the usual time-outs, because copying a large table
 * takes longer than any call of a visitor.
 */
const BEGIN = `begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
set local lock_timeout = '60s'; set local maintenance_work_mem = '256MB'`

/**
 * Partitions a table by the hash of `quiz_id`, in one transaction (docs/scale.md). Reads continue and writes wait
 * while rows are copied. Returns the number of rows; null if the table is partitioned already.
 */
export const partitionTable = async (
  client: pg.Client,
  table: GrowingTable,
  partitions: number,
): Promise<number | null> => {
  await client.query(BEGIN)
  try {
    await client.query(`lock table ${table} in share mode`)
    const shape = await readShape(client, table)
    const rows = shape.isPartitioned ? null : await replace(client, { table, shape, partitions })
    await client.query('commit')
    if (rows !== null) await client.query(`analyze ${table}`)
    return rows
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

const replace = async (
  client: pg.Client,
  { table, shape, partitions }: { table: GrowingTable; shape: Shape; partitions: number },
): Promise<number> => {
  const fresh = `${table}_in_partitions`
  const run = (statement: string): Promise<pg.QueryResult> => client.query(statement)
  await run(
    `create table ${fresh} (like ${table} including all excluding indexes excluding statistics)
    partition by hash (quiz_id)`,
  )
  for (let rank = 0; rank < partitions; rank++)
    await run(
      `create table ${table}_${String(rank).padStart(3, '0')} partition of ${fresh}
      for values with (modulus ${partitions}, remainder ${rank})`,
    )
  // The database computes generated columns again.
  const { rows: columns } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const names = columns[0]?.names ?? ''
  const { rowCount } = await run(`insert into ${fresh} (${names}) select ${names} from ${table}`)
  const temporaryNameOf = (name: string): string => pg.escapeIdentifier(`${name.slice(0, 55)}_new`)
  for (const { name, is_unique, key, constraint } of shape.indexes)
    await run(
      constraint
        ? `alter table ${fresh} add constraint ${temporaryNameOf(name)} ${constraint}`
        : `create ${is_unique ? 'unique ' : ''}index ${temporaryNameOf(name)} on ${fresh}${key}`,
    )
  await run(`drop table ${table}`)
  await run(`alter table ${fresh} rename to ${table}`)
  for (const { name } of shape.indexes)
    await run(`alter index ${temporaryNameOf(name)} rename to ${pg.escapeIdentifier(name)}`)
  for (const statement of shape.others) await run(statement)
  return rowCount ?? 0
}
