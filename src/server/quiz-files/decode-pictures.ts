import type { FilePicture, QuizFile } from '#domain/quiz-files/quiz-file.ts'
import type { Db } from '#server/db/database.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { ApiError, invalid } from '#server/http/edge/errors.ts'
import { imageQuotaExceeded } from '#server/images/creator-images.ts'
import { imageKindOf } from '#server/images/image-kind.ts'
import { bytesOf, usedBytes } from '#server/images/images.store.ts'
import { makeImage, type NewImage } from '#server/images/make-image.ts'

type DecodeOptions = {
  creator_id: string
  heavyWork: Pick<HeavyWork, 'run'>
  /** Maximum total size in bytes of the creator's pictures. */
  quota: number
  /** Ids of the pictures that the questionnaire shows. Other pictures are ignored. */
  shown: ReadonlySet<string>
  /** Aborted when the call has been answered or its connection is closed. */
  signal: AbortSignal
  /** Throws if the call has too little time left. */
  refuseTooLate: () => void
}

/**
 * Decodes the pictures of a file like uploads, without storing them, and returns them by their ids in the file.
 * Throws a 422 with the path of the first invalid picture, or a 422 above the quota. Also throws the reason of
 * an aborted `signal`.
 */
export const decodePictures = async (
  db: Db,
  { pictures }: QuizFile,
  { creator_id, heavyWork, quota, shown, signal, refuseTooLate }: DecodeOptions,
): Promise<Map<string, NewImage>> => {
  const made = new Map<string, NewImage>()
  if (shown.size === 0) return made
  let used = await usedBytes(db, creator_id)
  for (const [index, picture] of pictures.entries()) {
    if (!shown.has(picture.id)) continue
    refuseTooLate()
    const path = `pictures.${index}`
    const image = await makeOne(picture, { path, heavyWork, owner: creator_id, signal })
    used += bytesOf(image)
    // The quota is checked after each picture, so that no further picture is decoded above the quota.
    if (used > quota) throw imageQuotaExceeded(quota)
    made.set(picture.id, image)
  }
  return made
}

const makeOne = async (
  { type, data }: FilePicture,
  {
    path,
    heavyWork,
    ...turn
  }: Pick<DecodeOptions, 'heavyWork' | 'signal'> & {
    path: string
    owner: string
  },
): Promise<NewImage> => {
  turn.signal.throwIfAborted()
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data)
    throw invalid('Cette image n’est pas écrite en base64', `${path}.data`)
  const kind = imageKindOf(bytes)
  if (kind !== undefined && kind !== type)
    throw invalid(`Cette image n’est pas du type annoncé, mais ${kind}`, `${path}.type`)
  try {
    return await makeImage(heavyWork, bytes, turn)
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 422
    throw isRefused ? invalid(error.message, `${path}.data`) : error
  }
}
