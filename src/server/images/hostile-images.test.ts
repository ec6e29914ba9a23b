import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import type { ImageType } from '#domain/questionnaire/images.ts'
import type { QuizFile } from '#domain/quiz-files/quiz-file.ts'
import { createTestApp, type SignedUp } from '#server/testing/app/test-app.ts'
import {
  createFlatPicture,
  LARGEST_AVIF,
  sendPicture,
  uploadPicture,
} from '#server/testing/quizzes/pictures.ts'
import { downloadQuizFile, importQuizFile } from '#server/testing/quizzes/quiz-files.ts'
import { readyScoreQuiz } from '#server/testing/quizzes/sample-quizzes.ts'

// Runs in test:all, because each of its files starts several decoders.
// Starts early, because its tests take more than 15 s.

const app = await createTestApp()
after(() => app.close())

let creator: SignedUp
let quiz: QuizFile
before(async () => {
  creator = await app.signUp()
  const { id } = await readyScoreQuiz(creator.client)
  quiz = (await downloadQuizFile(app, creator, id)).json()
})

const NOT_AN_IMAGE = 'Ce fichier n’est pas une image que nous savons lire'
const BROKEN = 'L’image est incomplète ou abîmée'

/** Sends a file through both uploads, and expects a refusal that stores nothing and does not block the next image. */
const isRefused = async (bytes: Buffer, type: ImageType, reason: string): Promise<void> => {
  const picture = { id: 'p1', type, data: bytes.toString('base64') }
  const file = { ...quiz, quiz: { ...quiz.quiz, logo_image_id: 'p1' }, pictures: [picture] }
  const replies = [
    ['', await sendPicture(app, creator, bytes, type)],
    ['Champ « pictures.0.data » : ', await importQuizFile(app, creator, JSON.stringify(file))],
  ] as const
  for (const [place, reply] of replies) {
    assert.equal(reply.statusCode, 422, reply.body.slice(0, 200))
    assert.ok(reply.json().error.startsWith(place + reason), reply.body)
  }
  const another = await app.signUp()
  assert.equal((await another.client.images.usage()).used, 0)
  assert.equal((await creator.client.images.usage()).used, 0)
  assert.equal((await uploadPicture(app, another, createFlatPicture(20, 20))).width, 20)
}

const svg = (inside = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">${inside}</svg>`

const TURBULENCE = svg(
  '<filter id="f"><feTurbulence numOctaves="20" baseFrequency=".01"/></filter><rect width="900" height="900" filter="url(#f)"/>',
)

/** A gzip file whose header contains `ftyp` at the place of its time, and `avif` in its name. */
const zipped = (text: string): Buffer => {
  const body = Buffer.from(text)
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(body))
  end.writeUInt32LE(body.length, 4)
  const header = Buffer.from('\x1f\x8b\x08\x08ftyp\0\x03xxavif\0', 'latin1')
  return Buffer.concat([header, deflateRawSync(body), end])
}

/** An `ftyp` box with these brands and this announced length. */
const ftyp = (brands: string, length = 8 + brands.length): Buffer => {
  const box = Buffer.from(`\0\0\0\0ftyp${brands}`, 'latin1')
  box.writeUInt32BE(length)
  return box
}

describe('vector graphics', () => {
  test('a vector graphic after a comment is refused', async () => {
    for (const start of ['<!--ftypavif-->', '<!--ftypavis-->', '\n   ftypavif', '    ftyp    avif'])
      await isRefused(Buffer.from(start + TURBULENCE), 'image/avif', NOT_AN_IMAGE)
  })
  test('a compressed vector graphic is refused by its archive header', async () => {
    for (const text of [svg(), TURBULENCE, svg(`<text>${'x'.repeat(20_000)}</text>`)])
      await isRefused(zipped(text), 'image/avif', NOT_AN_IMAGE)
  })
  test('a vector graphic after a valid start of each type is refused', async () => {
    const starts: [string, ImageType][] = [
      [ftyp('avif\0\0\0\0avif').toString('latin1'), 'image/avif'],
      ['\xff\xd8\xff', 'image/jpeg'],
      ['\x89PNG\r\n\x1a\n', 'image/png'],
      ['RIFF\x20\0\0\0WEBP', 'image/webp'],
      ['GIF89a', 'image/gif'],
    ]
    for (const [start, type] of starts)
      await isRefused(Buffer.from(start + svg(), 'latin1'), type, BROKEN)
  })
})

describe('malformed AVIF images', () => {
  let avif: Buffer
  before(async () => {
    avif = await createFlatPicture(60, 40).avif().toBuffer()
  })
  const withBox = (change: (box: Buffer) => void): Buffer => {
    const changed = Buffer.from(avif)
    change(changed)
    return changed
  }
  test('an AVIF is refused if its first box has an impossible length', async () => {
    const lengths = [
      0,
      1,
      8,
      15,
      18,
      260,
      avif.length,
      avif.length - 4,
      0x7f_ff_ff_ff,
      0xff_ff_ff_ff,
    ]
    for (const length of lengths)
      await isRefused(
        withBox((box) => box.writeUInt32BE(length)),
        'image/avif',
        NOT_AN_IMAGE,
      )
    await isRefused(ftyp('avif\0\0\0\0avif'), 'image/avif', NOT_AN_IMAGE)
  })
  test('an AVIF is refused if its brands are those of HEIC or misaligned', async () => {
    const file = Buffer.from(avif.toString('latin1').replaceAll('avif', 'heic'), 'latin1')
    await isRefused(file, 'image/avif', NOT_AN_IMAGE)
    await isRefused(
      Buffer.concat([ftyp('heic\0\0\0\0heicxxavifxx'), avif.subarray(32)]),
      'image/avif',
      NOT_AN_IMAGE,
    )
  })
  test('an AVIF is refused if it announces a missing sequence', () =>
    isRefused(Buffer.concat([ftyp('avis\0\0\0\0avis'), Buffer.alloc(64)]), 'image/avif', BROKEN))
  test('a truncated AVIF is refused', () =>
    isRefused(LARGEST_AVIF.subarray(0, 900), 'image/avif', BROKEN))
})

test('another kind of file is refused, whatever it announces', async () => {
  const tiff = await createFlatPicture(60, 40).tiff().toBuffer()
  await isRefused(tiff, 'image/png', NOT_AN_IMAGE)
  await isRefused(Buffer.from('%PDF-1.7\n%\xff'), 'image/jpeg', NOT_AN_IMAGE)
  await isRefused(Buffer.concat([Buffer.from('GIF89a'), tiff]), 'image/gif', BROKEN)
})

describe('animations', () => {
  test('an animation of a thousand frames costs as much as its first frame', async () => {
    const frame = await createFlatPicture(20, 20).png().toBuffer()
    const other = await createFlatPicture(20, 20, '#17c3b2').png().toBuffer()
    const frames = Array.from({ length: 1_000 }, (_, index) => (index % 2 ? frame : other))
    const moving = sharp(frames, { join: { animated: true } })
    const someone = await app.signUp()
    for (const [type, bytes] of [
      ['image/gif', await moving.clone().gif().toBuffer()],
      ['image/webp', await moving.clone().webp({ effort: 0 }).toBuffer()],
    ] as const) {
      const reply = await sendPicture(app, someone, bytes, type)
      assert.equal(reply.statusCode, 201, reply.body)
      assert.equal(reply.json().image.height, 20)
    }
  })
})
