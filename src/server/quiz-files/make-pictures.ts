import type { FilePicture, QuizFile } from '#domain/quiz-file.ts'
import type { Db } from '#server/db/database.ts'
import { ApiError, invalid } from '#server/http/errors.ts'
import { imageKindOf } from '#server/images/image-kind.ts'
import { bytesOf, usedBytes } from '#server/images/images.store.ts'
import { overQuota } from '#server/images/keep-images.ts'
import { type MadeImage, makeImage } from '#server/images/make-image.ts'
import type { Turn } from '#server/runtime/limit.ts'

type Making = {
  creator_id: string
  /** Bytes that the pictures of the creator may take. */
  quota: number
  /** The ids of those that are shown; others are left aside. */
  shown: ReadonlySet<string>
  /** Aborted once the call was answered or its connection is closed. */
  signal: AbortSignal
  /** Throws when too little of the call's time is left. */
  refuseTooLate: () => void
}

/**
 * Decodes the pictures of a file as if each had been uploaded, and stores nothing. Returns them by their ids in the file.
 * Throws a 422 with the path of the first that is not a picture, a 422 beyond the quota, the error of `refuseTooLate`, and
 * the reason of `signal` once it is aborted.
 */
export const makePictures = async (
  db: Db,
  { pictures }: QuizFile,
  { creator_id, quota, shown, signal, refuseTooLate }: Making,
): Promise<Map<string, MadeImage>> => {
  const made = new Map<string, MadeImage>()
  if (shown.size === 0) return made
  let used = await usedBytes(db, creator_id)
  for (const [index, picture] of pictures.entries()) {
    if (!shown.has(picture.id)) continue
    refuseTooLate()
    const turn = { key: creator_id, signal }
    const image = await makeOne(picture, { path: `pictures.${index}`, turn })
    used += bytesOf(image)
    // Rather than after all the others were decoded.
    if (used > quota) throw overQuota(quota)
    made.set(picture.id, image)
  }
  return made
}

const makeOne = async (
  { type, data }: FilePicture,
  { path, turn }: { path: string; turn: Turn },
): Promise<MadeImage> => {
  turn.signal?.throwIfAborted()
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data)
    throw invalid('Cette image n’est pas écrite en base64', `${path}.data`)
  const kind = imageKindOf(bytes)
  if (kind !== undefined && kind !== type)
    throw invalid(`Cette image n’est pas du type annoncé, mais ${kind}`, `${path}.type`)
  try {
    return await makeImage(bytes, turn)
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 422
    throw isRefused ? invalid(error.message, `${path}.data`) : error
  }
}
