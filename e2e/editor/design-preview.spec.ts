import type { Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

/** The preview next to or above the colours of a quiz. */

const preview = (page: Page) => page.getByRole('region', { name: 'Aperçu du design' })
const figure = (page: Page) => page.getByRole('figure')

const rectOf = async (page: Page, what: 'main header' | 'figure' | ':focus') =>
  page.evaluate((selector) => {
    const element = document.querySelector(selector)
    const { top, bottom, height } = element?.getBoundingClientRect() ?? new DOMRect()
    return { top, bottom, height }
  }, what)

test('the keyboard can scroll the preview', { tag: '@rare' }, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.setViewportSize({ width: 1440, height: 500 })
  await page.goto(`/quiz/${id}/settings`)
  // The preview is made so low that every quiz is taller.
  await preview(page).evaluate((frame) => {
    frame.style.maxHeight = '160px'
    frame.style.minHeight = '0'
  })
  await page.getByRole('button', { name: 'Largeur de téléphone' }).focus()
  await page.keyboard.press('Tab')
  await expect(preview(page)).toBeFocused()
  await page.keyboard.press('End')
  await expect.poll(() => preview(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
  await expectAccessible(page, ['figure [inert]'])
})

test('the preview counts the unanswered questions of the first page as the public page does', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  const { client } = creator
  const { id } = await readyScoreQuiz(client)
  await client.questions.create({ id, body: { text: 'Un mot ?', type: 'text', page_number: 1 } })
  await client.quizzes.publish({ id })
  await page.goto(`/quiz/${id}/settings`)
  await visitor.goto(`/q/${id}`)
  for (const shown of [preview(page), visitor.locator('.q')])
    await expect(shown.getByText(/sans réponse/)).toHaveText(/^2\squestions sans réponse/)
})

test.describe('the design screen on a phone', () => {
  test.use(TOUCH)

  test('the preview stays visible while each colour is changed', { tag: '@rare' }, async ({
    page,
    creator,
  }) => {
    const { id } = await readyScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/settings`)
    await expect(figure(page)).toBeVisible()
    for (const label of ['Fond', 'Texte du bouton', 'Accent']) {
      const field = page.getByLabel(new RegExp(`^${label} – code hexadécimal`))
      await field.focus()
      const [shown, focused] = [await rectOf(page, 'figure'), await rectOf(page, ':focus')]
      expect(shown.top).toBeGreaterThanOrEqual((await rectOf(page, 'main header')).bottom)
      expect(shown.height).toBeLessThanOrEqual(844 * 0.4)
      expect(shown.height).toBeGreaterThan(150)
      expect(focused.top).toBeGreaterThanOrEqual(shown.bottom)
      expect(focused.bottom).toBeLessThanOrEqual(844)
    }
    await page.getByLabel(/^Accent – code hexadécimal/).fill('#b42318')
    await expect(figure(page)).toBeInViewport({ ratio: 1 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, ['figure [inert]'])
    }
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
