import { sql } from 'kysely'
import type { ImageSize } from '#domain/questionnaire/images.ts'
import type { Db } from '#server/db/database.ts'
import type { NewImage } from './make-image.ts'

/** How many bytes the pictures of a creator take. */
export const usedBytes = async (db: Db, creator_id: string): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(bytes), 0)::bigint as used from images where creator_id = ${creator_id}
  `.execute(db)
  return rows[0]?.used ?? 0
}

/** How many bytes the sizes of a picture take. */
export const bytesOf = ({ files }: NewImage): number =>
  files.reduce((sum, { data }) => sum + data.length, 0)

/** Of one statement, so that it stays well below its time-out. */
const MOST_FILES = 30

/**
 * Keeps pictures of a creator, within the caller's transaction, unless they would take them beyond `quota` bytes:
 * false then. Two calls at once of one creator come one after the other.
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
  for (let from = 0; from < files.length; from += MOST_FILES)
    await db
      .insertInto('image_files')
      .values(files.slice(from, from + MOST_FILES))
      .execute()
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

/** The largest size that is kept of a picture. */
export type StoredFile = { image_id: string; size: ImageSize; bytes: number }

/** The largest size of each of these pictures, in their order; of any creator, whose drafts show them. */
export const largestFiles = async (db: Db, ids: readonly string[]): Promise<StoredFile[]> => {
  const { rows } = await sql<StoredFile>`
    select distinct on (image_id) image_id, size, octet_length(data) as bytes
    from image_files where image_id = any(${ids}::uuid[])
    order by image_id, size desc
  `.execute(db)
  const stored = new Map(rows.map((row) => [row.image_id, row]))
  return ids.flatMap((id) => stored.get(id) ?? [])
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
