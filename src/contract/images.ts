import { z } from 'zod'
import { IMAGE_TYPES, MAX_IMAGE_FILE_BYTES } from '#domain/questionnaire/images.ts'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { uuid } from './kit/fields.ts'

const image = z.object({
  id: uuid,
  /** Width of the largest stored size. */
  width: z.int(),
  height: z.int(),
  color: z.string(),
  /** True if the sent file has several frames; only the first frame is kept. */
  is_animated: z.boolean(),
})
/** Stored image. */
export type Image = z.output<typeof image>

/** Upload and quota of images. */
export const images = group({
  add: {
    ...calls.images.add,
    access: 'creator',
    body: z.instanceof(Uint8Array),
    body_types: IMAGE_TYPES,
    max_body_bytes: MAX_IMAGE_FILE_BYTES,
    answer: z.object({ image }),
    creates: true,
    summary:
      'Garder une image, remise à l’endroit et sans ses métadonnées ; d’une animation, la première vue',
  },
  usage: {
    ...calls.images.usage,
    access: 'creator',
    answer: z.object({
      /** Bytes used by the images of the creator, and their limit. */
      used: z.int(),
      quota: z.int(),
    }),
    summary: 'La place que prennent les images du compte',
  },
})
