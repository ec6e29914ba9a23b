import type { Db } from '#server/db/database.ts'
import { type ApiError, invalid } from '#server/http/edge/errors.ts'
import { insertImages, markUsed } from './images.store.ts'
import type { NewImage } from './make-image.ts'

/**
 * Throws a 422 if an image that an edit adds does not belong to the draft's creator. Runs in the transaction that
 * stores the draft, with one statement. `images` has the field name of each image id.
 */
export const checkImages = async (
  db: Db,
  creator_id: string,
  images: ReadonlyMap<string, string>,
): Promise<void> => {
  const ids = [...images.keys()]
  const own = await markUsed(db, creator_id, ids)
  const foreign = ids.find((id) => !own.has(id))
  if (foreign !== undefined)
    throw invalid('Cette image n’est pas la vôtre : envoyez-la à nouveau.', images.get(foreign))
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
