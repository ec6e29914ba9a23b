import { randomUUID } from 'node:crypto'
import { IMAGE_TOO_LARGE, imageIdOf, MAX_IMAGE_FILE_BYTES } from '#domain/questionnaire/images.ts'
import type { HeavyWork } from '#server/heavy-work/heavy-work.ts'
import { invalid } from '#server/http/edge/errors.ts'
import { decode } from './decoder.ts'
import type { ReadPicture } from './decoder-answer.ts'
import { imageKindOf } from './image-kind.ts'

/** An image as it is stored: one WebP for each size. */
export type NewImage = ReadPicture & { id: string }

const REFUSALS = {
  not_an_image:
    'Ce fichier n’est pas une image que nous savons lire : envoyez un JPEG, PNG, WebP, AVIF ou GIF.',
  too_large: 'L’image est trop grande : 40 mégapixels au plus.',
  broken: 'L’image est incomplète ou abîmée : enregistrez-la à nouveau, puis réessayez.',
  exhausted:
    'L’image demande trop de mémoire ou de temps : enregistrez-la en JPEG ou en plus petit, puis réessayez.',
}

/**
 * Converts an uploaded file into the stored sizes: upright, without metadata, the first frame only. Throws 422 in
 * French for a file that is unsupported, broken, too large or too expensive. Throws 503 while too many files wait,
 * and the reason of an aborted signal.
 */
export const makeImage = async (
  heavyWork: Pick<HeavyWork, 'run'>,
  bytes: Buffer,
  { owner, signal }: { owner: string; signal: AbortSignal },
): Promise<NewImage> => {
  if (bytes.length > MAX_IMAGE_FILE_BYTES) throw invalid(IMAGE_TOO_LARGE)
  if (!imageKindOf(bytes)) throw invalid(REFUSALS.not_an_image)
  const picture = await heavyWork.run(
    { kind: 'picture', owner, size: bytes.length, signal },
    (ended) => decode(bytes, { signal: ended }),
  )
  if ('refusal' in picture) throw invalid(REFUSALS[picture.refusal])
  return { id: imageIdOf(picture, randomUUID()), ...picture }
}
