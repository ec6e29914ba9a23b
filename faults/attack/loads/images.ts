import { setTimeout as pause } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { type Attack, type AttackContext, assertPrecondition } from '../attack.ts'
import { familyMemoryMb, type MeasuredSite } from '../measured-site.ts'

/** Maximum growth of the server process, which does not decode images itself. */
const MAX_SERVER_GROWTH_MB = 150
/** Maximum memory of the server and the decoder process together. */
const MAX_TOTAL_MB = 2_000
/** Maximum time until an ordinary image is accepted again. */
const MAX_RECOVERY_MS = 30_000
const MAX_LOOP_MS = 250
const POLL_MS = 100

const SVG_HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="4000">'
const LONG_TEXT = `${SVG_HEAD}<text>${'a'.repeat(1_000_000)}</text></svg>`
const TURBULENCE = `${SVG_HEAD}<filter id="f"><feTurbulence numOctaves="200" baseFrequency="0.9"/></filter>${'<rect width="4000" height="4000" filter="url(#f)"/>'.repeat(40)}</svg>`

/** Returns a gzip file whose bytes 4 to 12 are `ftypavif`, as in an AVIF image. */
const createGzipLikeAvif = (content: string): Buffer => {
  const packed = gzipSync(content, { level: 9 })
  const head = Buffer.from([0x1f, 0x8b, 8, 8])
  return Buffer.concat([head, Buffer.from('ftypavif\0\0'), packed.subarray(10)])
}

const box = (type: string, content: Buffer, length = content.length + 8): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(length >>> 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}

/** Returns a PNG that declares more pixels than it contains. */
const createPngWithoutPixels = (width: number, height: number): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set([8, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(1_000_000), { level: 9 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns the content behind a box that declares an AVIF image. */
const prependAvifBox = (content: string | Buffer): Buffer =>
  Buffer.concat([box('ftyp', Buffer.from('avif\0\0\0\0avifmif1')), Buffer.from(content)])

/** Returns files by name that are no valid image of a supported format. */
const createInvalidImages = async (): Promise<Record<string, Buffer>> => ({
  'svg behind a comment': Buffer.from(`<!--ftypavif-->${LONG_TEXT}`),
  'turbulence behind a comment': Buffer.from(`<!--ftypavif-->${TURBULENCE}`),
  'svgz whose name spells ftypavif': createGzipLikeAvif(LONG_TEXT),
  'svgz of turbulence': createGzipLikeAvif(TURBULENCE),
  'plain svg': Buffer.from(LONG_TEXT),
  'svg in a box that says avif': prependAvifBox(LONG_TEXT),
  'box longer than the file': box('ftyp', Buffer.from('avif'), 0xffff_ffff),
  'box without brands': box('ftyp', Buffer.from('avif'), 8),
  'png of 30,000 by 30,000': createPngWithoutPixels(30_000, 30_000),
  'png of a row of 4,000,000': createPngWithoutPixels(4_000_000, 1),
  tiff: await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
    .tiff()
    .toBuffer(),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'),
  'truncated jpeg': (await flat(3_000, 3_000).jpeg().toBuffer()).subarray(0, 2_000),
})

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c8562a' } })

/** Returns valid images by name that are costly to decode. The product may accept or refuse them. */
const createCostlyImages = async (): Promise<Record<string, Buffer>> => ({
  'avif of 40 megapixels at 12 bits': await flat(8_000, 5_000)
    .avif({ bitdepth: 12, effort: 0, quality: 30 })
    .toBuffer()
    .catch(() => flat(8_000, 5_000).avif({ effort: 0, quality: 30 }).toBuffer()),
  'png of 40 megapixels': await flat(8_000, 5_000).png({ compressionLevel: 9 }).toBuffer(),
  'webp of 16,000 by 2,400': await flat(16_000, 2_400).webp({ quality: 1 }).toBuffer(),
})

/** Uploads an image and returns the status. */
const upload = async (
  { origin }: MeasuredSite,
  access_token: string,
  body: Buffer,
): Promise<number> => {
  const response = await fetch(`${origin}/api/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'image/avif' },
    signal: AbortSignal.timeout(120_000),
    body: new Uint8Array(body),
  })
  await response.arrayBuffer()
  return response.status
}

/** Returns the type that the first bytes of a file declare. Unknown files are declared as AVIF. */
const declaredTypeOf = (image: Buffer): string => {
  if (image.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png'
  return image[0] === 0xff && image[1] === 0xd8 ? 'image/jpeg' : 'image/avif'
}

/** Imports a quiz file that contains an image, and returns the status. */
const importWithImage = async (
  { origin }: MeasuredSite,
  access_token: string,
  image: Buffer,
): Promise<number> => {
  const file = {
    format: 'quizaine-quiz',
    schema_version: 1,
    quiz: { name: 'Avec image', type: 'sondage', logo_image_id: 'i1' },
    quiz_mode: null,
    results: [],
    questions: [{ id: 'q1', text: 'Ça va ?', type: 'text', global_position: 0, page_number: 1 }],
    text_blocks: [],
    pictures: [{ id: 'i1', type: declaredTypeOf(image), data: image.toString('base64') }],
  }
  const response = await fetch(`${origin}/api/v1/quizzes/import-file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(120_000),
    body: JSON.stringify(file),
  })
  await response.arrayBuffer()
  return response.status
}

/** Runs `work` and returns its result with the maximum memory of the server and the decoder in MB. */
const measureTotalMemory = async <T>(pid: number, work: () => Promise<T>): Promise<[T, number]> => {
  let peak_mb = 0
  let isUnderWay = true
  const watching = (async () => {
    while (isUnderWay) {
      peak_mb = Math.max(peak_mb, familyMemoryMb(pid))
      await pause(POLL_MS)
    }
  })()
  try {
    return [await work(), peak_mb]
  } finally {
    isUnderWay = false
    await watching
  }
}

type Send = (site: MeasuredSite, access_token: string, body: Buffer) => Promise<number>

/** Returns an attack that sends each file and reports wrong statuses, high memory use and a blocked event loop. */
const sendAll =
  (files: () => Promise<Record<string, Buffer>>, send: Send, isRefused: boolean) =>
  async (context: AttackContext): Promise<string[]> => {
    const site = await context.measured()
    const { access_token } = await site.creator()
    const valid_image = await flat(600, 400).jpeg().toBuffer()
    assertPrecondition(
      (await send(site, access_token, valid_image)) === 201,
      'a valid image is refused',
    )
    const successes: string[] = []
    let max_total_mb = 0
    let longest_ms = 0
    for (const [name, bytes] of Object.entries(await files())) {
      const [measured, total_mb] = await measureTotalMemory(site.pid, () =>
        site.measure(() => send(site, access_token, bytes)),
      )
      const { value: status, loop_ms, growth_mb } = measured
      max_total_mb = Math.max(max_total_mb, total_mb)
      longest_ms = Math.max(longest_ms, loop_ms)
      const isExpected = isRefused ? status === 422 : [201, 422].includes(status)
      if (!isExpected) successes.push(`${name} was answered ${status}`)
      if (growth_mb > MAX_SERVER_GROWTH_MB)
        successes.push(`${name}: ${Math.round(growth_mb)} MB growth of the server`)
      if (total_mb > MAX_TOTAL_MB) successes.push(`${name}: ${Math.round(total_mb)} MB in total`)
      if (loop_ms > MAX_LOOP_MS)
        successes.push(`${name}: the event loop waits ${Math.round(loop_ms)} ms`)
      const began = performance.now()
      const after = await upload(site, access_token, valid_image)
      const recovery_ms = performance.now() - began
      if (after !== 201 || recovery_ms > MAX_RECOVERY_MS)
        successes.push(
          `after ${name}, an ordinary image was answered ${after} in ${Math.round(recovery_ms)} ms`,
        )
    }
    context.note(`${Math.round(max_total_mb)} MB in total, event loop ${Math.round(longest_ms)} ms`)
    return successes
  }

/** Attacks with files that are not images or are costly to decode. */
export const imageAttacks: Attack[] = [
  {
    name: 'files that are not images reach the decoder',
    run: sendAll(createInvalidImages, upload, true),
  },
  {
    name: 'a quiz file contains files that are not images',
    run: sendAll(createInvalidImages, importWithImage, true),
  },
  { name: 'images that are costly to decode', run: sendAll(createCostlyImages, upload, false) },
]
