import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { imageIdOf } from '#domain/questionnaire/images.ts'
import { countCases } from '#domain/testing/pick-by-run.ts'
import { contrastRatio, readableTextColor, TEXT_CONTRAST } from './colors.ts'
import { imagePlaceholder, overlayOpacity, pictureBackground } from './overlay.ts'

const channel = fc.integer({ min: 0, max: 255 })
const color = fc
  .tuple(channel, channel, channel)
  .map((channels) => `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`)
const mix = (overlay: string, pixel: string, share: number): string =>
  `#${[1, 3, 5]
    .map((start) => {
      const [own, other] = [overlay, pixel].map((color) =>
        Number.parseInt(color.slice(start, start + 2), 16),
      )
      return Math.round((own ?? 0) * share + (other ?? 0) * (1 - share))
    })
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

test('text is readable over every pixel of an image, unless it is unreadable on the background', () => {
  fc.assert(
    fc.property(color, color, color, (background, text, pixel) => {
      const share = overlayOpacity(background, text)
      const behind = mix(background, pixel, share)
      for (const ink of [text, readableTextColor(background)])
        if (share < 1) assert.ok(contrastRatio(ink, behind) >= TEXT_CONTRAST, `${share} ${behind}`)
        else assert.equal(behind, background)
    }),
    { numRuns: countCases(2_000) },
  )
})

test('the overlay is as transparent as the text allows', () => {
  assert.equal(overlayOpacity('#ffffff', '#000000'), 0.47)
  assert.equal(overlayOpacity('#000000', '#ffffff'), 0.54)
  assert.equal(overlayOpacity('#ffffff', '#37352f'), 0.62)
  assert.equal(overlayOpacity('#ffffff', '#999999'), 1)
  assert.equal(overlayOpacity('#808080', '#808080'), 1)
})

test('a page uses the smallest file that is wide enough, and no file for an id that is not an image', () => {
  const colors = { background: '#ffffff', text: '#000000' }
  const picture = { width: 1600, height: 900, color: '#123456', is_opaque: true }
  const id = imageIdOf(picture, '018f4f2e-0000-7000-8000-000000000000')
  const overlay = 'rgb(255 255 255/0.47)'
  assert.equal(
    pictureBackground(id, colors),
    `linear-gradient(${overlay},${overlay}),url(/images/${id}/800.webp) center/cover #123456`,
  )
  assert.match(pictureBackground(id, colors, 1600) ?? '', /1600\.webp/)
  assert.equal(pictureBackground('0191e7c2-1111-7222-8333-444455556666', colors), undefined)
  assert.equal(pictureBackground(') red', colors), undefined)
  assert.equal(imagePlaceholder(id, colors), `linear-gradient(${overlay},${overlay}) #123456`)
  assert.equal(imagePlaceholder(') red', colors), undefined)
})
