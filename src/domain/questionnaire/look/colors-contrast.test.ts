import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  contrastRatio,
  EDITOR_PALETTE,
  NON_TEXT_CONTRAST,
  nearestReadable,
  PLAYER_PALETTE,
  readableTextColor,
  TEXT_CONTRAST,
} from './colors.ts'

const rounded = (a: string, b: string): number => Math.round(contrastRatio(a, b) * 100) / 100

test('black on white has a contrast of 21, and a colour on itself has a contrast of 1', () => {
  assert.equal(rounded('#000000', '#ffffff'), 21)
  assert.equal(rounded('#17C3B2', '#17c3b2'), 1)
})

test('the default palettes have their known contrasts', () => {
  assert.equal(rounded(EDITOR_PALETTE.text_color, EDITOR_PALETTE.bg_color), 12.26)
  assert.equal(rounded(EDITOR_PALETTE.accent_color, EDITOR_PALETTE.bg_color), 4.88)
  assert.equal(rounded(PLAYER_PALETTE.button_text_color, PLAYER_PALETTE.button_color), 2.21)
  assert.equal(rounded(PLAYER_PALETTE.accent_color, PLAYER_PALETTE.bg_color), 2.29)
})

const color = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('every colour has a readable text colour', () => {
  fc.assert(fc.property(color, (paper) => contrastRatio(readableTextColor(paper), paper) >= 4.5))
})

test('the default colours of visitors are corrected to near shades', () => {
  const { button_color, button_text_color, accent_color, bg_color } = PLAYER_PALETTE
  assert.equal(nearestReadable(button_color, button_text_color, TEXT_CONTRAST), '#108579')
  assert.equal(nearestReadable(accent_color, bg_color, NON_TEXT_CONTRAST), '#dd7954')
})

test('a corrected colour has enough contrast, and a sufficient colour is unchanged', () =>
  fc.assert(
    fc.property(color, color, (own, against) => {
      const shade = nearestReadable(own, against, TEXT_CONTRAST)
      assert.ok(contrastRatio(shade, against) >= TEXT_CONTRAST)
      if (contrastRatio(own, against) >= TEXT_CONTRAST) assert.equal(shade, own)
    }),
  ))
