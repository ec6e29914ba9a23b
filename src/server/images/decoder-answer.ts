import { z } from 'zod'
import {
  IMAGE_SIZES,
  type ImageSize,
  MAX_IMAGE_DIMENSIONS,
  MAX_STORED_IMAGE_BYTES,
} from '#domain/questionnaire/images.ts'

/** First byte that a decoder writes once it has loaded. */
export const READY = '+'

const MAX_LINE_BYTES = 1_024
/** Maximum bytes of a decoder's answer: READY, one line of JSON, and the files one after the other. */
export const MAX_ANSWER_BYTES = 1 + MAX_LINE_BYTES + IMAGE_SIZES.length * MAX_STORED_IMAGE_BYTES

const REFUSALS = ['not_an_image', 'too_large', 'broken', 'exhausted'] as const
/** Reason why a decoder refuses an image. */
export type DecoderRefusal = (typeof REFUSALS)[number]

const decodedPicture = z.strictObject({
  width: z.int().min(1).max(MAX_IMAGE_DIMENSIONS.width),
  height: z.int().min(1).max(MAX_IMAGE_DIMENSIONS.height),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  is_opaque: z.boolean(),
  /** True if the file has several frames, of which only the first is kept. */
  is_animated: z.boolean(),
  /** Widths and lengths in bytes of the files that follow. */
  files: z
    .array(
      z.strictObject({
        size: z.literal(IMAGE_SIZES),
        length: z.int().min(1).max(MAX_STORED_IMAGE_BYTES),
      }),
    )
    .min(1)
    .max(IMAGE_SIZES.length),
})
/** Size, colour and files of a decoded image. */
export type DecodedPicture = z.output<typeof decodedPicture>

const decoderAnswer = z.union([decodedPicture, z.strictObject({ refusal: z.enum(REFUSALS) })])
/** First line of a decoder's answer: an image or a refusal. */
export type DecoderAnswer = z.output<typeof decoderAnswer>

/** A decoded image with the bytes of its files. */
export type ReadPicture = Omit<DecodedPicture, 'files'> & {
  files: { size: ImageSize; data: Buffer }[]
}

/**
 * Parses the whole answer of a decoder. A hostile image may control the decoder, so everything but one line and the
 * announced files gives undefined.
 */
export const readAnswer = (
  bytes: Buffer,
): ReadPicture | { refusal: DecoderRefusal } | undefined => {
  const end = bytes.indexOf('\n')
  if (bytes[0] !== READY.charCodeAt(0) || end < 0 || end > MAX_LINE_BYTES) return undefined
  const { data: answer } = decoderAnswer.safeParse(parseJson(bytes.toString('utf8', 1, end)))
  if (!answer) return undefined
  if ('refusal' in answer) return bytes.length === end + 1 ? answer : undefined
  let from = end + 1
  const files = answer.files.map(({ size, length }) => {
    from += length
    return { size, data: bytes.subarray(from - length, from) }
  })
  return from === bytes.length ? { ...answer, files } : undefined
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
