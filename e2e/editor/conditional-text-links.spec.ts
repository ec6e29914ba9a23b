import { publishCompleteQuiz } from '../../src/server/testing/quizzes/complete-quiz.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('the conditional texts are reached from a result, from a dimension and from the outline of the questions', async ({
  page,
  creator,
}) => {
  const id = await publishCompleteQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const add = page.getByRole('button', { name: 'Ajouter un texte conditionnel' })
  for (const name of ['Bel équilibre', 'Énergie'])
    await test.step(name, async () => {
      await page.getByRole('button', { name: `Actions – ${name}`, exact: true }).click()
      await page.getByRole('menuitem', { name: 'Textes conditionnels' }).click()
      await expect(add).toBeFocused()
      await expect(add).toBeInViewport({ ratio: 1 })
    })
  await test.step('the outline', async () => {
    await page.goto(`/quiz/${id}/questions`)
    const outline = page.getByRole('navigation', { name: 'Pages du questionnaire' })
    await outline.getByRole('link', { name: 'Textes conditionnels' }).click()
    await expect(page).toHaveURL(`/quiz/${id}/results`)
    await expect(add).toBeFocused()
    await expect(add).toBeInViewport({ ratio: 1 })
  })
})
