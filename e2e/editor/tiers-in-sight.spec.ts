import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('« Répartir » keeps its button, the focus and the filled tiers on screen', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, result_ids } = await readyScoreQuiz(client)
  const { questions } = await client.drafts.get({ id })
  await client.questions.saveDraft({
    id,
    body: {
      questions,
      score_thresholds: Object.fromEntries(
        result_ids.map((result_id) => [result_id, { min_score: null, max_score: null }]),
      ),
    },
  })
  await page.setViewportSize({ width: 1440, height: 640 })
  await page.goto(`/quiz/${id}/questions`)
  const spread = page.getByRole('button', { name: 'Répartir' })
  await spread.click()
  await expect(page.getByLabel('Maximum – Grand saut')).toHaveValue('5')
  // The odds of the new tiers are shown above the tiers.
  await expect(
    page.getByRole('region', { name: 'Qui obtiendra quoi ?' }).getByText('Grand saut').first(),
  ).toBeAttached()
  await expect(spread).toBeFocused()
  await expect(spread).toBeInViewport()
  await expect(page.getByLabel('Maximum – Grand saut')).toBeInViewport()

  await page.goto(`/quiz/${id}/results`)
  const card = page.getByRole('region', { name: 'Dimensions', exact: true })
  await card.getByLabel('Nouvelle dimension').fill('Santé')
  await card.getByLabel('Nouvelle dimension').press('Enter')
  await card.locator('summary', { hasText: 'Paliers – Santé' }).press('Enter')
  const spreadTiers = card.getByRole('button', { name: 'Répartir les paliers – Santé' })
  await spreadTiers.press('Enter')
  await expect(card.getByRole('group', { name: 'Fort – Santé' })).toBeInViewport()
  await expect(spreadTiers).toBeFocused()
  await expect(spreadTiers).toBeInViewport()
})

test('closed options name the dimension, open in sight, and lead to the table of all questions', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id, question_id } = await readyScoreQuiz(client)
  const { dimensions } = await client.drafts.get({ id })
  expect(dimensions).toEqual([])
  await page.setViewportSize({ width: 1280, height: 560 })
  await page.goto(`/quiz/${id}/results`)
  const card = page.getByRole('region', { name: 'Dimensions', exact: true })
  await card.getByLabel('Nouvelle dimension').fill('Santé')
  await card.getByLabel('Nouvelle dimension').press('Enter')
  await card.getByLabel('Dimension – Question 1 – Votre agenda ?').selectOption('Santé')

  await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
  await expect(question(page, 1)).toBeVisible()
  const line = page.getByRole('button', { name: /^Options – Question 1/ })
  await expect(line).toHaveText('Options – Question 1 : Dimension : Santé')
  // The line is at the bottom edge, so that its panel would open below the screen.
  await line.evaluate((element) => element.scrollIntoView({ block: 'end' }))
  await line.press('Enter')
  const select = page
    .getByRole('group', { name: 'Options – Question 1' })
    .getByLabel('Dimension', { exact: true })
  await expect(select).toBeInViewport({ ratio: 1 })
  await page.getByRole('link', { name: 'Tableau des dimensions de toutes les questions' }).click()
  await expect(page.locator(`#dimension-${question_id}-of-question`)).toBeFocused()
})
