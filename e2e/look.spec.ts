import type { Locator, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../src/server/testing/sample-quizzes.ts'
import { expectSaved } from './editor.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const preview = (page: Page) => page.getByRole('region', { name: 'Aperçu du design' })
const theme = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** What a page looks like, as the browser has computed it. */
const lookOf = (page: Page | Locator) =>
  page.locator('.q').evaluate((root) => {
    const styleOf = (selector: string) => getComputedStyle(root.querySelector(selector) ?? root)
    return {
      background: getComputedStyle(root).backgroundColor,
      text: styleOf('.q-title').color,
      font: styleOf('.q-title').fontFamily,
      accent: styleOf('.q-progress').getPropertyValue('--q-mark'),
      corner: styleOf('.q-choice').borderRadius,
      button: styleOf('.q-next').backgroundColor,
      button_corner: styleOf('.q-next').borderRadius,
      button_text: styleOf('.q-next').color,
    }
  })

test('what the Design preview shows is what visitors get, theme after theme', async ({
  page,
  creator,
  visitor,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  const expectSame = async (): Promise<void> => {
    await client.quizzes.publish({ id })
    await visitor.goto(`/q/${id}`)
    expect(await lookOf(visitor)).toEqual(await lookOf(preview(page)))
  }
  await page.goto(`/quiz/${id}/settings`)
  await expect(
    page.getByText('Sans couleur choisie, vos visiteurs voient ces couleurs.'),
  ).toBeVisible()
  await expect(page.getByText('Pas encore choisie : vos visiteurs voient #17C3B2.')).toBeVisible()
  await expectSame()
  expect(await visitor.evaluate(() => document.fonts.size)).toBe(0)

  for (const [name, family, corner] of [
    ['Terre cuite', 'Lora', '26px'],
    ['Craie', 'Space Grotesk', '0px'],
  ] as const) {
    await theme(page, name).click()
    await expect(theme(page, name)).toHaveAttribute('aria-pressed', 'true')
    await expectSaved(page)
    await expectSame()
    const { font, corner: shown } = await lookOf(visitor)
    expect([font.split(',')[0]?.replaceAll('"', ''), shown]).toEqual([family, corner])
    await expect
      .poll(() => visitor.evaluate((one) => document.fonts.check(`600 16px "${one}"`), family))
      .toBe(true)
    await expectAccessible(visitor)
  }
  await expectAccessible(page, ['figure [inert]'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ['figure [inert]'])

  // One step back is the theme of before, whole.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(theme(page, 'Terre cuite')).toHaveAttribute('aria-pressed', 'true')
  await page.getByLabel('Police').selectOption('Nunito')
  await page.getByLabel('Coins').selectOption('Adoucis')
  await expect(theme(page, 'Terre cuite')).toHaveAttribute('aria-pressed', 'false')
  await expectSaved(page)
  await expectSame()
})
