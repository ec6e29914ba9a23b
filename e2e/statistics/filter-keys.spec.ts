import {
  publishDimensionQuiz,
  takeDimensionQuiz,
} from '../../src/server/testing/quizzes/dimension-quiz.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('arrows on the closed list of tiers show the tiers, and Enter or Tab filters by the shown one', async ({
  page,
  creator,
}) => {
  const quiz = await publishDimensionQuiz(creator.client)
  await takeDimensionQuiz(creator.client, quiz, { version: 1, way: 'on', several: ['a'], scale: 1 })
  await page.goto(`/quiz/${quiz.id}/statistics`)
  await page.getByText('Filtrer les participants', { exact: true }).click()
  const tiers = page.getByLabel('Palier d’une dimension')
  const chips = page.getByRole('list', { name: 'Filtres' }).getByRole('listitem')
  await tiers.focus()
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown')
  await expect(tiers.locator('option:checked')).toHaveText('Fragile')
  await expect(chips).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(chips).toHaveText(['Argent : Fragile'])
  await expect(tiers).toHaveValue('')
  await expect(tiers).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expect(chips).toHaveCount(2)
  await tiers.selectOption('Solide')
  await expect(chips).toHaveCount(3)
})
