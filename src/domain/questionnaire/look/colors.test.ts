import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { quizOf } from '#domain/testing/drafts.ts'
import { EDITOR_PALETTE, PLAYER_PALETTE, parseHexColor, resolveColors } from './colors.ts'

describe('parseHexColor', () => {
  const cases: [string, string | undefined][] = [
    ['#0070D7', '#0070D7'],
    ['0070d7', '#0070d7'],
    ['#abc', '#aabbcc'],
    [' fff ', '#ffffff'],
    ['rouge', undefined],
    ['#12345', undefined],
    ['', undefined],
    ['#', undefined],
    ['##abc', undefined],
    ['abc#', undefined],
    ['#abcd', undefined],
    ['#ggg', undefined],
    ['#aabbcc\n#aabbcc', undefined],
  ]
  for (const [typed, expected] of cases)
    test(`the typed text '${typed}' is parsed as a hex colour or refused`, () =>
      assert.equal(parseHexColor(typed)?.toLowerCase(), expected?.toLowerCase()))
})

test('the two default palettes are those of product 1.6', () => {
  assert.deepEqual(EDITOR_PALETTE, {
    bg_color: '#FFFFFF',
    text_color: '#37352F',
    button_color: '#000000',
    button_text_color: '#FFFFFF',
    accent_color: '#0070D7',
  })
  assert.deepEqual(PLAYER_PALETTE, {
    bg_color: '#ffffff',
    text_color: '#37352F',
    button_color: '#17C3B2',
    button_text_color: '#ffffff',
    accent_color: '#FF8C61',
  })
})

test('a hex colour is read in its short and long form, with or without #', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16))
  fc.assert(
    fc.property(color, (hex) => {
      const long = hex.padStart(6, '0')
      assert.equal(parseHexColor(long), `#${long}`)
      assert.equal(parseHexColor(`#${long}`), `#${long}`)
      const [r, g, b] = long
      assert.equal(parseHexColor(`${r}${g}${b}`), `#${r}${r}${g}${g}${b}${b}`)
    }),
  )
})

test('a text that is not a colour is refused, and an accepted colour becomes #rrggbb', () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'#0aFg ') }), (typed) => {
      const read = parseHexColor(typed)
      const digits = typed.trim().replace(/^#/, '')
      const isColor = [3, 6].includes(digits.length) && !/[^0aF]/.test(digits)
      assert.equal(read !== undefined, isColor)
      if (read !== undefined) assert.match(read, /^#[0-9a-fA-F]{6}$/)
    }),
  ))

test('a colour that the creator did not choose is the default colour of the screen', () => {
  const shown = resolveColors(quizOf({ text_color: '#123456' }), EDITOR_PALETTE)
  assert.deepEqual([shown.text_color, shown.bg_color], ['#123456', EDITOR_PALETTE.bg_color])
})
