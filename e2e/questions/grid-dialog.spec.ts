import { readySondage } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('a grid that Escape closes keeps what was typed, and « Annuler » discards it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readySondage(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Ajouter une grille' })
  const title = dialog.getByLabel('Titre de la grille')
  const rows = dialog.getByLabel('Questions, une par ligne')
  await addItem(page, 'Grille')
  await title.fill('Votre formation')
  await rows.fill('Le rythme\nLes supports')
  await rows.press('Escape')
  await expect(dialog).toHaveCount(0)
  await addItem(page, 'Grille')
  await expect(title).toHaveValue('Votre formation')
  await expect(rows).toHaveValue('Le rythme\nLes supports')
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await addItem(page, 'Grille')
  await expect(title).toHaveValue('')
  await rows.fill('Les salles')
  await dialog.getByRole('button', { name: 'Ajouter la grille' }).click()
  await addItem(page, 'Grille')
  await expect(rows).toHaveValue('')
})
