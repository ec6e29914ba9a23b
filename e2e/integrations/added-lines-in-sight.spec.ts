import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, newToolKey, test } from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'

test.use({ ...TOUCH, creatorIs: 'signed in' })

test('the control that has added a rule, a webhook, a field or a conditional text keeps the focus in sight', async ({
  page,
  creator,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  const focused = page.locator(':focus')
  const expectInSight = async () => {
    await expect(focused).not.toHaveJSProperty('tagName', 'BODY')
    await expect(focused).toBeInViewport({ ratio: 0.9 })
  }
  await test.step('rules', async () => {
    await page.goto(`/quiz/${id}/settings?onglet=automatisations`)
    const form = page.getByRole('form', { name: 'Ajouter une règle' })
    const lines = page.getByRole('listitem').filter({ hasText: 'ajouter à la liste' })
    for (const [rank, name] of ['Un', 'Deux', 'Trois'].entries()) {
      await form.getByLabel('Liste').fill(name)
      await form.getByLabel('Liste').press('Enter')
      await expect(lines).toHaveCount(rank + 1)
      await expectInSight()
      await expect(form.getByLabel('Liste')).toBeFocused()
    }
  })
  await test.step('webhooks', async () => {
    const field = page.getByLabel('Adresse d’un nouveau webhook')
    for (const rank of [1, 2]) {
      await field.fill(`http://127.0.0.1:9998/${rank}`)
      await field.press('Enter')
      await expect(page.getByText(`http://127.0.0.1:9998/${rank}`)).toBeVisible()
      await expectInSight()
    }
  })
  await test.step('fields of a tool', async () => {
    await page.goto(`/quiz/${id}/settings?onglet=integrations`)
    const add = page.getByRole('button', { name: 'Ajouter un champ dans Brevo' })
    const lines = page.getByRole('list', { name: 'Exemple de contact dans Brevo' })
    await expect(lines.getByRole('listitem').first()).toBeVisible()
    for (let added = 0; added < 2; added++) {
      const before = await lines.getByRole('listitem').count()
      await add.press('Enter')
      await page.getByRole('menuitem').first().press('Enter')
      await expect(lines.getByRole('listitem')).toHaveCount(before + 1)
      await expect(add).toBeFocused()
      await expectInSight()
    }
  })
  await test.step('conditional texts', async () => {
    await page.goto(`/quiz/${id}/results`)
    for (const rank of [1, 2]) {
      await page.getByRole('button', { name: 'Ajouter un texte conditionnel' }).press('Enter')
      await expect(page.getByRole('textbox', { name: 'Texte', exact: true })).toHaveCount(rank)
      await expectInSight()
    }
  })
})
