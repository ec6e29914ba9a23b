import type { Page } from '@playwright/test'
import { publishGridSondage } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

/** Scrolls to the top, where the sticky links cover no control. */
const scrollToTop = (page: Page): Promise<void> => page.evaluate(() => scrollTo(0, 0))

test.use({ creatorIs: 'signed in' })

test('a grid has one card with a bar and the mean of each row, a table, and the cards of its questions', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, scales, choices, text } = await publishGridSondage(client)
  for (const note of [2, 5]) {
    const answers = {
      ...Object.fromEntries(scales.map((one) => [one, `${note}`])),
      ...Object.fromEntries(choices.map((one) => [one.id, one.answers[0] ?? ''])),
      [text]: 'Merci',
    }
    await client.publicQuiz.submit({ id, body: { answers } })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/statistics`)
  const card = page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Votre formation' }) })
  await expect(card.getByText('Moyenne 3,5')).toHaveCount(3)
  const choiceCard = page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Et après ?' }) })
  await expect(choiceCard.getByText(/^Oui 100/)).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Les salles' })).toBeVisible()

  await test.step('the table has every share', async () => {
    await card.getByText('Voir en tableau').click()
    const line = card.getByRole('row', { name: /^Le rythme convenait/ })
    await expect(line.getByRole('cell')).toHaveCount(6)
    await expect(line.getByRole('cell').nth(1)).toHaveText(/^50/)
    await expect(line.getByRole('cell').last()).toHaveText('3,5')
    await scrollToTop(page)
    await expectAccessible(page)
  })
  await test.step('the card fits a phone, a dark screen and paper', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await measureOverflow(page)).toBe(0)
    await page.emulateMedia({ colorScheme: 'dark' })
    await scrollToTop(page)
    await expectAccessible(page)
    await page.emulateMedia({ media: 'print' })
    await expect(card.getByText('Moyenne 3,5').first()).toBeVisible()
    await expect(card.getByText('Voir en tableau')).toBeHidden()
  })
})
