import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  publishSample,
  readySondage,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { publishedToast, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const note = (page: Page) => page.getByText('Modifications non publiées', { exact: true })
const publishButton = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true })
const update = (page: Page) => page.getByRole('dialog', { name: 'Mettre à jour le quiz' })

const WIDTHS = [1440, 390]

test('every screen of the editor and the card show unpublished changes on wide and narrow screens, and lead to their publication', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, question_id } = await publishedScoreQuiz(client, 'Quel rythme ?')
  await page.goto('/dashboard')
  const card = page.getByRole('article', { name: 'Quel rythme ?' })
  await expect(card).toBeVisible()
  await atEachWidth(page, WIDTHS, () =>
    expect(card.getByText('Modifications non publiées')).toHaveCount(0),
  )
  await page.goto(`/quiz/${id}/questions`)
  const tops: Record<number, number | undefined> = {}
  const top = async () => (await question(page, 1).boundingBox())?.y
  await atEachWidth(page, WIDTHS, async (width) => {
    await expect(publishButton(page)).toHaveAttribute('title', 'Aucune modification à publier')
    await expect(note(page)).toBeHidden()
    tops[width] = await top()
  })
  await question(page, 1).fill('Autrement ?')
  await atEachWidth(page, WIDTHS, async (width) => {
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect(note(page)).toBeInViewport()
    await expect(publishButton(page)).toHaveAccessibleDescription('Modifications non publiées')
    // The note moves nothing of the page.
    await expect.poll(top).toBe(tops[width])
    await expectAccessible(page)
  })
  for (const step of ['results', 'settings']) {
    await page.goto(`/quiz/${id}/${step}`)
    await atEachWidth(page, WIDTHS, async (width) => {
      await expect(note(page)).toBeInViewport()
      await expect(publishButton(page)).toBeInViewport()
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    })
  }

  await page.goto('/dashboard')
  const link = card.getByRole('link', { name: /^Modifications non publiées/ })
  await expect(link).toBeVisible()
  await atEachWidth(page, WIDTHS, () => expectAccessible(page))
  await link.click()
  await update(page).getByRole('button', { name: 'Mettre à jour' }).click()
  await expect(publishedToast(page)).toContainText('Quiz mis à jour')
  await expect(note(page)).toBeHidden()
  const { snapshot } = await client.publicQuiz.snapshot({ id })
  expect(snapshot.questions.find((one) => one.id === question_id)?.text).toBe('Autrement ?')
  // The request is answered once: neither Back nor a reload opens the dialog again.
  await page.reload()
  await expect(publishButton(page)).toHaveAttribute('title', 'Aucune modification à publier')
  await expect(update(page)).toBeHidden()
  await page.goto('/dashboard')
  await expect(card.getByText('0 réponse')).toBeVisible()
  await expect(card.getByText('Modifications non publiées')).toHaveCount(0)
})

test('the toast of a publication says what was published, and whether it was an update', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishSample(client, readySondage(client))
  await client.quizzes.update({ id, body: { status: 'Brouillon' } })
  await page.goto(`/quiz/${id}/questions`)
  await publishButton(page).click()
  await page
    .getByRole('dialog', { name: 'Publier le quiz' })
    .getByRole('button', { name: 'Publier' })
    .click()
  await expect(publishedToast(page)).toContainText('Sondage publié')
  await question(page, 1).fill('Autrement ?')
  await expect(note(page)).toBeVisible()
  await publishButton(page).click()
  await update(page).getByRole('button', { name: 'Mettre à jour' }).click()
  await expect(publishedToast(page)).toContainText('Sondage mis à jour')
})
