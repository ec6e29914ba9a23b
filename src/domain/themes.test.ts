import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHexColor } from './colors.ts'
import { contrastRatio, SIGN_CONTRAST, TEXT_CONTRAST } from './contrast.ts'
import { hasLook, THEMES } from './themes.ts'
import { veilShare } from './veil.ts'
import { CORNERS, FONTS } from './vocabulary.ts'

for (const { name, look } of THEMES)
  test(`« ${name} » passes every rule of contrast`, () => {
    const { bg_color, text_color, button_color, button_text_color, accent_color, font, corners } =
      look
    for (const color of [bg_color, text_color, button_color, button_text_color, accent_color])
      assert.equal(parseHexColor(color), color)
    assert.ok(contrastRatio(text_color, bg_color) >= TEXT_CONTRAST)
    assert.ok(contrastRatio(button_text_color, button_color) >= TEXT_CONTRAST)
    assert.ok(contrastRatio(accent_color, bg_color) >= SIGN_CONTRAST)
    assert.ok(contrastRatio(button_color, bg_color) >= 1.3, 'a button is seen')
    assert.ok(veilShare(bg_color, text_color) < 0.8, 'a picture is seen')
    assert.ok(FONTS.includes(font) && CORNERS.includes(corners))
  })

test('there are twelve, no two alike, and a quiz has at most one', () => {
  assert.equal(THEMES.length, 12)
  assert.equal(new Set(THEMES.map(({ name }) => name)).size, 12)
  for (const { look } of THEMES)
    assert.equal(THEMES.filter((other) => hasLook(look, other.look)).length, 1)
  const [first] = THEMES
  assert.ok(first && hasLook({ ...first.look, bg_color: '#FFFFFF' }, first.look))
  assert.ok(first && !hasLook({ ...first.look, bg_color: null }, first.look))
})
