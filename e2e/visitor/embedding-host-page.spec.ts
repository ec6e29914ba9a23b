import type { Page } from '@playwright/test'
import { publishLongGrid } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible } from '../support/fixtures.ts'
import { quizIn, test } from '../support/host-site.ts'

test.use({ creatorIs: 'away' })

const TEXT = '<p>Un texte du site.</p>'.repeat(300)

/** Rolls the mouse wheel to the end of the dialog and beyond, and presses the keys that scroll. */
const scrollPast = async (page: Page): Promise<void> => {
  for (let time = 0; time < 8; time++) await page.mouse.wheel(0, 800)
  for (const key of ['PageDown', 'End', 'PageDown']) await page.keyboard.press(key)
}

test('the page of the site neither scrolls behind a dialog nor jumps', { tag: '@rare' }, async ({
  page,
  creator,
  site,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const button = site.codeOf(id, { opening: 'button' })
  for (const width of [1_440, 390])
    await test.step(`at ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 700 })
      await site.show(page, TEXT + button + TEXT)
      const opener = page.getByRole('button', { name: 'Répondre au quiz' })
      await opener.scrollIntoViewIfNeeded()
      const position = () =>
        page.evaluate(() => [scrollY, document.querySelector('h1')?.getBoundingClientRect().width])
      const before = await position()
      await opener.click()
      await expect(quizIn(page).getByText('Votre agenda ?')).toBeVisible()
      expect(await position()).toEqual(before)
      for (const [x, y] of [
        [width / 2, 350],
        [4, 350],
      ] as const) {
        await page.mouse.move(x, y)
        await scrollPast(page)
      }
      expect(await position()).toEqual(before)
      await quizIn(page).getByRole('radio', { name: 'Libre' }).focus()
      expect(await position()).toEqual(before)
      await page.keyboard.press('PageDown')
      await page.keyboard.press('End')
      expect(await position()).toEqual(before)
      await page.getByRole('button', { name: 'Fermer' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(await position()).toEqual(before)
      expect(await page.locator('html').getAttribute('style')).toBeFalsy()
      await page.mouse.wheel(0, 400)
      await expect.poll(async () => (await position())[0]).not.toBe(before[0])
    })
})

test('each row of a long grid in a frame shows the texts of its answers', { tag: '@rare' }, async ({
  page,
  creator,
  site,
}) => {
  const { id } = await publishLongGrid(creator.client)
  await page.setViewportSize({ width: 1_440, height: 700 })
  await site.show(page, site.codeOf(id))
  const quiz = quizIn(page)
  const last = quiz.getByRole('radiogroup').last()
  await expect(last).toBeAttached()
  await expect
    .poll(() => page.locator('iframe').evaluate((frame) => frame.clientHeight))
    .toBeGreaterThan(900)
  for (const text of ['Jamais', 'Parfois', 'Souvent', 'Toujours']) {
    const label = last.getByText(text, { exact: true })
    await label.scrollIntoViewIfNeeded()
    const box = await label.boundingBox()
    expect(box?.width ?? 0, text).toBeGreaterThan(20)
    expect(box?.height ?? 0, text).toBeGreaterThan(8)
  }
  const frame = page.frames().find((one) => one.url().includes(id))
  expect(
    await frame?.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    ),
  ).toBeLessThanOrEqual(0)
  await expectAccessible(page)
})
