import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('one press adds a rule for each result that has none', { tag: '@dom' }, async ({
  page,
  creator: { client },
}) => {
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await page.goto(`/quiz/${id}/settings?onglet=automatisations`)
  await page.getByRole('button', { name: 'Une liste par résultat dans Brevo' }).click()
  await expect(page.getByText('2 règles ajoutées pour Brevo.')).toBeVisible()
  const { automations } = await client.automations.list({ id })
  expect(automations.map(({ label_name }) => label_name).sort()).toEqual([
    'Quel rythme ? – Grand saut',
    'Quel rythme ? – Pas à pas',
  ])
  await expect(page.getByRole('button', { name: /par résultat/ })).toHaveCount(0)
  await expectAccessible(page)
})
