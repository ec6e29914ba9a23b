import { imagesOf } from '#domain/questionnaire/images.ts'
import type { Db } from '#server/db/database.ts'
import { type ApiError, invalid } from '#server/http/edge/errors.ts'
import { insertImages, markUsed } from './images.store.ts'
import type { NewImage } from './make-image.ts'

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

const megabytes = (bytes: number): string =>
  (bytes / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 })

/** 422: there is no room for these pictures. */
export const imageQuotaExceeded = (quota: number): ApiError =>
  invalid(
    `Vos images prendraient plus de place que les ${megabytes(quota)} Mo prévus : retirez-en. Une image qui ne sert plus est effacée au bout de 30 jours.`,
  )

/** Keeps pictures of a creator within the caller's transaction: all of them, or a 422 where they would pass the quota. */
export const storeImages = async (
  db: Db,
  { creator_id, quota }: { creator_id: string; quota: number },
  images: readonly NewImage[],
): Promise<void> => {
  if (!(await insertImages(db, { creator_id, quota }, images))) throw imageQuotaExceeded(quota)
}
