import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { readableTextColor } from '#domain/questionnaire/look/colors.ts'
import {
  addedImages,
  imageAddress,
  imageIdOf,
  imagePropertiesOf,
  MAX_IMAGE_DIMENSIONS,
  sizesOf,
} from './images.ts'

const UUID_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an image id contains the size and the colour of the image', () => {
  const picture = fc.record({
    width: fc.integer({ min: 1, max: MAX_IMAGE_DIMENSIONS.width }),
    height: fc.integer({ min: 1, max: MAX_IMAGE_DIMENSIONS.height }),
    color: fc.nat(0xffffff).map((value) => `#${value.toString(16).padStart(6, '0')}`),
    is_opaque: fc.boolean(),
  })
  fc.assert(
    fc.property(picture, fc.uuid({ version: 4 }), (said, random) => {
      const id = imageIdOf(said, random)
      assert.match(id, UUID_8)
      assert.equal(id.slice(16), random.slice(16))
      const is_dark = said.is_opaque && readableTextColor(said.color) === '#ffffff'
      assert.deepEqual(imagePropertiesOf(id), { ...said, is_dark })
    }),
  )
})

test('an id that is not an image id contains no image properties', () => {
  for (const id of [
    randomUUID(),
    '00000000-0000-8000-8000-000000000000',
    'fff00100-0000-8000-8000-000000000000',
    'logo',
    '',
  ])
    assert.equal(imagePropertiesOf(id), undefined, id)
})

test('the largest stored width of an image is the next width above its own width', () => {
  const cases: [width: number, sizes: number[]][] = [
    [1, [400]],
    [400, [400]],
    [401, [400, 800]],
    [800, [400, 800]],
    [801, [400, 800, 1600]],
    [1600, [400, 800, 1600]],
  ]
  for (const [width, sizes] of cases) assert.deepEqual(sizesOf(width), sizes, String(width))
  assert.equal(imageAddress('id', 800), '/images/id/800.webp')
})

test('an edit adds the images that the content before it does not show', () => {
  const rows = { results: [], questions: [] }
  const before = { quiz: { logo_image_id: 'a' }, ...rows }
  const changes = { quiz: { logo_image_id: 'b' }, results: [], questions: [{ image_id: 'a' }] }
  assert.deepEqual([...addedImages(before, changes)], [['b', 'logo_image_id']])
  assert.deepEqual([...addedImages(before, { quiz: {}, ...rows })], [])
})
