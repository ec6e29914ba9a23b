import { sql } from 'kysely'
import type { Folder } from '#domain/questionnaire/quiz.ts'
import type { Db } from '#server/db/database.ts'

type FolderOfCreator = { folder_id: string; creator_id: string }

/** Lists the folders of a creator by name. */
export const listFolders = (db: Db, creator_id: string): Promise<Folder[]> =>
  db
    .selectFrom('folders')
    .select(['id', 'name'])
    .where('creator_id', '=', creator_id)
    .orderBy('name')
    .orderBy('id')
    .execute()

/** Inserts a folder. */
export const insertFolder = async (
  db: Db,
  folder: Folder & { creator_id: string },
): Promise<void> => {
  await db.insertInto('folders').values(folder).execute()
}

/** Renames a folder. Returns false if the creator has no such folder. */
export const renameFolder = async (
  db: Db,
  { folder_id, creator_id, name }: FolderOfCreator & { name: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('folders')
    .set({ name })
    .where('id', '=', folder_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deletes a folder and keeps its quizzes. Returns false if the creator has no such folder. */
export const deleteFolder = async (
  db: Db,
  { folder_id, creator_id }: FolderOfCreator,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('folders')
    .where('id', '=', folder_id)
    .where('creator_id', '=', creator_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Blocks other changes of the creator's folders until the caller's transaction ends. */
export const lockFolders = async (db: Db, creator_id: string): Promise<void> => {
  const lock = `folders ${creator_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)
}

/**
 * Puts a quiz in a folder, or takes it out of its folder if `folder_id` is null. The time of change and the revision of
 * the quiz stay. Returns false if the creator has no such quiz or no such folder.
 */
export const putInFolder = async (
  db: Db,
  {
    quiz_id,
    creator_id,
    folder_id,
  }: { quiz_id: string; creator_id: string; folder_id: string | null },
): Promise<boolean> => {
  const own = db.selectFrom('folders').select('id').where('creator_id', '=', creator_id)
  const { numUpdatedRows } = await db
    .updateTable('quizzes')
    .set({ folder_id })
    .where('id', '=', quiz_id)
    .where('creator_id', '=', creator_id)
    .$if(folder_id !== null, (query) =>
      query.where(({ exists }) => exists(own.where('id', '=', folder_id ?? ''))),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deletes all folders of a creator. */
export const deleteFolders = async (db: Db, creator_id: string): Promise<void> => {
  await db.deleteFrom('folders').where('creator_id', '=', creator_id).execute()
}
