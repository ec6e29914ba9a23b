import type { Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { delayCalls, failCalls } from '../support/network.ts'

/** Screens of the creator that are empty, loading or failed, or that show a menu or a dialog. */

test.use({ creatorIs: 'signed in' })

const { step } = test

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('empty, loading and failed screens are accessible, and a short wait shows nothing even if the user prefers reduced motion', {
  tag: '@rare',
}, async ({ page, creator }) => {
  test.slow()
  await step('the empty dashboard is accessible', async () => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
    await expectAccessible(page)
  })
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Vide', type: 'quiz' } })
  const { quiz: sondage } = await creator.client.quizzes.create({
    body: { name: 'Vide', type: 'sondage' },
  })
  await step('the loading editor is accessible, and appears late', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const release = await delayCalls(page, { method: 'GET', path: `**/quizzes/${quiz.id}/draft` })
    await page.goto(`/quiz/${quiz.id}/results`)
    await expect(page.getByRole('status').getByText('Chargement...')).toBeVisible()
    const late = page.locator('.appear-late').filter({ has: page.getByRole('status') })
    await expect(late).toHaveCSS('animation-delay', '0.3s')
    await expect(late).toHaveCSS('animation-duration', '0.001s')
    await expect(late).toHaveCSS('opacity', '1')
    await expectAccessible(page)
    release()
    await page.emulateMedia({ reducedMotion: null })
  })
  await step('the empty results screen is accessible', async () => {
    await expect(page.getByLabel('Nouveau résultat')).toBeVisible()
    await expectAccessible(page)
  })
  for (const screen of ['questions', 'settings', 'statistics', 'edit'])
    await step(`the empty ${screen} screen is accessible`, async () => {
      // The questions of a quiz without results are locked.
      const { id } = screen === 'questions' ? sondage : quiz
      await page.goto(`/quiz/${id}/${screen}`)
      await expect(page.locator('h1:not([inert] *)')).toBeAttached()
      await expectAccessible(page)
    })
  await step('a dashboard and an editor that failed to load are accessible', async () => {
    const restore = await failCalls(page, { method: 'GET', path: '**/api/v1/quizzes**' })
    await page.goto('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Erreur inconnue')
    await expectAccessible(page)
    await restore()
    await failCalls(page, { method: 'GET', path: `**/quizzes/${quiz.id}/draft` })
    await page.goto(`/quiz/${quiz.id}/results`)
    await expect(page.getByText('Erreur inconnue')).toBeVisible()
    await expectAccessible(page)
  })
})

test('menus, dialogs and drags of the editor are accessible', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  test.slow()
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await step('the menu of item types is accessible', async () => {
    await button(page, 'Ajouter un élément').click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await step('the menu of an item is accessible', async () => {
    await button(page, 'Actions – Question 1').click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await step('an empty page, an empty text block and a blank question are accessible', async () => {
    await addItem(page, 'Nouvelle page')
    await addItem(page, 'Bloc de texte')
    await addItem(page, 'Choix multiple')
    await expectAccessible(page)
  })
  await step('the screen is accessible during a drag', async () => {
    await button(page, 'Déplacer Question 1').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(/«\sVotre agenda\s\?\s», position/)).toBeAttached()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await step('a confirmation and the toast with an undo button are accessible', async () => {
    await button(page, 'Supprimer Question 2').click()
    await expectAccessible(page)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
    await expect(button(page, 'Annuler')).toBeVisible()
    // Axe measures only the part of a button that no toast covers, so all buttons below it are scrolled away.
    await button(page, 'Supprimer la page 2').evaluate((element) =>
      element.scrollIntoView({ block: 'center' }),
    )
    await expectAccessible(page)
  })
  await step('the offline message is accessible', async () => {
    await page.context().setOffline(true)
    await question(page, 1).fill('Hors de portée ?')
    await expect(page.getByText('Hors ligne, nouvel essai…')).toBeVisible()
    await expectAccessible(page)
    await page.context().setOffline(false)
  })
  await step('an invalid colour and a low contrast are reported accessibly', async () => {
    const steps = page.getByRole('navigation', { name: 'Étapes' })
    await steps.getByRole('link', { name: 'Réglages' }).click()
    await page.getByLabel('Accent – code hexadécimal').fill('rouge')
    await page.getByLabel('Accent – code hexadécimal').blur()
    await page.getByLabel('Texte – code hexadécimal').fill('#eeeeee')
    await expect(page.getByText('peu lisible').first()).toBeVisible()
    await expectAccessible(page, ['figure'])
  })
  await step('the list of shortcuts is accessible', async () => {
    await page.getByRole('link', { name: 'Retour' }).click()
    await expect(page.getByRole('article')).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
    await expectAccessible(page)
  })
})
