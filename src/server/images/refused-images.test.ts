import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { imageAddress } from '#domain/questionnaire/images.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import {
  createFlatPicture,
  createNoisePicture,
  sendPicture,
} from '#server/testing/quizzes/pictures.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Runs in test:all, because it decodes many pictures.

const app = await createTestApp()
after(() => app.close())
const creator = await app.signUp()

const NOT_AN_IMAGE = /^Ce fichier n’est pas une image que nous savons lire/
const BROKEN = /^L’image est incomplète ou abîmée/
const TOO_LARGE = /^L’image est trop grande : 40 mégapixels au plus/
const TOO_HEAVY = /^L’image est trop lourde : 10 Mo au plus/

const refused = async (
  bytes: Buffer,
  { status = 422, type = 'image/png', reason }: { status?: number; type?: string; reason: RegExp },
): Promise<void> => {
  const reply = await sendPicture(app, creator, bytes, type)
  assert.equal(reply.statusCode, status, reply.body.slice(0, 200))
  assert.match(reply.json().error, reason)
  assert.equal((await creator.client.images.usage()).used, 0)
}

test('a file that is not an image is refused', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'
  const texts = [
    'bonjour',
    svg,
    `<?xml version="1.0"?>${svg}`,
    '%PDF-1.7',
    '<!doctype html>',
    'II*\0',
  ]
  for (const text of texts)
    for (const type of ['image/png', 'image/svg+xml', 'text/plain', 'application/octet-stream'])
      await refused(Buffer.from(text), { type, reason: NOT_AN_IMAGE })
  const tiff = await createFlatPicture(20, 20).tiff().toBuffer()
  await refused(tiff, { type: 'image/png', reason: NOT_AN_IMAGE })
  const json = { authorization: `Bearer ${creator.access_token}` }
  const reply = await app.raw({ method: 'POST', url: '/api/v1/images', headers: json, body: {} })
  assert.equal(reply.statusCode, 422)
})

test('an empty file is refused', async () => {
  const reply = await sendPicture(app, creator, Buffer.alloc(0))
  assert.ok([400, 422].includes(reply.statusCode), reply.body)
})

testInAll('a signature without content is refused', async () => {
  for (const start of ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'RIFF\0\0\0\0WEBP'])
    await refused(Buffer.from(start, 'latin1'), { reason: BROKEN })
})

test('a truncated file is refused', async () => {
  const picture = createNoisePicture(400, 300)
  const files = await Promise.all([
    picture.clone().jpeg().toBuffer(),
    picture.clone().png().toBuffer(),
    picture.clone().webp().toBuffer(),
    picture.clone().avif().toBuffer(),
    picture.clone().gif().toBuffer(),
  ])
  for (const file of pickByRun({ daily: files.slice(0, 2), all: files }))
    await refused(file.subarray(0, Math.floor(file.length / 2)), { reason: BROKEN })
})

/** A PNG that announces these dimensions; its equal pixels compress a thousandfold. */
const bomb = (width: number, height: number): Buffer => {
  const chunk = (kind: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(kind), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // The format is one bit a pixel, grey.
  header.writeUInt8(1, 8)
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('an image with too many pixels in a small file is refused', async () => {
  const file = bomb(10_000, 6_000)
  assert.ok(file.length < 20_000, String(file.length))
  await refused(file, { reason: TOO_LARGE })
  await refused(bomb(60_000, 60_000 / 8), { reason: TOO_LARGE })
  const gif = await createFlatPicture(7_000, 6_000).gif().toBuffer()
  await refused(gif, { type: 'image/gif', reason: TOO_LARGE })
})

test('a file with too many bytes is refused', async () => {
  await refused(Buffer.alloc(11 * 1_048_576, 255), { status: 413, reason: TOO_HEAVY })
})

test('a caller who is not signed in is refused', async () => {
  const file = await createFlatPicture(20, 20).png().toBuffer()
  const reply = await sendPicture(app, { access_token: 'none' }, file)
  assert.equal(reply.statusCode, 401)
})

test('only the image of a polyglot file is stored', async () => {
  const program = '<script>alert(document.domain)</script>'
  const picture = await createFlatPicture(200, 100)
    .withExif({ IFD0: { Artist: program } })
    .jpeg()
    .toBuffer()
  const file = Buffer.concat([picture, Buffer.from(`PK\x03\x04${program}`)])
  const reply = await sendPicture(app, creator, file)
  assert.equal(reply.statusCode, 201, reply.body)
  const { rawPayload } = await app.raw({
    method: 'GET',
    url: imageAddress(reply.json().image.id, 400),
  })
  assert.equal((await sharp(rawPayload).metadata()).format, 'webp')
  assert.ok(!rawPayload.includes('script') && !rawPayload.includes('PK'))
})
