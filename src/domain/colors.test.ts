import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EDITOR_PALETTE, parseHexColor, resolveColors } from './colors.ts'
import { quizOf } from './test-drafts.ts'

describe('parseHexColor', () => {
  const cases: [string, string | undefined][] = [
    ['#0070D7', '#0070D7'],
    ['0070d7', '#0070d7'],
    ['#abc', '#aabbcc'],
    [' fff ', '#ffffff'],
    ['rouge', undefined],
    ['#12345', undefined],
    ['', undefined],
  ]
  for (const [typed, expected] of cases)
    test(`'${typed}'`, () =>
      assert.equal(parseHexColor(typed)?.toLowerCase(), expected?.toLowerCase()))
})

test('a colour that was not chosen is the screen’s default', () => {
  const shown = resolveColors(quizOf({ text_color: '#123456' }), EDITOR_PALETTE)
  assert.deepEqual([shown.text_color, shown.bg_color], ['#123456', EDITOR_PALETTE.bg_color])
})
