import type { Snapshot } from '#domain/snapshot.ts'
import type { Db } from '#server/db/database.ts'

/** One frozen version; undefined when there is none of that number. */
export const findVersion = async (
  db: Db,
  quiz_id: string,
  version: number,
): Promise<Snapshot | undefined> => {
  const row = await db
    .selectFrom('quiz_versions')
    .select('snapshot')
    .where('quiz_id', '=', quiz_id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.snapshot
}

/** Keeps a snapshot as the quiz's next version and gives its number; the caller holds the quiz's lock. */
export const insertVersion = async (
  db: Db,
  quiz_id: string,
  snapshot: Snapshot,
): Promise<number> => {
  const { last } = await db
    .selectFrom('quiz_versions')
    .select(({ fn }) => fn.max('version').as('last'))
    .where('quiz_id', '=', quiz_id)
    .executeTakeFirstOrThrow()
  const version = (last ?? 0) + 1
  await db
    .insertInto('quiz_versions')
    .values({ quiz_id, version, snapshot: JSON.stringify(snapshot) })
    .execute()
  return version
}
