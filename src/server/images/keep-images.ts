import type { Db } from '#server/db/database.ts'
import { type ApiError, invalid } from '#server/http/errors.ts'
import { insertImages } from './images.store.ts'
import type { MadeImage } from './make-image.ts'

const megabytes = (bytes: number): string =>
  (bytes / 1_048_576).toLocaleString('fr-FR', { maximumFractionDigits: 1 })

/** 422: there is no room for these pictures. */
export const overQuota = (quota: number): ApiError =>
  invalid(
    `Vos images prendraient plus de place que les ${megabytes(quota)} Mo prévus : retirez-en. Une image qui ne sert plus est effacée au bout de 30 jours.`,
  )

/** Keeps pictures of a creator within the caller's transaction: all of them, or a 422 where they would pass the quota. */
export const keepImages = async (
  db: Db,
  { creator_id, quota }: { creator_id: string; quota: number },
  images: readonly MadeImage[],
): Promise<void> => {
  if (!(await insertImages(db, { creator_id, quota }, images))) throw overQuota(quota)
}
