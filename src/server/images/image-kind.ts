import type { ImageType } from '#domain/questionnaire/images.ts'

const hasText = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

/** Bytes of a box header: its length and its name. */
const BOX_HEADER_BYTES = 8
const BRAND_BYTES = 4
/** Bytes of the header, the major brand and the minor version, which precede the compatible brands. */
const MIN_FTYP_BYTES = 16
const MAX_FTYP_BYTES = 256

/**
 * Returns the brands of a file's `ftyp` box, the major one first (ISO/IEC 14496-12, §4.3). Returns none if the box
 * has an impossible length, exceeds the file, or is the only box.
 */
const brandsOf = (bytes: Buffer): string[] => {
  if (!hasText(bytes, 'ftyp', 4)) return []
  const length = bytes.readUInt32BE(0)
  const isSound = length >= MIN_FTYP_BYTES && length <= MAX_FTYP_BYTES && length % BRAND_BYTES === 0
  if (!isSound || bytes.length < length + BOX_HEADER_BYTES) return []
  const brands = bytes.subarray(BOX_HEADER_BYTES, length).toString('latin1').match(/.{4}/gs) ?? []
  // The second entry is the minor version.
  return brands.filter((_brand, index) => index !== 1)
}

const isAvif = (bytes: Buffer): boolean =>
  brandsOf(bytes).some((brand) => brand === 'avif' || brand === 'avis')

/** Tests of the first bytes of a file by image type. */
const SIGNATURES: Record<ImageType, (bytes: Buffer) => boolean> = {
  'image/jpeg': (bytes) => hasText(bytes, '\xff\xd8\xff'),
  'image/png': (bytes) => hasText(bytes, '\x89PNG\r\n\x1a\n'),
  'image/webp': (bytes) => hasText(bytes, 'RIFF') && hasText(bytes, 'WEBP', 8),
  'image/avif': isAvif,
  'image/gif': (bytes) => hasText(bytes, 'GIF87a') || hasText(bytes, 'GIF89a'),
}

/** Returns the image type that the first bytes of a file announce; undefined for an unsupported type. */
export const imageKindOf = (bytes: Buffer): ImageType | undefined =>
  (Object.keys(SIGNATURES) as ImageType[]).find((kind) => SIGNATURES[kind](bytes))

/** Returns true if an AVIF announces an image sequence. */
const isSequence = (bytes: Buffer): boolean => brandsOf(bytes).includes('avis')

const PNG_SIGNATURE_BYTES = 8
/** Bytes of a chunk without its data: length, name and checksum. */
const PNG_CHUNK_BYTES = 12

/** Returns true if a PNG has the chunk of animations (APNG), which precedes its pixels. */
const isAnimatedPng = (bytes: Buffer): boolean => {
  let at = PNG_SIGNATURE_BYTES
  while (at + PNG_CHUNK_BYTES <= bytes.length) {
    if (hasText(bytes, 'acTL', at + 4)) return true
    if (hasText(bytes, 'IDAT', at + 4)) return false
    at += PNG_CHUNK_BYTES + bytes.readUInt32BE(at)
  }
  return false
}

/** Returns true if a file of this type has several frames that the decoder does not count. */
export const hasUncountedFrames = (bytes: Buffer, type: ImageType): boolean =>
  (type === 'image/avif' && isSequence(bytes)) || (type === 'image/png' && isAnimatedPng(bytes))
