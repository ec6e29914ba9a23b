import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('a creator sees the percent of each participant, filters by it and removes the filter', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, question_id, open_id, answer_ids } = await publishedScoreQuiz(client)
  for (const [rank, answer_id] of answer_ids.entries())
    await client.publicQuiz.submit({
      id,
      body: { answers: { [question_id]: answer_id, [open_id]: `p${rank}@exemple.fr` } },
    })
  await page.goto(`/quiz/${id}/statistics`)
  const rows = page.getByRole('table', { name: /participants/i }).locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await expect(rows.filter({ hasText: 'p1@exemple.fr' })).toContainText('5 points, 100 %')
  await expect(rows.filter({ hasText: 'p0@exemple.fr' })).toContainText('1 point, 0 %')

  await page.getByText('Filtrer les participants').click()
  await page.getByLabel('De (%)').fill('50')
  await page.getByLabel('De (%)').press('Enter')
  await expect(page.getByRole('button', { name: /Score : de 50 à 100/ })).toBeVisible()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('p1@exemple.fr')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  }
  await page.getByLabel('À (%)').fill('20')
  await page.getByRole('button', { name: 'Filtrer', exact: true }).click()
  await expect(page.getByText('Deux pourcentages de 0 à 100, le plus petit d’abord.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: /Score : de 50 à 100/ }).click()
  await expect(rows).toHaveCount(2)
})
