import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, goToStep, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('Enter adds, Backspace removes, Alt moves, Ctrl D copies, Ctrl S saves, Ctrl P opens the preview', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('textbox', { name: 'Réponse 2 de la question 1' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Réponse 3 de la question 1' })).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('textbox', { name: 'Réponse 2 de la question 1' })).toBeFocused()
  await question(page, 1).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(
    page.getByRole('region', { name: 'Page 2' }).getByRole('listitem').first(),
  ).toContainText('Question 1')
  await page.keyboard.press('Control+d')
  await expect(question(page, 2)).toHaveValue('Votre agenda ?')
  await page.keyboard.press('Control+s')
  await expectSaved(page)
  const { questions } = await creator.client.questions.list({ id })
  expect(questions.map(({ text }) => text)).toEqual([
    'Votre agenda ?',
    'Votre agenda ?',
    'Où vous écrire ?',
  ])
  await question(page, 1).click()
  await page.keyboard.press('ControlOrMeta+p')
  // Both questions with this text are on page 2.
  await expect(page).toHaveURL(`/quiz/${id}/preview?page=2`)
  await expect(page.getByText('Mode Aperçu')).toBeVisible()
})

test('a creator can undo and redo every edit', async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const undo = page.getByRole('button', { name: 'Annuler la dernière modification' })
  await expect(undo).toBeDisabled()
  await page.getByRole('button', { name: 'Supprimer Question 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(question(page, 1)).toHaveValue('Où vous écrire ?')
  await expect(page.getByText('Question supprimée')).toBeVisible()
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await expect(question(page, 1)).toHaveValue('Votre agenda ?')
  await expect(page.getByLabel('Score – Libre')).toHaveValue('5')
  await expectSaved(page)
  expect((await creator.client.questions.list({ id })).questions).toHaveLength(2)

  await page.getByRole('button', { name: 'Réinitialiser le mode' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Réinitialiser' }).click()
  await expect(page.getByLabel('Score – Libre')).toHaveValue('')
  await page.getByRole('heading', { name: 'Page 1' }).focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByLabel('Score – Libre')).toHaveValue('5')
  await page.keyboard.press('Control+Shift+z')
  await expect(page.getByLabel('Score – Libre')).toHaveValue('')
  await undo.click()
  await expectSaved(page)
  expect(await creator.client.quizzes.mode({ id })).toEqual({ mode: 'score' })

  await goToStep(page, 'Réglages')
  await page.getByLabel('Fond – code hexadécimal').fill('#123456')
  await page.getByRole('button', { name: 'Réinitialiser' }).click()
  await expect(page.getByLabel('Fond – code hexadécimal')).toHaveValue('#FFFFFF')
  await undo.click()
  await expect(page.getByLabel('Fond – code hexadécimal')).toHaveValue('#123456')
})

test('the question mark key lists the keyboard shortcuts until single-key shortcuts are disabled', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await page.getByLabel('Nouveau résultat').press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeHidden()
  await page.getByRole('link', { name: 'Retour' }).press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Retour' })).toBeFocused()

  await page.goto('/settings')
  await page.getByRole('checkbox', { name: /une seule touche/ }).uncheck()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: /une seule touche/ })).not.toBeChecked()
  await page.getByRole('link', { name: 'Tableau de bord' }).press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeHidden()
  await page.getByRole('checkbox', { name: /une seule touche/ }).check()
  await page.getByRole('link', { name: 'Tableau de bord' }).press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
})
