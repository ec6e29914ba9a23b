import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('a text of the mail that another tab has stored is shown before it is replaced, and the other text follows', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  const card = page.getByRole('region', { name: 'Emails', exact: true })
  await page.goto(`/quiz/${id}/settings?onglet=automatisations`)
  await card.getByRole('button', { name: 'Modifier l’email' }).click()
  const text = card.getByLabel('Texte', { exact: true })
  await text.fill('Le texte de cet onglet')

  await client.quizMails.set({ id, body: { subject: 'Leur objet', text: 'Leur texte' } })
  await card.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect(card.getByRole('alert')).toContainText('a été changé ailleurs entre-temps')
  await expect(card.getByText('Leur texte', { exact: true })).toBeVisible()
  await expect(card.getByLabel('Objet', { exact: true })).toHaveValue('Leur objet')
  await expect(text).toHaveValue('Le texte de cet onglet')
  expect((await client.quizMails.get({ id })).mails.text).toBe('Leur texte')
  await expectAccessible(page)

  await card.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await expect(card.getByText('L’email est enregistré.')).toBeVisible()
  await expect(card.getByText('Leur texte', { exact: true })).toBeHidden()
  const { mails } = await client.quizMails.get({ id })
  expect([mails.subject, mails.text]).toEqual(['Leur objet', 'Le texte de cet onglet'])

  await text.fill('Encore un autre')
  await client.quizMails.set({ id, body: { text: 'Leur dernier texte' } })
  await card.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await card.getByRole('button', { name: 'Reprendre ce texte' }).click()
  await expect(text).toHaveValue('Leur dernier texte')
  await expect(card.getByRole('button', { name: 'Enregistrer', exact: true })).toBeDisabled()
})

test('parameters that another tab has stored are named before they are replaced', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  await page.goto(`/quiz/${id}/settings?onglet=automatisations`)
  const field = page.getByLabel('Autres paramètres à enregistrer')
  await field.fill('parrain')
  await client.quizzes.update({ id, body: { parameters: ['ref', 'lieu'] } })
  await field.press('Enter')
  await expect(page.getByText('Changé ailleurs entre-temps : « ref, lieu ».')).toBeVisible()
  await expect(field).toHaveValue('parrain')
  expect((await client.quizzes.get({ id })).quiz.parameters).toEqual(['ref', 'lieu'])

  await field.press('Enter')
  // The header says the same of the draft.
  const panel = page.getByRole('tabpanel', { name: 'Automatisations' })
  await expect(panel.getByText('Enregistré', { exact: true })).toBeVisible()
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.parameters)
    .toEqual(['parrain'])
})
