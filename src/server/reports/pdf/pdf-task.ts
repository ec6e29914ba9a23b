import sharp from 'sharp'
import type { PdfDocument } from '#domain/reports/document.ts'
import { countPages, type Picture, type Pictures, writePdf } from './write-pdf.ts'

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

/** Document to draw, with the stored files of its pictures by image id. */
type DrawingInput = { document: PdfDocument; pictures: readonly [string, Uint8Array][] }

const toJpegs = async (pictures: DrawingInput['pictures']): Promise<Pictures> => {
  const drawn = new Map<string, Picture>()
  for (const [image_id, stored] of pictures) drawn.set(image_id, await toJpeg(stored))
  return drawn
}

/** Draws a document in a thread. */
export const writePdfTask = async ({
  document,
  pictures,
}: DrawingInput): Promise<Uint8Array<ArrayBuffer>> =>
  Uint8Array.from(await writePdf(document, await toJpegs(pictures)))

/** Counts the pages of a document in a thread. */
export const countPagesTask = async ({ document, pictures }: DrawingInput): Promise<number> =>
  countPages(document, await toJpegs(pictures))
