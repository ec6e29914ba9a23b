/** Thread that writes PDF documents with low priority. */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import sharp from 'sharp'
import type { PdfAnswer, PdfTask } from './pdf-threads.ts'
import { type Picture, writePdf } from './write-pdf.ts'

/** Nice value of the thread, so that submissions come first. */
const NICE_VALUE = 15
const JPEG_QUALITY = 82

// Only Linux has priorities per thread; elsewhere the whole process would slow down.
if (process.platform === 'linux') setPriority(NICE_VALUE)
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

const write = async ({ document, pictures }: PdfTask): Promise<Uint8Array<ArrayBuffer>> => {
  const drawn = new Map<string, Picture>()
  for (const [image_id, stored] of pictures) drawn.set(image_id, await toJpeg(stored))
  return Uint8Array.from(await writePdf(document, drawn))
}

parentPort?.on('message', async (task: PdfTask) => {
  let answer: PdfAnswer
  try {
    answer = { pdf: await write(task) }
  } catch (error) {
    answer = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(answer, 'pdf' in answer ? [answer.pdf.buffer] : [])
})
