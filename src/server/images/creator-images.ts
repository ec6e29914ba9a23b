import { imagesOf } from '#domain/questionnaire/images.ts'
import type { Db } from '#server/db/database.ts'
import { type ApiError, invalid } from '#server/http/edge/errors.ts'
import { insertImages, markUsed } from './images.store.ts'
import type { NewImage } from './make-image.ts'

type Pictures = Parameters<typeof imagesOf>[0]

/**
 * Throws 422 if an edit adds an image that does not belong to the draft's creator. Runs in the transaction that
 * stores the draft, with one statement, or none if no image is new.
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

/** Returns 422 for images beyond the creator's quota. */
export const imageQuotaExceeded = (quota: number): ApiError =>
  invalid(
    `Vos images prendraient plus de place que les ${megabytes(quota)} Mo prévus : retirez-en. Une image qui ne sert plus est effacée au bout de 30 jours.`,
  )

/** Stores images of a creator in the caller's transaction: all of them, or none and 422 beyond the quota. */
export const storeImages = async (
  db: Db,
  { creator_id, quota }: { creator_id: string; quota: number },
  images: readonly NewImage[],
): Promise<void> => {
  if (!(await insertImages(db, { creator_id, quota }, images))) throw imageQuotaExceeded(quota)
}
