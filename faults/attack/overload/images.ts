import { readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { listProcessTree } from '../../runner/processes.ts'
import { type Attack, type AttackContext, assertPrecondition } from '../runner/attack.ts'
import { describeFigures, type Figures, findExcesses, mergeWorst } from '../runner/limits.ts'
import { type Account, memoryOf } from '../runner/measured-site.ts'
import type { Answer } from '../runner/requests.ts'

/** Limits of the server process, which does not decode images itself, and of its memory together with the decoder. */
const LIMITS = { loop_ms: 250, growth_mb: 150, total_mb: 2_000 }
/** Maximum time until an ordinary image is accepted again. */
const MAX_RECOVERY_MS = 30_000
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

/** Returns a box of an AVIF file. `length` is the length that the box declares. */
const createBox = (type: string, content: Buffer, length = content.length + 8): Buffer => {
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
  Buffer.concat([createBox('ftyp', Buffer.from('avif\0\0\0\0avifmif1')), Buffer.from(content)])

/** Returns files by name that are no valid image of a supported format. */
const createInvalidImages = async (): Promise<Record<string, Buffer>> => ({
  'svg behind a comment': Buffer.from(`<!--ftypavif-->${LONG_TEXT}`),
  'turbulence behind a comment': Buffer.from(`<!--ftypavif-->${TURBULENCE}`),
  'svgz whose name spells ftypavif': createGzipLikeAvif(LONG_TEXT),
  'svgz of turbulence': createGzipLikeAvif(TURBULENCE),
  'plain svg': Buffer.from(LONG_TEXT),
  'svg in a box that says avif': prependAvifBox(LONG_TEXT),
  'box longer than the file': createBox('ftyp', Buffer.from('avif'), 0xffff_ffff),
  'box without brands': createBox('ftyp', Buffer.from('avif'), 8),
  'png of 30,000 by 30,000': createPngWithoutPixels(30_000, 30_000),
  'png of a row of 4,000,000': createPngWithoutPixels(4_000_000, 1),
  tiff: await sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
    .tiff()
    .toBuffer(),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'),
  'truncated jpeg': (await createPlainImage(3_000, 3_000).jpeg().toBuffer()).subarray(0, 2_000),
})

/** Creates an image of one colour. */
const createPlainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c8562a' } })

/** Returns valid images by name that are costly to decode. The product may accept or refuse them. */
const createCostlyImages = async (): Promise<Record<string, Buffer>> => ({
  'avif of 40 megapixels at 12 bits': await createPlainImage(8_000, 5_000)
    .avif({ bitdepth: 12, effort: 0, quality: 30 })
    .toBuffer()
    .catch(() => createPlainImage(8_000, 5_000).avif({ effort: 0, quality: 30 }).toBuffer()),
  'png of 40 megapixels': await createPlainImage(8_000, 5_000)
    .png({ compressionLevel: 9 })
    .toBuffer(),
  'webp of 16,000 by 2,400': await createPlainImage(16_000, 2_400).webp({ quality: 1 }).toBuffer(),
})

/** Sends an image, or a file that claims to be an image. */
type SendImage = (account: Account, image: Buffer) => Promise<Answer>

const upload: SendImage = ({ call }, body) =>
  call('/api/v1/images', { body, headers: { 'content-type': 'image/avif' } })

/** Returns the type that the first bytes of a file declare. Unknown files are declared as AVIF. */
const declaredTypeOf = (image: Buffer): string => {
  if (image.subarray(1, 4).toString('latin1') === 'PNG') return 'image/png'
  return image[0] === 0xff && image[1] === 0xd8 ? 'image/jpeg' : 'image/avif'
}

/** Imports a quiz file that contains an image. */
const importWithImage: SendImage = ({ call }, image) => {
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
  return call('/api/v1/quizzes/import-file', { body: file })
}

/** Returns the resident memory in MB of a process and its descendants, without PostgreSQL. */
const familyMemoryMb = (pid: number): number => {
  let total_mb = 0
  for (const member of listProcessTree(pid))
    try {
      const name = readFileSync(`/proc/${member}/comm`, 'utf8').trim()
      if (name !== 'postgres') total_mb += memoryOf(member).now_mb
    } catch {
      // The process ended after it was listed.
    }
  return total_mb
}

/** Runs `work` and returns its result with the maximum memory of the server and the decoder in MB. */
const measureTotalMemory = async <T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; total_mb: number }> => {
  let total_mb = 0
  const timer = setInterval(() => {
    total_mb = Math.max(total_mb, familyMemoryMb(pid))
  }, POLL_MS)
  try {
    const result = await work()
    return { result, total_mb }
  } finally {
    clearInterval(timer)
  }
}

/** Returns an attack that sends files. Reports unexpected statuses, exceeded limits and a decoder that does not recover. */
const sendAll =
  (createFiles: () => Promise<Record<string, Buffer>>, sendImage: SendImage, expected: number[]) =>
  async (context: AttackContext): Promise<string[]> => {
    const account = await context.openAccount()
    const { site } = account
    const valid_image = await createPlainImage(600, 400).jpeg().toBuffer()
    const first = await sendImage(account, valid_image)
    assertPrecondition(first.status === 201, 'a valid image is refused')
    const successes: string[] = []
    let worst: Figures = {}
    for (const [name, bytes] of Object.entries(await createFiles())) {
      const { result, total_mb } = await measureTotalMemory(site.pid, () =>
        site.measure(() => sendImage(account, bytes)),
      )
      const { value, loop_ms, growth_mb } = result
      const figures = { loop_ms, growth_mb, total_mb }
      worst = mergeWorst(worst, figures)
      if (!expected.includes(value.status)) successes.push(`${name} was answered ${value.status}`)
      successes.push(...findExcesses(figures, LIMITS, name))
      const after = await upload(account, valid_image)
      if (after.status !== 201 || after.ms > MAX_RECOVERY_MS)
        successes.push(
          `after ${name}, an ordinary image was answered ${after.status} in ${Math.round(after.ms)} ms`,
        )
    }
    context.note(describeFigures(worst))
    return successes
  }

/** Attacks with files that are not images or are costly to decode. */
export const imageAttacks: Attack[] = [
  {
    name: 'files that are not images reach the decoder',
    run: sendAll(createInvalidImages, upload, [422]),
  },
  {
    name: 'a quiz file contains files that are not images',
    run: sendAll(createInvalidImages, importWithImage, [422]),
  },
  {
    name: 'images that are costly to decode',
    run: sendAll(createCostlyImages, upload, [201, 422]),
  },
]
