import {
  addMultipleChoice,
  addResults,
  answerPage,
  createQuestionnaire,
  expectSaved,
  goToQuestions,
  publish,
  readPublicLink,
  renameQuiz,
} from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test('a creator builds a quiz by profils, publishes it again, and resets its mode', {
  tag: '@rare',
}, async ({ page, creator, visitor }) => {
  expect(creator.email).toContain('@')
  await createQuestionnaire(page, 'Quiz avec résultat')
  await renameQuiz(page, 'Quelle boutique êtes-vous ?')
  await addResults(page, ['Artisane', 'Exploratrice'])
  await goToQuestions(page)
  await addMultipleChoice(page, 1, { text: 'Votre vitrine ?', answers: ['En bois', 'En ligne'] })
  await page
    .getByRole('group', { name: 'Résultats associés à En bois' })
    .getByRole('checkbox', { name: 'Artisane' })
    .check()
  await expect(page.getByRole('heading', { name: 'Mode profils' })).toBeVisible()
  await expect(page.getByLabel('Score – En bois')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Publier', exact: true })).toHaveAttribute(
    'title',
    'La réponse "En ligne" de la question "Votre vitrine ?" doit être associée à au moins un résultat',
  )
  await page
    .getByRole('group', { name: 'Résultats associés à En ligne' })
    .getByRole('checkbox', { name: 'Exploratrice' })
    .check()
  await expectSaved(page)
  const link = await publish(page)

  await visitor.goto(link)
  await answerPage(visitor, { choose: ['En ligne'] })
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Exploratrice')

  await page.getByRole('textbox', { name: 'Réponse 2 de la question 1' }).fill('Sur internet')
  await expect(page.getByText('Modifications non publiées')).toBeVisible()
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Mettre à jour le quiz' })
  await dialog.getByRole('button', { name: 'Mettre à jour' }).click()
  await expect(dialog).toBeHidden()
  expect(await readPublicLink(page)).toBe(link)
  await expect(page.getByText('Modifications non publiées')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Publier', exact: true })).toHaveAttribute(
    'title',
    'Aucune modification à publier',
  )

  await page.getByRole('button', { name: 'Réinitialiser le mode' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Réinitialiser' }).click()
  await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await expectSaved(page)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
  await expect(page.getByLabel('Score – En bois')).toBeVisible()
})
