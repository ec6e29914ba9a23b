import {
  addItem,
  addMultipleChoice,
  addOpenQuestion,
  addResults,
  answerPage,
  createQuestionnaire,
  expectSaved,
  goToQuestions,
  publish,
  typeNameOfNewQuiz,
} from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test('a creator builds a quiz by score, visitors take it, and the numbers add up', async ({
  page,
  creator,
  visitor,
}) => {
  expect(creator.email).toContain('@')
  await createQuestionnaire(page, 'Quiz avec résultat')
  await expect(page.getByText('Créez au moins 2 résultats (0/2)')).toBeVisible()
  await typeNameOfNewQuiz(page, 'Quel rythme pour votre activité ?')
  await addResults(page, ['Pas à pas', 'Grand saut'])
  await page.getByLabel('Description – Pas à pas').fill('Avancez une étape à la fois.')
  await expectSaved(page)
  await expectAccessible(page)

  await goToQuestions(page)
  await addMultipleChoice(page, 1, { text: 'Votre agenda ?', answers: ['Rempli', 'Libre'] })
  await page.getByLabel('Score – Rempli').fill('1')
  await expect(page.getByRole('heading', { name: 'Mode score' })).toBeVisible()
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await page.getByLabel('Score – Libre').fill('5')
  await addItem(page, 'Nouvelle page')
  await addItem(page, 'Bloc de texte')
  await page.getByLabel('Bloc de texte 1', { exact: true }).fill('Presque fini.')
  await addOpenQuestion(page, 2, { kind: 'Email', text: 'Où vous écrire ?' })
  await page.getByLabel('Minimum – Pas à pas').fill('0')
  await page.getByLabel('Maximum – Pas à pas').fill('4')
  await page.getByLabel('Minimum – Grand saut').fill('5')
  const publishButton = page.getByRole('button', { name: 'Publier', exact: true })
  await expect(publishButton).toBeDisabled()
  await expect(publishButton).toHaveAttribute(
    'title',
    `Le résultat "Grand saut" n'a pas de palier de score défini`,
  )
  await page.getByLabel('Maximum – Grand saut').fill('10')
  await expectSaved(page)
  await expectAccessible(page)
  const link = await publish(page)

  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Quel rythme pour votre activité ?',
  )
  await expect(visitor.getByRole('button', { name: 'Suivant' })).toBeDisabled()
  await expect(visitor.getByText('1 question sans réponse')).toBeVisible()
  await answerPage(visitor, { choose: ['Libre'] })
  await expect(visitor.getByText('Presque fini.')).toBeVisible()
  await expect(visitor.getByText('2 / 2')).toBeVisible()
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'camille@exemple.fr' } })
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Grand saut')

  await visitor.context().clearCookies()
  await visitor.evaluate(() => localStorage.clear())
  await visitor.goto(link)
  await answerPage(visitor, { choose: ['Rempli'] })
  await answerPage(visitor, { type: { 'Où vous écrire ?': 'dominique@exemple.fr' } })
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Pas à pas')
  await expect(visitor.getByText('Avancez une étape à la fois.')).toBeVisible()

  await page.goto('/dashboard')
  await page.getByRole('link', { name: '2 réponses' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Statistiques : Quel rythme pour votre activité ?',
  )
  const question = page.getByRole('listitem').filter({ hasText: 'Rempli' }).last()
  await expect(question).toContainText('1 réponse')
  await expect(question).toContainText(/50\s%/)
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('dominique@exemple.fr')
  await expect(rows.nth(1)).toContainText('Pas à pas')
  await expect(rows.nth(2)).toContainText('camille@exemple.fr')
  await rows.nth(2).getByText('Voir les réponses (2)').click()
  await expect(rows.nth(2)).toContainText('Libre')
  await expectAccessible(page)
})
