import { imagesOf } from '#domain/pictured.ts'
import type { Db } from '#server/db/database.ts'
import { invalid } from '#server/http/errors.ts'
import { markUsed } from './images.store.ts'

type Pictures = Parameters<typeof imagesOf>[0]

/**
 * Refuses what brings pictures into a draft that are not its creator's (422 at the field), within the transaction
 * that stores it. One statement, and none when it brings none.
 */
export const checkImages = async (
  db: Db,
  creator_id: string,
  { before, changes }: { before: Pictures; changes: Pictures },
): Promise<void> => {
  const named = imagesOf(changes)
  if (named.size === 0) return
  const known = imagesOf(before)
  const brought = [...named.keys()].filter((id) => !known.has(id))
  if (brought.length === 0) return
  const own = await markUsed(db, creator_id, brought)
  const foreign = brought.find((id) => !own.has(id))
  if (foreign !== undefined)
    throw invalid('Cette image n’est pas la vôtre : envoyez-la à nouveau.', named.get(foreign))
}
