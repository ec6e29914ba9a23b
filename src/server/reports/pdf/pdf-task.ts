import sharp from 'sharp'
import type { PdfDocument } from '#domain/reports/document.ts'
import { type Picture, writePdf } from './write-pdf.ts'

const JPEG_QUALITY = 82

sharp.cache(false)
sharp.concurrency(1)

/** Converts a stored picture (WebP) to JPEG on white, because PDF has no WebP. */
const toJpeg = async (stored: Uint8Array): Promise<Picture> => {
  const { data, info } = await sharp(stored)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Draws a document in a thread. Receives the stored files of its pictures by image id. */
export const writePdfTask = async ({
  document,
  pictures,
}: {
  document: PdfDocument
  pictures: readonly [string, Uint8Array][]
}): Promise<Uint8Array<ArrayBuffer>> => {
  const drawn = new Map<string, Picture>()
  for (const [image_id, stored] of pictures) drawn.set(image_id, await toJpeg(stored))
  return Uint8Array.from(await writePdf(document, drawn))
}
