import type { Locator, Page } from '@playwright/test'
import { publishGridSondage } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { createGestureCounter, expectAtMost } from '../support/gestures.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })
const { step } = test

const DIMENSIONS = ['Écoute', 'Rigueur', 'Initiative']
const LINES = Array.from({ length: 12 }, (_, index) => `Affirmation ${index + 1}`)

const settingsDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^Régler plusieurs/ })
/** Returns the rows of the dialog's list; the options of its selects are no rows. */
const rowsOf = (dialog: Locator): Locator => dialog.getByRole('listbox').getByRole('option')

test('a trainer gives the 12 lines of a new grid one of 3 new dimensions with at most 60 keys besides the content', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  await addItem(page, 'Grille')
  const grid = page.getByRole('dialog', { name: 'Ajouter une grille' })
  await grid.getByLabel('Titre de la grille').fill('Auto-positionnement')
  await grid.getByLabel('Questions, une par ligne').fill(LINES.join('\n'))
  await expect(grid.getByLabel('Questions, une par ligne')).toBeFocused()

  const { press, write, count } = createGestureCounter(page)
  const dialog = settingsDialog(page)
  const counted = await count(async () => {
    await press('Tab')
    await press('Tab')
    await expect(grid.getByRole('button', { name: 'Ajouter la grille' })).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('textbox', { name: /ligne 1 sur 12/ })).toBeFocused()
    await press('Shift+Tab')
    await press('Shift+Tab')
    await expect(page.getByRole('button', { name: 'Régler plusieurs lignes' })).toBeFocused()
    await press('Enter')
    for (const [rank, dimension] of DIMENSIONS.entries()) {
      await expect(rowsOf(dialog).nth(4 * rank)).toBeFocused()
      for (let line = 1; line < 4; line++) await press('Shift+ArrowDown')
      await expect(dialog.getByRole('status')).toHaveText('4 lignes sélectionnées')
      await press('Tab')
      await press('End')
      await write(dialog.getByLabel('Nom de la nouvelle dimension'), dimension)
      await press('Enter')
      await expect(dialog.getByRole('status')).toHaveText('4 lignes réglées')
    }
    await press('Escape')
    await expect(dialog).toHaveCount(0)
  })
  expectAtMost('12 lines with dimensions', counted, { keys: 60 })
  await expect(page.getByRole('button', { name: 'Régler plusieurs lignes' })).toBeFocused()

  await expectSaved(page)
  const { questions, dimensions } = await client.drafts.get({ id })
  const nameOf = (dimension_id: string | null): string =>
    dimensions.find((one) => one.id === dimension_id)?.name ?? ''
  expect(
    questions
      .filter(({ text }) => text.startsWith('Affirmation'))
      .map((line) => [line.scale_min, line.scale_max, nameOf(line.dimension_id)].join(' ')),
  ).toEqual(LINES.map((_, index) => `1 5 ${DIMENSIONS[Math.floor(index / 4)]}`))

  await step('each group is one undo step, also its new dimension', async () => {
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(page.getByText('Retiré : dimension « Initiative »').first()).toBeAttached()
    await expectSaved(page)
    const draft = await client.drafts.get({ id })
    expect(draft.dimensions.map(({ name }) => name)).toEqual(DIMENSIONS.slice(0, 2))
    expect(draft.questions.filter(({ dimension_id }) => dimension_id).length).toBe(8)
  })
})

test('the menu of a page sets several questions by press, range and « Tout sélectionner », and one undo takes them back', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await readyScoreQuiz(client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  await addItem(page, 'Échelle')
  await question(page, 3).fill('Votre énergie ?')
  const dialog = settingsDialog(page)
  const status = dialog.getByRole('status')
  await page.getByRole('button', { name: 'Actions – Page 1' }).first().click()
  await page.getByRole('menuitem', { name: 'Régler plusieurs questions…' }).click()
  await expect(rowsOf(dialog).first()).toBeFocused()
  await expect(status).toHaveText('Aucune question sélectionnée')

  await step('nothing is applied without a question or a setting', async () => {
    await dialog.getByRole('button', { name: 'Appliquer' }).click()
    await expect(dialog.getByText('Sélectionnez au moins une question.')).toBeVisible()
    await rowsOf(dialog).nth(1).click()
    await expect(status).toHaveText('1 question sélectionnée')
    await dialog.getByRole('button', { name: 'Appliquer' }).click()
    await expect(dialog.getByText('Choisissez au moins un réglage.')).toBeVisible()
  })
  await step('Shift and a press select a range, and Space takes one row out', async () => {
    await rowsOf(dialog)
      .last()
      .click({ modifiers: ['Shift'] })
    await expect(status).toHaveText('2 questions sélectionnées')
    await rowsOf(dialog).last().press('Space')
    await expect(status).toHaveText('1 question sélectionnée')
    await dialog.getByRole('button', { name: 'Tout sélectionner' }).click()
    await expect(status).toHaveText('3 questions sélectionnées')
  })
  await dialog.getByLabel('Réponse obligatoire').selectOption('Non')
  await dialog.getByLabel('Compte dans le score').selectOption('Oui')
  await dialog.getByLabel('Échelle').selectOption('Satisfaction 1–5')
  await dialog.getByRole('button', { name: 'Appliquer' }).click()
  await expect(status).toHaveText('3 questions réglées')
  await expect(rowsOf(dialog).filter({ hasText: 'Votre énergie' })).toContainText(
    'échelle 1–5 · compte dans le score · facultative',
  )
  await dialog.getByRole('button', { name: 'Fermer', exact: true }).last().click()
  await expectSaved(page)
  const optional = async () =>
    (await client.drafts.get({ id })).questions.filter(({ is_required }) => !is_required).length
  expect(await optional()).toBe(3)
  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(page.getByText('Rétabli : réglages de 3 questions').first()).toBeAttached()
  await expectSaved(page)
  expect(await optional()).toBe(0)
})

test.describe('on a phone', () => {
  test.use(TOUCH)
  test('several lines of a sondage are set by touch, without settings for points @phone', {
    tag: '@rare',
  }, async ({ page, creator: { client } }) => {
    const { id } = await publishGridSondage(client)
    await page.goto(`/quiz/${id}/questions`)
    await page.getByRole('button', { name: 'Régler plusieurs lignes' }).first().tap()
    const dialog = settingsDialog(page)
    await rowsOf(dialog).nth(0).tap()
    await rowsOf(dialog).nth(2).tap()
    await expect(dialog.getByRole('status')).toHaveText('2 lignes sélectionnées')
    await expect(dialog.getByLabel('Dimension')).toHaveCount(0)
    await expect(dialog.getByLabel('Compte dans le score')).toHaveCount(0)
    expect(await measureOverflow(page)).toBe(0)
    expect(await findSmallTargets(dialog)).toEqual([])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
  })
})
