import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import {
  FAMILIES,
  type Family,
  FONT_WEIGHTS,
  type FontWeight,
  fontFaces,
  MEASURES,
} from '#domain/questionnaire/look/fonts.ts'

const TEXT =
  'Cinq minutes pour mieux vous connaître. Dix questions simples, et un résultat rien que pour vous : vos points forts, un conseil à suivre dès demain. Savez-vous à qui vous vous adressez ? Votre offre tient-elle en une phrase ? Le plus souvent par le bouche-à-oreille, parfois grâce aux réseaux sociaux. Prendre rendez-vous. Merci pour votre participation !'

const fontOf = (family: Family, weight: FontWeight): Font => {
  const file = import.meta.resolve(
    `@fontsource/${family}/files/${family}-latin-${weight}-normal.woff`,
  )
  const font = create(readFileSync(fileURLToPath(file)))
  assert.ok('layout' in font)
  return font
}

for (const family of Object.keys(FAMILIES) as Family[])
  test(`the fallback of ${family} has the metrics of its files`, () => {
    const { ascent, descent, widths } = MEASURES[family]
    for (const weight of FONT_WEIGHTS) {
      const font = fontOf(family, weight)
      const share = (units: number): string => (units / font.unitsPerEm).toFixed(3)
      assert.deepEqual(
        [share(font.ascent), share(-font.descent)],
        [ascent.toFixed(3), descent.toFixed(3)],
      )
      const letters = font
        .glyphsForString(TEXT)
        .map((glyph) => glyph.advanceWidth / font.unitsPerEm)
      const mean = letters.reduce((sum, width) => sum + width) / letters.length
      assert.ok(Math.abs(mean / widths[weight] - 1) < 0.01, `${weight}: ${mean}`)
    }
  })

test('a font family has a fallback with equal metrics, so that text is shown immediately', () => {
  const css = fontFaces('lora')
  assert.equal(css.match(/font-display:swap/g)?.length, 2)
  assert.match(
    css,
    /@font-face\{font-family:q-stand-in;font-weight:400;src:local\("Times New Roman"\),[^;]*;size-adjust:115\.88%;ascent-override:86\.81%;descent-override:23\.65%\}/,
  )
  // The fallback uses fonts of the device; a page loads its own two files only.
  assert.equal(css.match(/url\(/g)?.length, 2)
})
