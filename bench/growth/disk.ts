import type { ComparedServer } from './compared-server.ts'

type Table = { name: string; bytes: number; index_bytes: number; rows: number; parts: number }

/** SQL that sums up each table with its partitions. */
const TABLES = `
select coalesce(inhparent, relid)::regclass::text as name,
  sum(pg_table_size(relid))::float as bytes, sum(pg_indexes_size(relid))::float as index_bytes,
  sum(greatest(reltuples, 0))::float as rows, count(inhparent)::integer as parts
from pg_statio_user_tables join pg_class on pg_class.oid = relid
left join pg_inherits on inhrelid = relid
group by 1 having sum(pg_total_relation_size(relid)) > 1000000
order by sum(pg_total_relation_size(relid)) desc`

const INDEXES = `
select coalesce(inhparent, indexrelid)::regclass::text as name,
  sum(pg_relation_size(indexrelid))::float as bytes
from pg_index join pg_class on pg_class.oid = indexrelid
left join pg_inherits on inhrelid = indexrelid
where relkind = 'i' and indrelid::regclass::text ~ '^(responses|text_counts)'
group by 1 order by 2 desc`

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

/** Prints the size of each growing table and index, in total and per participant. */
export const reportDisk = async ({ session, quiz_id }: ComparedServer): Promise<void> => {
  const { rows: counted } = await session.query<{ participants: number }>(
    'select sum(nb_responses)::float as participants from quiz_versions where quiz_id = $1',
    [quiz_id],
  )
  const participants = counted[0]?.participants ?? 0
  const each = (bytes: number): string => `${(bytes / participants).toFixed(0)} a participant`
  const { rows: tables } = await session.query<Table>(TABLES)
  for (const { name, bytes, index_bytes, rows, parts } of tables) {
    const pieces = parts > 0 ? ` in ${parts} partitions` : ''
    console.log(
      `${name}${pieces}: ${rows.toFixed(0)} rows, ${mb(bytes)} and ${mb(index_bytes)} of indexes`,
    )
  }
  const growing = tables.filter(({ name }) => GROWING.includes(name))
  const [heap, indexes] = [
    growing.reduce((sum, { bytes }) => sum + bytes, 0),
    growing.reduce((sum, { index_bytes }) => sum + index_bytes, 0),
  ]
  const share = ((100 * indexes) / (heap + indexes)).toFixed(0)
  console.log(
    `what grows with participants: ${each(heap + indexes)} bytes, ${share} % of them indexes`,
  )
  const { rows: own } = await session.query<{ name: string; bytes: number }>(INDEXES)
  for (const { name, bytes } of own) console.log(`index ${name}: ${mb(bytes)}, ${each(bytes)}`)
}

const GROWING = ['responses', 'text_counts', 'rare_answers', 'deliveries', 'delivery_attempts']
