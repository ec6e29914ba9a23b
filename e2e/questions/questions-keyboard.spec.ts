import type { Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Pastes a text into the field that has the focus. */
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)

const answers = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Réponses de la question 1' })
    .getByRole('textbox')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))

test('pasted lines become answers or results', async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('textbox', { name: 'Réponse 2 de la question 1' }).focus()
  await paste(page, ' matin\n\nSoir\r\nNuit')
  await expect.poll(() => answers(page)).toEqual(['Rempli', 'Librematin', 'Soir', 'Nuit'])
  await expect(page.getByRole('textbox', { name: 'Réponse 4 de la question 1' })).toBeFocused()
  await page.goto(`/quiz/${id}/results`)
  await page.getByLabel('Nouveau résultat').focus()
  await paste(page, 'Trois\nQuatre')
  await expect(page.getByLabel('Nom du résultat 4')).toHaveValue('Quatre')
})

test('Enter adds, Backspace removes, Alt moves, Ctrl D copies, Ctrl S saves', async ({
  page,
  creator,
}) => {
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

  await page.goto(`/quiz/${id}/settings`)
  await page.getByLabel('Fond – code hexadécimal').fill('#123456')
  await page.getByRole('button', { name: 'Réinitialiser' }).click()
  await expect(page.getByLabel('Fond – code hexadécimal')).toHaveValue('#FFFFFF')
  await undo.click()
  await expect(page.getByLabel('Fond – code hexadécimal')).toHaveValue('#123456')
})

test('the question mark key lists the keyboard shortcuts', async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await page.getByLabel('Nouveau résultat').press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeHidden()
  await page.getByRole('link', { name: 'Retour' }).press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'Retour' })).toBeFocused()
})

test('single-key shortcuts can be disabled and stay disabled', async ({ page, creator }) => {
  expect(creator.email).not.toBe('')
  await page.goto('/settings')
  await page.getByRole('checkbox', { name: /une seule touche/ }).uncheck()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: /une seule touche/ })).not.toBeChecked()
  await page.getByRole('link', { name: 'Dashboard' }).press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeHidden()
  await page.getByRole('checkbox', { name: /une seule touche/ }).check()
  await page.getByRole('link', { name: 'Dashboard' }).press('?')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
})
