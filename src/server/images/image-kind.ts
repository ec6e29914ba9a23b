import type { ImageType } from '#domain/questionnaire/images.ts'

const hasText = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

/** Length of a box's header: its own length, then its name. */
const BOX_HEADER_BYTES = 8
const BRAND_BYTES = 4
/** Length of the header, the major brand and the minor version, before the list of compatible brands. */
const MIN_FTYP_BYTES = 16
const MAX_FTYP_BYTES = 256

/**
 * Brands of the `ftyp` box that a file begins with (ISO/IEC 14496-12, §4.3), the major one first. Returns none if the
 * box has an impossible length, does not lie within the file, or no other box follows.
 */
const brandsOf = (bytes: Buffer): string[] => {
  if (!hasText(bytes, 'ftyp', 4)) return []
  const length = bytes.readUInt32BE(0)
  const isSound = length >= MIN_FTYP_BYTES && length <= MAX_FTYP_BYTES && length % BRAND_BYTES === 0
  if (!isSound || bytes.length < length + BOX_HEADER_BYTES) return []
  const brands = bytes.subarray(BOX_HEADER_BYTES, length).toString('latin1').match(/.{4}/gs) ?? []
  // The second place is the minor version.
  return brands.filter((_brand, index) => index !== 1)
}

const isAvif = (bytes: Buffer): boolean =>
  brandsOf(bytes).some((brand) => brand === 'avif' || brand === 'avis')

/** Tests of the first bytes of a file, by the type that they announce. */
const SIGNATURES: Record<ImageType, (bytes: Buffer) => boolean> = {
  'image/jpeg': (bytes) => hasText(bytes, '\xff\xd8\xff'),
  'image/png': (bytes) => hasText(bytes, '\x89PNG\r\n\x1a\n'),
  'image/webp': (bytes) => hasText(bytes, 'RIFF') && hasText(bytes, 'WEBP', 8),
  'image/avif': isAvif,
  'image/gif': (bytes) => hasText(bytes, 'GIF87a') || hasText(bytes, 'GIF89a'),
}

/** Returns the type that the first bytes of a file announce, whatever its name; undefined if no picture may have it. */
export const imageKindOf = (bytes: Buffer): ImageType | undefined =>
  (Object.keys(SIGNATURES) as ImageType[]).find((kind) => SIGNATURES[kind](bytes))

/** True if an AVIF announces a sequence of pictures. */
const isSequence = (bytes: Buffer): boolean => brandsOf(bytes).includes('avis')

const PNG_SIGNATURE_BYTES = 8
/** Length of a chunk without its data: length, name and checksum. */
const PNG_CHUNK_BYTES = 12

/** True if a PNG has the chunk of animations (APNG), which comes before its pixels. */
const isAnimatedPng = (bytes: Buffer): boolean => {
  let at = PNG_SIGNATURE_BYTES
  while (at + PNG_CHUNK_BYTES <= bytes.length) {
    if (hasText(bytes, 'acTL', at + 4)) return true
    if (hasText(bytes, 'IDAT', at + 4)) return false
    at += PNG_CHUNK_BYTES + bytes.readUInt32BE(at)
  }
  return false
}

/** True if a file of this type has several frames that the decoder does not count by itself. */
export const hasUncountedFrames = (bytes: Buffer, type: ImageType): boolean =>
  (type === 'image/avif' && isSequence(bytes)) || (type === 'image/png' && isAnimatedPng(bytes))
