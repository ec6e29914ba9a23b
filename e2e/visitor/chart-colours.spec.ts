import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

const WHEEL = readFileSync(
  new URL('../../src/domain/templates/roue-de-la-vie.txt', import.meta.url),
  'utf8',
)
const DARK = {
  bg_color: '#101828',
  text_color: '#f2f4f7',
  accent_color: '#17c3b2',
  button_color: '#17c3b2',
  button_text_color: '#101828',
}
const MIN_SHAPE_CONTRAST = 3
const MIN_TEXT_CONTRAST = 4.5

/** Answers each page of the wheel with a different number for each domain. */
const finishWheel = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Commencer' }).click()
  let rank = 0
  while (await page.locator('.q-page').isVisible()) {
    for (const group of await page.getByRole('group').all())
      await group
        .getByRole('radio')
        .nth(2 + (rank++ % 8))
        .check()
    for (const field of await page.getByRole('textbox').all())
      await field.fill((await field.getAttribute('type')) === 'email' ? 'lou@exemple.fr' : 'Lou')
    await page.getByRole('button', { name: /^(Suivant|Voir le résultat)$/ }).click()
  }
  await expect(page.getByRole('region', { name: 'Résultat par dimension' })).toBeVisible()
}

type Painted = 'color' | 'fill' | 'stroke'

/**
 * Returns the lowest contrast between a colour of these elements and the colour behind them; about 1 if it is
 * transparent.
 */
const lowestContrast = (page: Page, selector: string, name: Painted, behind: string) =>
  page.evaluate(
    ([selector, name, behind]) => {
      const context = document.createElement('canvas').getContext('2d')
      const back = document.querySelector(behind)
      if (!context || !back) throw new Error(`No ${behind}`)
      /** Paints colours over each other, because highlights may be translucent, and returns the luminance. */
      const paint = (...colors: string[]): number => {
        for (const color of colors) {
          context.fillStyle = color
          context.fillRect(0, 0, 1, 1)
        }
        const [r = 0, g = 0, b = 0] = [...context.getImageData(0, 0, 1, 1).data].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const { backgroundColor } = getComputedStyle(back)
      const found = [...document.querySelectorAll(selector)].map((element) => {
        const color = getComputedStyle(element)[name as 'fill']
        const pair = [paint(backgroundColor, color === 'none' ? 'transparent' : color)]
        const [low = 0, high = 0] = [...pair, paint(backgroundColor)].toSorted((a, b) => a - b)
        return (high + 0.05) / (low + 0.05)
      })
      return found.length > 0 ? Math.min(...found) : 0
    },
    [selector, name, behind] as const,
  )

const MODES = {
  'the dark colours of the creator': { forcedColors: 'none', colorScheme: 'light' },
  'forced colours on a light screen': { forcedColors: 'active', colorScheme: 'light' },
  'forced colours on a dark screen': { forcedColors: 'active', colorScheme: 'dark' },
} as const

for (const chart of ['radar', 'bars'] as const)
  test(`the dimensions of a wheel of life are readable as ${chart} in dark and in forced colours, and without colour`, {
    tag: '@rare',
  }, async ({ creator: { client }, visitor }) => {
    const { id } = (await client.quizzes.importText({ body: { text: WHEEL } })).quiz
    await client.quizzes.update({ id, body: { ...DARK, dimension_chart: chart } })
    await client.quizzes.publish({ id })
    await visitor.setViewportSize({ width: 320, height: 800 })
    await visitor.goto(`/q/${id}`)
    await finishWheel(visitor)
    const region = visitor.getByRole('region', { name: 'Résultat par dimension' })
    const items = region.getByRole('listitem')
    await expect(items).toHaveCount(8)
    await expect(items).toHaveText(Array.from({ length: 8 }, () => /\S+ \d+\s%/))
    const expectContrast = async (
      selector: string,
      name: Painted,
      least: number,
      behind = '.q',
    ): Promise<void> => {
      const contrast = await lowestContrast(visitor, selector, name, behind)
      expect(contrast, `${name} of ${selector}`).toBeGreaterThanOrEqual(least)
    }
    for (const [name, media] of Object.entries(MODES))
      await test.step(name, async () => {
        await visitor.emulateMedia(media)
        if (chart === 'radar') {
          // The numbers of the axes are those of the list.
          await expect(region.locator('svg text')).toHaveText([
            '1',
            '2',
            '3',
            '4',
            '5',
            '6',
            '7',
            '8',
          ])
          await expect(region.getByRole('list')).toHaveCSS('list-style-type', 'decimal')
          await expectContrast('.q-radar text', 'fill', MIN_TEXT_CONTRAST)
          await expectContrast('.q-radar-shape', 'stroke', MIN_SHAPE_CONTRAST)
          await expectContrast('.q-radar circle', 'fill', MIN_SHAPE_CONTRAST)
          await expectContrast('.q-radar-ring', 'stroke', MIN_SHAPE_CONTRAST)
        } else {
          await expect(region.locator('.q-bar')).toHaveCount(8)
          await expectContrast(
            '.q-dimensions .q-bar rect',
            'fill',
            MIN_SHAPE_CONTRAST,
            '.q-dimensions .q-bar',
          )
        }
        expect(await measureOverflow(visitor)).toBeLessThanOrEqual(0)
        // Axe reads colours that forced colours replace, so the contrast of texts is measured here.
        await expectContrast('.q-title,.q-dimensions :is(p,b,span)', 'color', MIN_TEXT_CONTRAST)
        if (media.forcedColors === 'none') await expectAccessible(visitor)
      })
  })
