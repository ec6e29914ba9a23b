import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { delayCalls, failCalls } from '../support/network.ts'
import { cardMenu, chooseCardAction } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const UPDATE = { method: 'PUT', path: '**/api/v1/quizzes/*' }

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const mainLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const cardNames = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()
const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const storedQuiz = async (client: Client, id: string) => (await client.quizzes.get({ id })).quiz

test('a creator renames a quiz on its card, and the quiz keeps its name if this fails', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await readyScoreQuiz(client, 'Quel rythme ?')
  await readyScoreQuiz(client, 'Un autre')
  // The tab caches the draft with the previous name.
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('link', { name: 'Retour' }).click()
  await chooseCardAction(page, 'Quel rythme ?', 'Renommer')
  const dialog = page.getByRole('dialog', { name: 'Renommer le questionnaire' })
  const field = dialog.getByRole('textbox', { name: 'Nom' })
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await field.fill('   ')
  await expect(dialog.getByText('Le nom est obligatoire')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Renommer' })).toBeDisabled()
  const release = await delayCalls(page, UPDATE)
  await field.fill('Votre tempo')
  await page.keyboard.press('Enter')
  // The list shows the new name before the response arrives.
  await expect(mainLink(page, 'Votre tempo')).toBeVisible()
  await expect(cardMenu(page, 'Votre tempo')).toBeFocused()
  release()
  await expect(status(page, '« Quel rythme ? » s’appelle maintenant « Votre tempo »')).toBeVisible()
  expect(await cardNames(page)).toEqual(['Votre tempo', 'Un autre'])
  expect((await storedQuiz(client, id)).name).toBe('Votre tempo')
  await page.getByRole('link', { name: 'Modifier Votre tempo' }).click()
  await expect(page.getByRole('textbox', { name: 'Nom du quiz' })).toHaveValue('Votre tempo')
  await page.getByRole('link', { name: 'Retour' }).click()

  await failCalls(page, UPDATE)
  await chooseCardAction(page, 'Votre tempo', 'Renommer')
  await field.fill('Perdu')
  await dialog.getByRole('button', { name: 'Renommer' }).click()
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('« Votre tempo » n’a pas pu être renommé.')
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(cardMenu(page, 'Votre tempo')).toBeFocused()
  expect((await storedQuiz(client, id)).name).toBe('Votre tempo')
})

test('the focus stays on a card that moves in the list', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  for (const name of ['Cerise', 'Banane', 'Abricot'])
    await creator.client.quizzes.create({ body: { name, type: 'quiz' } })
  await page.goto('/dashboard')
  await page.getByRole('combobox', { name: 'Trier par' }).selectOption('Nom')
  expect(await cardNames(page)).toEqual(['Abricot', 'Banane', 'Cerise'])
  await chooseCardAction(page, 'Abricot', 'Renommer')
  await page.getByRole('textbox', { name: 'Nom' }).fill('Datte')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article').last()).toHaveAccessibleName('Datte')
  await expect(cardMenu(page, 'Datte')).toBeFocused()
  await expect(cardMenu(page, 'Datte')).toBeInViewport()
  await expect(status(page, 's’appelle maintenant « Datte »')).toBeVisible()
  expect(await cardNames(page)).toEqual(['Banane', 'Cerise', 'Datte'])
})

test('a published quiz is withdrawn from its card after a confirmation', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client, 'Quel rythme ?')
  await page.goto('/dashboard')
  const shown = card(page, 'Quel rythme ?')
  await cardMenu(page, 'Quel rythme ?').click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Renommer',
    'Dupliquer',
    'Ranger dans un dossier',
    'Exporter en texte',
    'Exporter (JSON)',
    'Changer le type',
    'Dépublier',
    'Supprimer',
  ])
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Dépublier' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Son lien ne mènera plus au questionnaire')
  await dialog.getByRole('button', { name: 'Annuler' }).click()
  await expect(shown.getByText('Publié', { exact: true })).toBeVisible()

  const restore = await failCalls(page, UPDATE)
  await chooseCardAction(page, 'Quel rythme ?', 'Dépublier')
  await dialog.getByRole('button', { name: 'Dépublier' }).click()
  await expect(dialog).toContainText('« Quel rythme ? » n’a pas pu être dépublié.')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(shown.getByText('Publié', { exact: true })).toBeVisible()
  await restore()

  await chooseCardAction(page, 'Quel rythme ?', 'Dépublier')
  await dialog.getByRole('button', { name: 'Dépublier' }).click()
  await expect(status(page, '« Quel rythme ? » est dépublié')).toBeVisible()
  await expect(shown.getByText('Brouillon')).toBeVisible()
  await expect(shown.getByRole('link', { name: /^Ouvrir/ })).toHaveCount(0)
  await expect(cardMenu(page, 'Quel rythme ?')).toBeFocused()
  expect((await storedQuiz(client, id)).status).toBe('Brouillon')
  await cardMenu(page, 'Quel rythme ?').click()
  await expect(page.getByRole('menuitem', { name: 'Dépublier' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await shown.getByRole('link', { name: 'Statistiques — Quel rythme ?' }).click()
  await expect(page).toHaveURL(`/quiz/${id}/statistics`)
})

test('letters typed in a menu lead to the entry that begins with them, with or without accents', {
  tag: '@dom',
}, async ({ page, creator }) => {
  await publishedScoreQuiz(creator.client, 'Quel rythme ?')
  await page.goto('/dashboard')
  await cardMenu(page, 'Quel rythme ?').click()
  const entry = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.type('depu')
  await expect(entry('Dépublier')).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.type('dup')
  await expect(entry('Dupliquer')).toBeFocused()
})

test('a creator changes the type on the card and changes it back', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await readyScoreQuiz(client, 'Quel rythme ?')
  await page.goto('/dashboard')
  const shown = card(page, 'Quel rythme ?')
  const dialog = page.getByRole('alertdialog')
  await expect(shown.getByText('Pas encore de résultat.')).toBeVisible()
  await chooseCardAction(page, 'Quel rythme ?', 'Changer le type')
  await expect(dialog).toContainText('Faire de « Quel rythme ? » un sondage ?')
  await dialog.getByRole('button', { name: 'Changer le type' }).click()
  await expect(status(page, '« Quel rythme ? » est maintenant un sondage')).toBeVisible()
  await expect(shown.getByText('Un sondage n’a pas de résultat.')).toBeVisible()
  await expect(shown.getByRole('link', { name: 'Modifier Quel rythme ?' })).toHaveAttribute(
    'href',
    `/quiz/${id}/questions`,
  )
  expect((await storedQuiz(client, id)).type).toBe('sondage')
  await chooseCardAction(page, 'Quel rythme ?', 'Changer le type')
  await dialog.getByRole('button', { name: 'Changer le type' }).click()
  await expect(status(page, 'est maintenant un quiz avec résultat')).toBeVisible()
  expect((await storedQuiz(client, id)).type).toBe('quiz')
  expect((await client.results.list({ id })).results).toHaveLength(2)
})
