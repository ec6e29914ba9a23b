import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { chooseCardAction } from '../support/quiz-cards.ts'

test('the dashboard lists, opens and deletes questionnaires', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  await expect(page.getByText('Aucun quiz créé')).toBeVisible()
  const { id } = await publishedScoreQuiz(creator.client, 'Quel rythme ?')
  await creator.client.quizzes.create({ body: { name: 'Votre avis', type: 'sondage' } })
  await page.reload()
  const cards = page.getByRole('article')
  await expect(cards).toHaveCount(2)
  const card = cards.filter({ hasText: 'Quel rythme ?' })
  await expect(card.getByText('Publié')).toBeVisible()
  await expect(card.getByRole('link', { name: /^Ouvrir/ })).toHaveAttribute('href', `/q/${id}`)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Modifier Votre avis' }).click()
  await expect(page).toHaveURL(/\/questions$/)
  await page.getByRole('link', { name: 'Retour' }).click()
  await page.getByRole('button', { name: 'Supprimer Quel rythme ?' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(
    'Êtes-vous sûr de vouloir supprimer le quiz "Quel rythme ?" ? Cette action est irréversible.',
  )
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await expect(cards).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Supprimer Quel rythme ?' })).toBeFocused()
  await chooseCardAction(page, 'Quel rythme ?', 'Supprimer')
  await dialog.getByRole('button', { name: 'Supprimer' }).click()
  await expect(cards).toHaveCount(1)
  // The card is hidden immediately. The call is made when the deletion can no longer be undone.
  await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
  await expect
    .poll(async () => (await creator.client.quizzes.list()).quizzes.map(({ name }) => name))
    .toEqual(['Votre avis'])
})

test.describe('a creator who opens the statistics first', () => {
  test.use({ creatorIs: 'signed in' })

  test('the statistics of a quiz without participants lead back to the quiz', {
    tag: ['@dom', '@rare'],
  }, async ({ page, creator }) => {
    const { id } = await publishedScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/statistics`)
    await expect(page.getByText('Aucune réponse pour le moment')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Modifier le quiz' }).click()
    await expect(page).toHaveURL(`/quiz/${id}/results`)
  })
})
