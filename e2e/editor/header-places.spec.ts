import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const BUTTONS = [
  'Partager',
  'Annuler la dernière modification (Ctrl Z)',
  'Rétablir la modification (Ctrl Maj Z)',
  'Prévisualiser',
  'Publier',
]

/** Returns the left edges of the header's buttons in pixels. */
const readPlaces = (page: Page): Promise<number[]> =>
  Promise.all(
    BUTTONS.map(async (name) => {
      const control = page
        .getByRole('main')
        .locator('header')
        .getByRole(name === 'Prévisualiser' ? 'link' : 'button', { name, exact: true })
      return Math.round((await control.boundingBox())?.x ?? Number.NaN)
    }),
  )

test('the buttons of the header keep their places before an edit, during a save and with unpublished changes', async ({
  page,
  creator,
}) => {
  for (const width of [1440, 390]) {
    const { id } = await publishedScoreQuiz(creator.client)
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`/quiz/${id}/questions`)
    await expect(question(page, 1)).toBeVisible()
    const before = await readPlaces(page)
    await test.step(`${width} px`, async () => {
      await question(page, 1).fill('Un autre agenda ?')
      await expect(page.getByText('Enregistrement…')).toBeAttached()
      expect(await readPlaces(page)).toEqual(before)
      await expectSaved(page)
      await expect(page.getByText('Modifications non publiées')).toBeVisible()
      expect(await readPlaces(page)).toEqual(before)
    })
  }
})

test('the steps stay in sight below the header while a long questionnaire scrolls, and never cover the focus', async ({
  page,
  creator,
}) => {
  const id = await publishSizedQuiz(creator.client, 30)
  await page.goto(`/quiz/${id}/questions`)
  const steps = page.getByRole('navigation', { name: 'Étapes' })
  await atEachWidth(page, [1440, 390], async () => {
    await question(page, 25).focus()
    await expect(steps).toBeInViewport({ ratio: 1 })
    const { y = 0, height = 0 } = (await steps.boundingBox()) ?? {}
    // The header and the steps together take at most an eighth of the window.
    expect(y + height).toBeLessThanOrEqual(844 / 8)
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Shift+Tab')
      const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top)
      expect(top).toBeGreaterThanOrEqual(y + height)
    }
  })
  await test.step('a low window keeps its place for the fields', async () => {
    await page.setViewportSize({ width: 720, height: 450 })
    await question(page, 25).focus()
    await expect(steps).not.toBeInViewport()
  })
})
