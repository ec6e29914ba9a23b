import { sql } from 'kysely'
import type { InstallationStorage } from '#contract/admin.ts'
import type { Db } from '#server/db/database.ts'
import { isTimeOut } from '#server/db/database-error.ts'

const MAX_LARGEST_CREATORS = 10
/** Time limit of the list of the largest creators, which reads a row of each picture and version. */
const LARGEST_TIMEOUT_MS = 3_000

type Sizes = Pick<InstallationStorage, 'database_bytes' | 'images_bytes' | 'versions_bytes'>

/** Returns the bytes of a table with its indexes, or of all its partitions. */
const tableBytes = (table: string) => sql`coalesce(
  (select sum(pg_total_relation_size(relid)) from pg_partition_tree(${table}::regclass)),
  pg_total_relation_size(${table}::regclass)
)::bigint`

/** Returns the sizes of the database, the pictures and the published versions, as the file system counts them. */
export const readSizes = async (db: Db): Promise<Sizes> => {
  const { rows } = await sql<Sizes>`
    select pg_database_size(current_database())::bigint as database_bytes,
      ${tableBytes('images')} + ${tableBytes('image_files')} as images_bytes,
      ${tableBytes('quiz_versions')} as versions_bytes
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database returned no sizes')
  return row
}

/**
 * Returns the creators whose pictures and published versions use most space. Returns null if the database needs more than
 * three seconds.
 */
export const listLargestCreators = async (db: Db): Promise<InstallationStorage['largest']> => {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`select set_config('statement_timeout', ${String(LARGEST_TIMEOUT_MS)}, true)`.execute(
        transaction,
      )
      const { rows } = await sql<{ id: string; email: string | null; bytes: number }>`
        with used as (
          select creator_id, sum(bytes)::bigint as bytes from images group by creator_id
          union all
          select creator_id, sum(pg_column_size(snapshot))::bigint
          from quiz_versions join all_quizzes on all_quizzes.id = quiz_versions.quiz_id group by creator_id
        ), largest as (
          select creator_id, sum(bytes)::bigint as bytes from used
          group by creator_id order by bytes desc, creator_id limit ${MAX_LARGEST_CREATORS}
        )
        select creator_id as id, users.email, largest.bytes
        from largest left join users on users.id = largest.creator_id
        order by largest.bytes desc, creator_id
      `.execute(transaction)
      return rows
    })
  } catch (error) {
    if (isTimeOut(error)) return null
    throw error
  }
}
