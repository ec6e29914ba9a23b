/**
 * Program that decodes one image in its own process and exits (docs/decisions/027). The program reads the bytes from
 * standard input and writes its answer (decoder-answer.ts) to standard output; decoder.ts starts it.
 */

import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { buffer } from 'node:stream/consumers'
import sharp, { type Channels, type Metadata } from 'sharp'
import {
  type ImageType,
  MAX_IMAGE_DIMENSIONS,
  MAX_IMAGE_PIXELS,
  MAX_STORED_IMAGE_BYTES,
  sizesOf,
} from '#domain/questionnaire/images.ts'
import {
  type DecodedPicture,
  type DecoderAnswer,
  type DecoderRefusal,
  READY,
} from './decoder-answer.ts'
import { hasUncountedFrames, imageKindOf } from './image-kind.ts'

// libvips would also open SVG, TIFF and others, which it recognises by their bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`),
})
sharp.cache(false)
sharp.concurrency(1)

/** Format names of the decoder by image type. */
const FORMATS: Record<ImageType, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
  'image/gif': 'gif',
}

/** Lower priority than the server, so that pages do not wait for images. */
const NICENESS = 5
const QUALITIES = [80, 55, 25]
/** Size in bytes beyond which no quality makes an image small enough. */
const MAX_REDUCIBLE_BYTES = 4 * MAX_STORED_IMAGE_BYTES

class DecoderRefusalError extends Error {
  readonly refusal: DecoderRefusal

  constructor(refusal: DecoderRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** Runs a libvips operation. Throws the refusal of a broken image or of exhausted memory. */
const read = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw new DecoderRefusalError(/memory|alloc/i.test(String(error)) ? 'exhausted' : 'broken')
  }
}

const hasFormat = ({ format, compression }: Metadata, type: ImageType): boolean =>
  format === FORMATS[type] && (type !== 'image/avif' || compression === 'av1')

/** A decoded image with the bytes of its files. */
type DrawnPicture = { picture: DecodedPicture; files: Buffer[] }

const draw = async (bytes: Buffer): Promise<DrawnPicture> => {
  const type = imageKindOf(bytes)
  if (!type) throw new DecoderRefusalError('not_an_image')
  const metadata = await read(() => sharp(bytes, { limitInputPixels: false }).metadata())
  if (!hasFormat(metadata, type)) throw new DecoderRefusalError('not_an_image')
  const { width: full_width = 0, height: full_height = 0, pages = 1 } = metadata
  if (full_width * full_height > MAX_IMAGE_PIXELS) throw new DecoderRefusalError('too_large')
  const options = { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', animated: false } as const
  const { data, info } = await read(() =>
    sharp(bytes, options)
      .autoOrient()
      .resize({ ...MAX_IMAGE_DIMENSIONS, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const color = await averageOf(data, raw)
  const sizes = sizesOf(info.width)
  const files: Buffer[] = []
  for (const size of sizes) files.push(await encode(data, raw, Math.min(size, info.width)))
  const picture: DecodedPicture = {
    width: info.width,
    height: info.height,
    color,
    is_opaque: isOpaque(data, raw.channels),
    is_animated: pages > 1 || hasUncountedFrames(bytes, type),
    files: sizes.map((size, index) => ({ size, length: files[index]?.length ?? 0 })),
  }
  return { picture, files }
}

type Raw = { width: number; height: number; channels: Channels }

/** Returns the average colour as #rrggbb. */
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

/**
 * Returns one size as a WebP of at most `MAX_STORED_IMAGE_BYTES` bytes: in the best quality that fits, otherwise with
 * fewer pixels.
 */
const encode = async (data: Buffer, raw: Raw, width: number): Promise<Buffer> => {
  for (const quality of QUALITIES) {
    const file = await sharp(data, { raw }).resize({ width }).webp({ quality }).toBuffer()
    if (file.length <= MAX_STORED_IMAGE_BYTES) return file
    if (file.length > MAX_REDUCIBLE_BYTES) break
  }
  return encode(data, raw, Math.ceil(width / 2))
}

/** Exits at once, because an orderly exit would wait for libvips. */
const end = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const WATCH_MS = 10

/** Exits beyond this much resident memory, because the kernel's limit does not count everything (macOS). */
const watchMemory = (max_bytes: number): void => {
  setInterval(() => {
    if (process.memoryUsage.rss() > max_bytes) end()
  }, WATCH_MS)
}

/** Makes the kernel kill this process before the server or the database if memory runs out. */
const volunteerForOutOfMemory = (): void => {
  if (process.platform !== 'linux') return
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // A sandbox may refuse this file; the memory limits still apply.
  }
}

const answer = async (bytes: Buffer): Promise<Buffer> => {
  const toLine = (reply: DecoderAnswer): Buffer => Buffer.from(`${JSON.stringify(reply)}\n`)
  try {
    const { picture, files } = await draw(bytes)
    return Buffer.concat([toLine(picture), ...files])
  } catch (error) {
    if (error instanceof DecoderRefusalError) return toLine({ refusal: error.refusal })
    throw error
  }
}

// Descriptor 3 closes when the server ends, even by SIGKILL.
new Socket({ fd: 3 }).on('close', end).resume()
setPriority(NICENESS)
volunteerForOutOfMemory()
watchMemory(Number(process.argv[2]))
process.stdout.write(READY)
process.stdout.write(await answer(await buffer(process.stdin)), end)
