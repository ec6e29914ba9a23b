import sharp from 'sharp'
import type { PdfDocument } from '#domain/reports/document.ts'
import { forgetUnusedFonts } from './font-files.ts'
import { FontChooser } from './fonts.ts'
import { undrawableName } from './undrawable-name.ts'
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

/** Runs a function on fonts. The thread then keeps few of them open for its next task. */
const withFonts = async <Result>(run: () => Result | Promise<Result>): Promise<Result> => {
  try {
    return await run()
  } finally {
    forgetUnusedFonts()
  }
}

/**
 * Draws a document in a thread. Throws a 422 (`undrawable_name`) for a certificate whose name has characters without a
 * font, because a certificate with another name is worth nothing.
 */
export const writePdfTask = ({
  document,
  pictures,
}: DrawingInput): Promise<Uint8Array<ArrayBuffer>> =>
  withFonts(async () => {
    const name = document.parts.find((part) => part.kind === 'name')?.text ?? ''
    if (!new FontChooser(document.font).canDraw(name)) throw undrawableName(name)
    return Uint8Array.from(await writePdf(document, await toJpegs(pictures)))
  })

/** Counts the pages of a document in a thread. */
export const countPagesTask = ({ document, pictures }: DrawingInput): Promise<number> =>
  withFonts(async () => countPages(document, await toJpegs(pictures)))

/** Returns the ranks of the texts with characters that no document can write. Runs in a thread. */
export const findUndrawableTask = (texts: readonly string[]): Promise<number[]> =>
  withFonts(() => {
    const fonts = new FontChooser('system')
    return texts.flatMap((text, rank) => (fonts.canDraw(text) ? [] : [rank]))
  })
