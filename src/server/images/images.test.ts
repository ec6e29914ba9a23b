import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import {
  imageAddress,
  imagePropertiesOf,
  MAX_STORED_IMAGE_BYTES,
  sizesOf,
} from '#domain/questionnaire/images.ts'
import { pickByRun } from '#domain/testing/pick-by-run.ts'
import { createTestApp } from '#server/testing/app/test-app.ts'
import { refuses } from '#server/testing/network/bodies/refusals.ts'
import {
  createFlatPicture,
  createNoisePicture,
  sendPicture,
  uploadPicture,
} from '#server/testing/quizzes/pictures.ts'
import { testInAll } from '#server/testing/test-in-all.ts'

// Starts early, because its tests take more than 15 s.

const app = await createTestApp()
after(() => app.close())
const creator = await app.signUp()

const fileOf = async (id: string, size: 400 | 800 | 1600): Promise<Buffer> => {
  const reply = await app.raw({ method: 'GET', url: imageAddress(id, size) })
  assert.equal(reply.statusCode, 200, reply.body)
  return reply.rawPayload
}

describe('an uploaded image', () => {
  test('an uploaded image is stored as WebP in at most three sizes', async () => {
    const kinds = [
      ['image/jpeg', createFlatPicture(1000, 500).jpeg()],
      ['image/png', createFlatPicture(1000, 500).png()],
      ['image/webp', createFlatPicture(1000, 500).webp()],
      ['image/avif', createFlatPicture(1000, 500).avif()],
      ['image/gif', createFlatPicture(1000, 500).gif()],
    ] as const
    for (const [type, picture] of pickByRun({ daily: kinds.slice(0, 2), all: [...kinds] })) {
      const reply = await sendPicture(app, creator, await picture.toBuffer(), type)
      assert.equal(reply.statusCode, 201, `${type}: ${reply.body}`)
      const { image } = reply.json()
      assert.deepEqual([image.width, image.height], [1000, 500], type)
      assert.match(image.color, /^#c[5-9]5[3-9]2[7-d]$/, type)
      const said = imagePropertiesOf(image.id)
      const { color } = image
      const opaque = { width: 1000, height: 500, color, is_opaque: true }
      assert.deepEqual(said, { ...opaque, is_dark: false }, type)
      for (const [size, width] of [
        [400, 400],
        [800, 800],
        [1600, 1000],
      ] as const) {
        const { format, ...kept } = await sharp(await fileOf(image.id, size)).metadata()
        assert.deepEqual([format, kept.width, kept.height], ['webp', width, width / 2])
      }
    }
  })

  testInAll('an uploaded image is never enlarged and fits into the largest size', async () => {
    const cases = [
      [120, 80, 120, 80],
      [3200, 1600, 1600, 800],
      [2000, 8000, 1000, 4000],
    ]
    for (const [width = 0, height = 0, ...kept] of cases) {
      const image = await uploadPicture(app, creator, createFlatPicture(width, height))
      assert.deepEqual([image.width, image.height], kept)
      const reply = await app.raw({ method: 'GET', url: imageAddress(image.id, 1600) })
      assert.equal(reply.statusCode, sizesOf(image.width).includes(1600) ? 200 : 404)
    }
  })

  testInAll('an uploaded image is rotated upright and loses its metadata', async () => {
    const lying = await createFlatPicture(800, 400)
      .withExif({ IFD0: { Artist: 'Ada' }, IFD3: { GPSLatitude: '48/1 51/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { image } = (await sendPicture(app, creator, lying)).json()
    assert.deepEqual([image.width, image.height], [400, 800])
    const kept = await sharp(await fileOf(image.id, 400)).metadata()
    assert.deepEqual([kept.exif, kept.icc, kept.xmp, kept.orientation], Array(4).fill(undefined))
  })

  testInAll('only the first frame of an animation is kept, and the response says so', async () => {
    const frames = await Promise.all(
      ['#c8562a', '#17c3b2'].map((color) => createFlatPicture(300, 200, color).png().toBuffer()),
    )
    const moving = sharp(frames, { join: { animated: true } })
    for (const [type, file] of [
      ['image/gif', await moving.clone().gif().toBuffer()],
      ['image/webp', await moving.clone().webp({ lossless: true }).toBuffer()],
    ] as const) {
      const { image } = (await sendPicture(app, creator, file, type)).json()
      const { width, height, color, is_animated } = image
      assert.deepEqual([width, height, color, is_animated], [300, 200, '#c8562a', true], type)
    }
    for (const file of [
      createFlatPicture(30, 20).gif(),
      createFlatPicture(30, 20).png(),
      createFlatPicture(30, 20).avif(),
    ])
      assert.equal(
        (await sendPicture(app, creator, await file.toBuffer())).json().image.is_animated,
        false,
      )
  })

  testInAll('an animation is recognised if a PNG or AVIF announces it', async () => {
    const png = await createFlatPicture(30, 20).png().toBuffer()
    const chunk = Buffer.alloc(20)
    chunk.writeUInt32BE(8)
    chunk.write('acTL', 4)
    chunk.writeUInt32BE(2, 8)
    chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16)
    // The header of a PNG is 33 bytes long.
    const moving = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
    const avif = await createFlatPicture(30, 20).avif().toBuffer()
    avif.write('avis', avif.indexOf('mif1'))
    for (const file of [moving, avif]) {
      const reply = await sendPicture(app, creator, file)
      assert.equal(reply.json().image?.is_animated, true, reply.body)
    }
  })

  testInAll('an uploaded image keeps its transparency', async () => {
    const holed = sharp({ create: { width: 60, height: 60, channels: 4, background: '#17c3b280' } })
    const image = await uploadPicture(app, creator, holed)
    assert.equal(imagePropertiesOf(image.id)?.is_opaque, false)
    assert.equal((await sharp(await fileOf(image.id, 400)).metadata()).hasAlpha, true)
    const closed = sharp({ create: { width: 60, height: 60, channels: 4, background: '#17c3b2' } })
    assert.equal(imagePropertiesOf((await uploadPicture(app, creator, closed)).id)?.is_opaque, true)
  })

  testInAll('an uploaded image is small in every size, even if it is noise', async () => {
    const file = await createNoisePicture(1600, 2400).jpeg({ quality: 60 }).toBuffer()
    const reply = await sendPicture(app, creator, file)
    assert.equal(reply.statusCode, 201, reply.body)
    const { image } = reply.json()
    for (const size of sizesOf(image.width))
      assert.ok((await fileOf(image.id, size)).length <= MAX_STORED_IMAGE_BYTES, String(size))
  })
})

describe('a stored file', () => {
  test('a stored file is public, immutable and usable by other sites', async () => {
    const { id } = await uploadPicture(app, creator)
    const { headers } = await app.raw({ method: 'GET', url: imageAddress(id, 400) })
    assert.equal(headers['content-type'], 'image/webp')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    const known = await app.raw({
      method: 'GET',
      url: imageAddress(id, 400),
      headers: { 'if-none-match': String(headers.etag) },
    })
    assert.deepEqual([known.statusCode, known.body], [304, ''])
  })

  test('a stored file has only one address', async () => {
    const { id } = await uploadPicture(app, creator)
    const never = `${id.slice(0, -12)}000000000000`
    const others = [`${never}/400.webp`, `${id}/500.webp`, `${id}/400.png`, 'logo/400.webp']
    const spellings = [
      '0400.webp',
      '+400.webp',
      '4e2.webp',
      '%3400.webp',
      '400%2Ewebp',
      '400.webp/',
    ]
    const capitals = `${id.toUpperCase()}/400.webp`
    for (const path of [...others, ...spellings.map((file) => `${id}/${file}`), capitals]) {
      const reply = await app.raw({ method: 'GET', url: `/images/${path}` })
      assert.equal(reply.statusCode, 404, path)
    }
  })
})

describe('the quota of a creator', () => {
  testInAll('the quota of a creator is reported and counts only their own images', async () => {
    const other = await app.signUp()
    const { used, quota } = await other.client.images.usage()
    assert.deepEqual([used, quota], [0, 500 * 1_048_576])
    const { id } = await uploadPicture(app, other)
    const sizes = await Promise.all([fileOf(id, 400), fileOf(id, 800)])
    const bytes = sizes.reduce((sum, { length }) => sum + length, 0)
    assert.equal((await other.client.images.usage()).used, bytes)
    await refuses(app.client.images.usage(), 401, 'unauthorized')
  })

  testInAll('the quota of a creator is never exceeded, even by simultaneous uploads', async () => {
    const small = await createTestApp({ IMAGE_QUOTA_MB: '1' })
    try {
      const ada = await small.signUp()
      const file = await createNoisePicture(700, 500).jpeg().toBuffer()
      // Uploads whose turn does not come in time are refused with 503, and are sent again.
      const sendUntilRead = async () => {
        for (;;) {
          const reply = await sendPicture(small, ada, file)
          if (reply.statusCode !== 503) return reply
        }
      }
      const replies = await Promise.all(Array.from({ length: 8 }, sendUntilRead))
      const statuses = replies.map(({ statusCode }) => statusCode)
      assert.ok(statuses.includes(201) && statuses.includes(422), String(statuses))
      const refused = replies.find(({ statusCode }) => statusCode === 422)
      assert.match(refused?.json().error, /plus de place que les 1 Mo prévus/)
      const { used, quota } = await ada.client.images.usage()
      assert.ok(used > 0 && used <= quota, `${used} of ${quota}`)
    } finally {
      await small.close()
    }
  })
})
