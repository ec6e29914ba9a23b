import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CORNERS, FONTS } from '#domain/common/vocabulary.ts'
import { contrastRatio, NON_TEXT_CONTRAST, parseHexColor, TEXT_CONTRAST } from './colors.ts'
import { overlayOpacity } from './overlay.ts'
import { hasLook, THEMES } from './themes.ts'

for (const { name, look } of THEMES)
  test(`« ${name} » passes every contrast rule`, () => {
    const { bg_color, text_color, button_color, button_text_color, accent_color, font, corners } =
      look
    for (const color of [bg_color, text_color, button_color, button_text_color, accent_color])
      assert.equal(parseHexColor(color), color)
    assert.ok(contrastRatio(text_color, bg_color) >= TEXT_CONTRAST)
    assert.ok(contrastRatio(button_text_color, button_color) >= TEXT_CONTRAST)
    assert.ok(contrastRatio(accent_color, bg_color) >= NON_TEXT_CONTRAST)
    assert.ok(contrastRatio(button_color, bg_color) >= 1.3, 'a button is seen')
    assert.ok(overlayOpacity(bg_color, text_color) < 0.8, 'a picture is seen')
    assert.ok(FONTS.includes(font) && CORNERS.includes(corners))
  })

test('there are twelve different themes, and a quiz has the look of at most one of them', () => {
  assert.equal(THEMES.length, 12)
  assert.equal(new Set(THEMES.map(({ name }) => name)).size, 12)
  for (const { look } of THEMES)
    assert.equal(THEMES.filter((other) => hasLook(look, other.look)).length, 1)
  const [first] = THEMES
  assert.ok(first && hasLook({ ...first.look, bg_color: '#FFFFFF' }, first.look))
  assert.ok(first && !hasLook({ ...first.look, bg_color: null }, first.look))
})
