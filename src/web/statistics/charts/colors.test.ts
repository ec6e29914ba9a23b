import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  contrastRatio,
  NON_TEXT_CONTRAST,
  TEXT_CONTRAST,
} from '#domain/questionnaire/look/colors.ts'

const STYLES = readFileSync(new URL('../../app/styles.css', import.meta.url), 'utf8')
const RULES = readFileSync(new URL('charts.css', import.meta.url), 'utf8')
const STRONGEST = Number(/var\(--share\) \* ([\d.]+)%/.exec(RULES)?.[1])

/** Returns a colour of the theme in light and in dark mode. */
const tokenOf = (name: string): string[] =>
  [
    ...(new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(STYLES) ?? []),
  ].slice(1)

const mix = (color: string, share: number, paper: string): string =>
  `#${[1, 3, 5]
    .map((at) => {
      const [own, other] = [color, paper].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
      return Math.round((own ?? 0) * share + (other ?? 0) * (1 - share))
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`

test('text is readable on the strongest heat of every data colour, and every bar is visible on its card', () => {
  const [inks, cards] = [tokenOf('ink'), tokenOf('card')]
  for (let rank = 1; rank <= 8; rank++) {
    const colors = tokenOf(`d${rank}`)
    assert.equal(colors.length, 2)
    for (const [theme, color] of colors.entries()) {
      const [ink = '', card = ''] = [inks[theme], cards[theme]]
      const heat = contrastRatio(ink, mix(color, STRONGEST, card))
      assert.ok(heat >= TEXT_CONTRAST, `d${rank} ${theme}: ${heat}`)
      assert.ok(contrastRatio(color, card) >= NON_TEXT_CONTRAST, `d${rank} ${theme} on card`)
    }
  }
})
