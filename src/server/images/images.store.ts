import { sql } from 'kysely'
import type { ImageSize } from '#domain/questionnaire/images.ts'
import type { Db } from '#server/db/database.ts'
import type { NewImage } from './make-image.ts'

/** Returns the bytes that the images of a creator take. */
export const usedBytes = async (db: Db, creator_id: string): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(bytes), 0)::bigint as used from images where creator_id = ${creator_id}
  `.execute(db)
  return rows[0]?.used ?? 0
}

/** Returns the bytes that all sizes of an image take. */
export const bytesOf = ({ files }: NewImage): number =>
  files.reduce((sum, { data }) => sum + data.length, 0)

/** Maximum number of files in one statement, so that it stays well below its time-out. */
const MAX_FILES_PER_STATEMENT = 30

/**
 * Stores images of a creator in the caller's transaction. Returns false if they would exceed `quota` bytes.
 * Simultaneous calls for one creator run one after the other.
 */
export const insertImages = async (
  db: Db,
  { creator_id, quota }: { creator_id: string; quota: number },
  images: readonly NewImage[],
): Promise<boolean> => {
  if (images.length === 0) return true
  const lock = `images ${creator_id}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db)
  const rows = images.map((image) => {
    const { id, width, height, color } = image
    return { id, creator_id, width, height, color, bytes: bytesOf(image) }
  })
  const added = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  if ((await usedBytes(db, creator_id)) + added > quota) return false
  await db.insertInto('images').values(rows).execute()
  const files = images.flatMap((image) =>
    image.files.map((file) => ({ image_id: image.id, ...file })),
  )
  for (let from = 0; from < files.length; from += MAX_FILES_PER_STATEMENT)
    await db
      .insertInto('image_files')
      .values(files.slice(from, from + MAX_FILES_PER_STATEMENT))
      .execute()
  return true
}

/** Returns one size of an image of any creator; undefined if there is none. */
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

/** Largest stored size of an image. */
export type StoredFile = { image_id: string; size: ImageSize; bytes: number }

/** Returns the largest size of each of these images in their order, for any owner. */
export const largestFiles = async (db: Db, ids: readonly string[]): Promise<StoredFile[]> => {
  const { rows } = await sql<StoredFile>`
    select distinct on (image_id) image_id, size, octet_length(data) as bytes
    from image_files where image_id = any(${ids}::uuid[])
    order by image_id, size desc
  `.execute(db)
  const stored = new Map(rows.map((row) => [row.image_id, row]))
  return ids.flatMap((id) => stored.get(id) ?? [])
}

/** Marks those of these images as used now that belong to the creator, and returns their ids. */
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

/** Returns the ids of those of these images that belong to the creator. */
export const listOwnImages = async (
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

/** Deletes the images of a creator. */
export const deleteImages = async (db: Db, creator_id: string): Promise<void> => {
  await db.deleteFrom('images').where('creator_id', '=', creator_id).execute()
}

const IS_USED = sql<boolean>`(
  exists (select from all_quizzes where welcome_image_id = images.id)
  or exists (select from all_quizzes where logo_image_id = images.id)
  or exists (select from all_quizzes where background_image_id = images.id)
  or exists (select from results where image_id = images.id)
  or exists (select from questions where image_id = images.id)
  or exists (select from answers where image_id = images.id)
  or exists (
    select from quiz_versions where image_ids <> '{}' and image_ids @> array[images.id]
  )
)`

/** Marks up to `limit` images that drafts or versions show as used today. Returns their number. */
export const noteUsed = async (db: Db, limit: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    update images set used_at = now() where id in (
      select id from images where used_at < now() - interval '1 day' and ${IS_USED}
      order by used_at limit ${limit} for update skip locked
    )
  `.execute(db)
  return Number(numAffectedRows)
}

/** Deletes up to `limit` images that have been unused for 30 days. Returns their number. */
export const deleteUnused = async (db: Db, limit: number): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    delete from images where used_at < now() - interval '30 days' and id in (
      select id from images where used_at < now() - interval '30 days' and not ${IS_USED}
      order by used_at limit ${limit} for update skip locked
    )
  `.execute(db)
  return Number(numAffectedRows)
}
