import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Each screen of a creator, with a check that it is shown. */
const screens = (id: string): [path: string, sign: (page: Page) => Promise<void>][] => [
  ['/dashboard', (page) => expect(page.getByRole('article')).toBeVisible()],
  ['/settings', (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible()],
  [`/quiz/${id}/edit`, (page) => expect(page.getByLabel('Nom')).toBeVisible()],
  [`/quiz/${id}/results`, (page) => expect(page.getByLabel('Nouveau résultat')).toBeVisible()],
  [`/quiz/${id}/questions`, (page) => expect(page.getByText('Paliers de score')).toBeVisible()],
  [`/quiz/${id}/settings`, (page) => expect(page.getByText('Réinitialiser')).toBeVisible()],
  [`/quiz/${id}/preview`, (page) => expect(page.getByText('Mode Aperçu')).toBeVisible()],
  [`/quiz/${id}/statistics`, (page) => expect(page.getByRole('table')).toBeVisible()],
]

test('every screen is accessible in the light and the dark colour scheme', async ({
  page,
  creator,
}) => {
  // Sixteen audits, which take a few seconds each on a slow machine.
  test.slow()
  const { id, question_id } = await publishedScoreQuiz(creator.client)
  const { questions } = await creator.client.questions.list({ id })
  const answers = Object.fromEntries(
    questions.map((question) => [question.id, question.answers[0]?.id ?? 'camille@exemple.fr']),
  )
  expect(answers[question_id]).toBeDefined()
  await creator.client.taking.submit({ id, body: { answers } })
  for (const [path, isThere] of screens(id)) {
    await test.step(path, async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(path)
        await isThere(page)
        await expectAccessible(page)
      }
      await expect(page.locator('h1:not([inert] *)')).toHaveCount(1)
    })
  }
})

test('no screen scrolls sideways on the narrowest phone', async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [path, isThere] of screens(id).slice(0, -1)) {
    await test.step(path, async () => {
      await page.goto(path)
      await isThere(page)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      )
      expect(overflow, path).toBeLessThanOrEqual(0)
    })
  }
})
