import { sql } from 'kysely'
import type { ImageSize } from '#domain/images.ts'
import type { Db } from '#server/db/database.ts'
import type { MadeImage } from './make-image.ts'

/** How many bytes the pictures of a creator take. */
export const usedBytes = async (db: Db, creator_id: string): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(bytes), 0)::bigint as used from images where creator_id = ${creator_id}
  `.execute(db)
  return rows[0]?.used ?? 0
}

/**
 * Keeps a picture of a creator, within the caller's transaction, unless it would take them beyond `quota` bytes:
 * false then. Two at once of one creator come one after the other.
 */
export const insertImage = async (
  db: Db,
  { creator_id, quota }: { creator_id: string; quota: number },
  { id, width, height, color, files }: MadeImage,
): Promise<boolean> => {
  const lock = `images ${creator_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)
  const bytes = files.reduce((sum, { data }) => sum + data.length, 0)
  if ((await usedBytes(db, creator_id)) + bytes > quota) return false
  await db.insertInto('images').values({ id, creator_id, width, height, color, bytes }).execute()
  const rows = files.map((file) => ({ image_id: id, ...file }))
  await db.insertInto('image_files').values(rows).execute()
  return true
}

/** One size of a picture, of any creator; undefined when there is none. */
export const findFile = async (
  db: Db,
  image_id: string,
  size: ImageSize,
): Promise<Buffer | undefined> => {
  const row = await db
    .selectFrom('image_files')
    .select('data')
    .where('image_id', '=', image_id)
    .where('size', '=', size)
    .executeTakeFirst()
  return row?.data
}

/** Which of these pictures are the creator's; they count as used from now on. */
export const markUsed = async (
  db: Db,
  creator_id: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await db
    .updateTable('images')
    .set({ used_at: sql<string>`now()` })
    .where('id', 'in', ids)
    .where('creator_id', '=', creator_id)
    .returning('id')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Which of these pictures are the creator's. */
export const listOwn = async (
  db: Db,
  creator_id: string,
  ids: readonly string[],
): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('images')
    .select('id')
    .where('id', 'in', ids)
    .where('creator_id', '=', creator_id)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes the pictures of a creator. */
export const deleteImages = async (db: Db, creator_id: string): Promise<void> => {
  await db.deleteFrom('images').where('creator_id', '=', creator_id).execute()
}

const IS_USED = sql<boolean>`(
  exists (select from quizzes where welcome_image_id = images.id)
  or exists (select from quizzes where logo_image_id = images.id)
  or exists (select from quizzes where background_image_id = images.id)
  or exists (select from results where image_id = images.id)
  or exists (select from questions where image_id = images.id)
  or exists (select from answers where image_id = images.id)
  or exists (
    select from quiz_versions where image_ids <> '{}' and image_ids @> array[images.id]
  )
)`

/** Notes of at most `most` pictures that they are used today; gives of how many. */
export const noteUsed = async (db: Db, most: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    update images set used_at = now() where id in (
      select id from images where used_at < now() - interval '1 day' and ${IS_USED}
      order by used_at limit ${most} for update skip locked
    )
  `.execute(db)
  return Number(numAffectedRows)
}

/** Deletes at most `most` pictures that nothing has used for 30 days; gives how many. */
export const deleteUnused = async (db: Db, most: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from images where used_at < now() - interval '30 days' and id in (
      select id from images where used_at < now() - interval '30 days' and not ${IS_USED}
      order by used_at limit ${most} for update skip locked
    )
  `.execute(db)
  return Number(numAffectedRows)
}
