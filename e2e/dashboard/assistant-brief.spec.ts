import { readdirSync, readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { atEachWidth } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

/** Texts written by an AI assistant: the instruction, answers with slips, and corrections. */

const ANSWERS = new URL('../../src/domain/testing/assistant-answers/', import.meta.url)

const openTextImport = async (page: Page): Promise<Locator> => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Créer un questionnaire' }).click()
  await page.getByRole('button', { name: 'Coller un texte' }).click()
  return page.getByRole('dialog', { name: 'Coller un texte' })
}
const readClipboard = (page: Page): Promise<string> =>
  page.evaluate(() => navigator.clipboard.readText())

/** Expects this element and no accessibility violation on a computer and on a phone. */
const expectAccessibleAtWidths = (page: Page, shown: Locator): Promise<void> =>
  atEachWidth(page, [1440, 390], async () => {
    await expect(shown).toBeVisible()
    await expectAccessible(page)
  })

test('a creator copies the instruction with their brief by keyboard, and gives errors back', {
  tag: '@dom',
}, async ({ page, creator }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const dialog = await openTextImport(page)
  await dialog.getByText('Faire écrire le texte par votre assistant').focus()
  await page.keyboard.press('Enter')
  const brief = dialog.getByLabel('Votre besoin')
  const copy = dialog.getByRole('button', { name: 'Copier la consigne pour un assistant' })
  await expectAccessibleAtWidths(page, brief)

  // Without a brief, nothing is copied.
  await copy.click()
  await expect(brief).toBeFocused()
  await expect(dialog.getByText('Décrivez d’abord votre besoin.')).toBeVisible()
  await page.keyboard.insertText('Un avis sur mon atelier, pour des formateurs, 5 questions.')
  await expect(dialog.getByText('Décrivez d’abord votre besoin.')).toBeHidden()
  await dialog.getByRole('radio', { name: 'Sondage' }).check()
  await copy.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/^Consigne copiée/)).toBeVisible()
  const instruction = await readClipboard(page)
  expect(instruction).toContain('Vous rédigez un sondage pour Quizaine')
  expect(instruction).toMatch(/Un avis sur mon atelier, pour des formateurs, 5 questions\.$/)

  const text = dialog.getByLabel('Texte du questionnaire')
  await text.fill('# Atelier\nType : sondage\n\n## Page 1\n\n### Une note ?\nRéponse : étoiles')
  const errors = dialog.getByRole('list', { name: 'Erreurs du texte' })
  await expect(errors).toContainText('« étoiles »')
  await dialog.getByRole('button', { name: 'Copier les erreurs' }).click()
  await expectAccessibleAtWidths(page, dialog.getByText(/^Erreurs copiées/))
  const corrections = await readClipboard(page)
  expect(corrections).toContain('- Ligne 7, « Réponse : étoiles » : « étoiles » n’est pas prévu')

  // The corrected answer arrives in a code fence, after a sentence.
  await text.fill(
    'Voici le texte corrigé :\n\n```text\n# Atelier\nType : sondage\n\n## Page 1\n\n### Une note ?\nRéponse : échelle de 0 à 10\n```\n',
  )
  await expectAccessibleAtWidths(page, dialog.getByText('Laissée de côté : la ligne 1.'))
  await dialog.getByRole('button', { name: 'Créer ce questionnaire' }).click()
  await expect(page.getByLabel('Nom du sondage')).toHaveValue('Atelier')
  expect((await creator.client.quizzes.list()).quizzes).toHaveLength(1)
})

test('three answers of assistants with their slips are pasted and created without corrections', {
  tag: '@rare',
}, async ({ page, creator }) => {
  for (const file of readdirSync(ANSWERS)) {
    const dialog = await openTextImport(page)
    await dialog
      .getByLabel('Texte du questionnaire')
      .fill(readFileSync(new URL(file, ANSWERS), 'utf8'))
    await expect(dialog.getByText(/^Laissées? de côté/)).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Erreurs du texte' })).toBeHidden()
    await dialog.getByRole('button', { name: 'Créer ce questionnaire' }).click()
    await expect(page.getByLabel('Nom du quiz')).toBeVisible()
  }
  const { quizzes } = await creator.client.quizzes.list()
  expect(quizzes.map(({ name }) => name).sort()).toEqual([
    'Quelle bougie vous ressemble ?',
    'Votre roue de l’équilibre',
    'Évaluation – sécurité incendie',
  ])
  for (const { id } of quizzes)
    expect((await creator.client.quizzes.publish({ id })).quiz.status).toBe('Publié')
})

test('without a clipboard the instruction is shown and selected for copying by hand', {
  tag: '@rare',
}, async ({ page, creator }) => {
  expect(creator.client).toBeDefined()
  const dialog = await openTextImport(page)
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
  )
  await dialog.getByText('Faire écrire le texte par votre assistant').click()
  await dialog.getByLabel('Votre besoin').fill('Un quiz sur le thé')
  await dialog.getByRole('button', { name: 'Copier la consigne pour un assistant' }).click()
  const shown = dialog.getByLabel(/Le navigateur n’a pas permis la copie/)
  await expect(shown).toBeFocused()
  await expect(shown).toHaveValue(/Un quiz sur le thé$/)
  expect(await page.evaluate(() => `${getSelection()}`.length)).toBeGreaterThan(1_000)
  await expectAccessible(page)
})
