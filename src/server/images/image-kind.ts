import type { ImageType } from '#domain/images.ts'

/** Offset and length of the box that an AVIF begins with, and of the brands in it. */
const BRANDS_FROM = 8
const LARGEST_BOX = 256
const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

const isAvif = (bytes: Buffer): boolean => {
  if (bytes.length < BRANDS_FROM || !startsWith(bytes, 'ftyp', 4)) return false
  const end = Math.min(bytes.readUInt32BE(0), LARGEST_BOX, bytes.length)
  const brands = bytes.subarray(BRANDS_FROM, end).toString('latin1').match(/.{4}/gs) ?? []
  return brands.some((brand) => brand === 'avif' || brand === 'avis')
}

/** What each kind begins with. */
const SIGNATURES: Record<ImageType, (bytes: Buffer) => boolean> = {
  'image/jpeg': (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  'image/png': (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  'image/webp': (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  'image/avif': isAvif,
  'image/gif': (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
}

/** The kind of a picture by its first bytes, whatever it is called; undefined of everything that is not read. */
export const imageKindOf = (bytes: Buffer): ImageType | undefined =>
  (Object.keys(SIGNATURES) as ImageType[]).find((kind) => SIGNATURES[kind](bytes))
