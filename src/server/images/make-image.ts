import { randomUUID } from 'node:crypto'
import sharp, { type Channels } from 'sharp'
import {
  type ImageSize,
  imageIdOf,
  LARGEST_FILE,
  LARGEST_IMAGE,
  LARGEST_SIZE,
  MOST_PIXELS,
  type Picture,
  sizesOf,
  TOO_HEAVY,
} from '#domain/images.ts'
import { invalid, unavailable } from '#server/http/errors.ts'
import { createLimit } from '#server/runtime/limit.ts'
import { imageKindOf } from './image-kind.ts'

/** A picture as it is kept: one WebP for each of its sizes. */
export type MadeImage = Picture & { id: string; files: { size: ImageSize; data: Buffer }[] }

const NOT_AN_IMAGE =
  'Ce fichier n’est pas une image que nous savons lire : envoyez un JPEG, PNG, WebP, AVIF ou GIF.'
const TOO_LARGE = 'L’image est trop grande : 40 mégapixels au plus.'
const BROKEN = 'L’image est incomplète ou abîmée : enregistrez-la à nouveau, puis réessayez.'

const QUALITIES = [80, 55, 25]
const FAR_TOO_HEAVY = 4 * LARGEST_SIZE

/** A call may take fifteen seconds in all. */
const LONGEST_S = 8

// No picture is decoded twice.
sharp.cache(false)

/** One at a time: the largest takes 160 MB while it is decoded, on all processors. */
const limit = createLimit({ at_once: 1, most_waiting: 10, refusal: unavailable })

/**
 * Makes the sizes that are kept of a file that a creator sent: upright, without its metadata, the first frame of an
 * animation. Throws a 422 in French for a file that is no picture, is too heavy, has too many pixels or is truncated; a
 * 503 while too many wait.
 */
export const makeImage = (bytes: Buffer): Promise<MadeImage> => {
  if (bytes.length > LARGEST_FILE) throw invalid(TOO_HEAVY)
  // Nothing else comes near a decoder, whatever it calls itself.
  if (!imageKindOf(bytes)) throw invalid(NOT_AN_IMAGE)
  return limit(() => draw(bytes))
}

const draw = async (bytes: Buffer): Promise<MadeImage> => {
  const { width = 0, height = 0 } = await read(() =>
    sharp(bytes, { limitInputPixels: false }).metadata(),
  )
  if (width * height > MOST_PIXELS) throw invalid(TOO_LARGE)
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error', animated: false } as const
  const { data, info } = await read(() =>
    sharp(bytes, options)
      .timeout({ seconds: LONGEST_S })
      .autoOrient()
      .resize({ ...LARGEST_IMAGE, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const picture = {
    width: info.width,
    height: info.height,
    color: await averageOf(data, raw),
    is_opaque: isOpaque(data, raw.channels),
  }
  const files: MadeImage['files'] = []
  for (const size of sizesOf(info.width))
    files.push({ size, data: await encode(data, raw, Math.min(size, info.width)) })
  return { id: imageIdOf(picture, randomUUID()), ...picture, files }
}

/** What sharp reads, or the reason why it cannot. */
const read = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw /timeout/i.test(String(error)) ? invalid(TOO_LARGE) : invalid(BROKEN)
  }
}

type Raw = { width: number; height: number; channels: Channels }

/** The average colour, as #rrggbb. */
const averageOf = async (data: Buffer, raw: Raw): Promise<string> => {
  const [red = 0, green = 0, blue = 0] = await sharp(data, { raw })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
  return `#${Buffer.from([red, green, blue]).toString('hex')}`
}

const isOpaque = (data: Buffer, channels: number): boolean => {
  if (channels < 4) return true
  for (let index = 3; index < data.length; index += 4) if (data[index] !== 255) return false
  return true
}

/** One size as a WebP that is light enough: of the best quality first, and where none is, of fewer pixels. */
const encode = async (data: Buffer, raw: Raw, width: number): Promise<Buffer> => {
  for (const quality of QUALITIES) {
    const file = await sharp(data, { raw }).resize({ width }).webp({ quality }).toBuffer()
    if (file.length <= LARGEST_SIZE) return file
    // What is far too heavy would be in every quality.
    if (file.length > FAR_TOO_HEAVY) break
  }
  return encode(data, raw, Math.ceil(width / 2))
}
