import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { delayCalls } from '../support/network.ts'
import { cardMenu, chooseCardAction } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const bar = (page: Page) => page.getByRole('navigation', { name: 'Dossiers' })
const cardNames = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()

/** Creates « Un » and « Deux ». */
const createTwo = async (client: Client): Promise<string[]> => {
  const ids: string[] = []
  for (const name of ['Un', 'Deux'])
    ids.push((await client.quizzes.create({ body: { name, type: 'quiz' } })).quiz.id)
  return ids
}
/** Puts « Un » in a new folder and opens the dashboard with the questionnaires of the folder. */
const openFolder = async (page: Page, client: Client): Promise<{ id: string; path: string }> => {
  const [first = ''] = await createTwo(client)
  const { folder } = await client.folders.create({ body: { name: 'Clients' } })
  await client.folders.put({ id: first, body: { folder_id: folder.id } })
  const path = `/dashboard?dossier=${folder.id}`
  await page.goto(path)
  await expect(page.getByRole('article')).toHaveCount(1)
  return { id: folder.id, path }
}

test('a creator makes a folder from a card, and the list and its address keep the filter @phone', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  await createTwo(client)
  await page.goto('/dashboard')
  await chooseCardAction(page, 'Un', 'Ranger dans un dossier')
  const dialog = page.getByRole('dialog', { name: 'Ranger « Un »' })
  await dialog.getByLabel('Nom du dossier').fill('Clients')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Ranger', exact: true }).click()
  await expect(bar(page).getByRole('link', { name: 'Clients 1 questionnaire' })).toBeVisible()
  await bar(page).getByRole('link', { name: 'Clients' }).click()
  await expect.poll(() => cardNames(page)).toEqual(['Un'])
  await expect(page).toHaveURL(/\?dossier=[\da-f-]{36}$/)
  await page.reload()
  await expect.poll(() => cardNames(page)).toEqual(['Un'])
  await expect(bar(page).getByRole('link', { name: 'Clients' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await expectAccessible(page)
  await bar(page).getByRole('link', { name: 'Sans dossier' }).click()
  await expect.poll(() => cardNames(page)).toEqual(['Deux'])
  await page.goBack()
  await expect.poll(() => cardNames(page)).toEqual(['Un'])
})

test('a card is dragged into a folder, and a deleted folder keeps its questionnaires', async ({
  page,
  creator: { client },
}) => {
  await openFolder(page, client)
  await bar(page).getByRole('link', { name: 'Tous' }).click()
  const folder = bar(page).getByRole('link', { name: 'Clients' })
  await page.getByRole('link', { name: 'Deux', exact: true }).dragTo(folder)
  await expect(page.getByText(/Deux\s» est rangé dans «\sClients/)).toBeVisible()
  await folder.click()
  await expect.poll(async () => (await cardNames(page)).toSorted()).toEqual(['Deux', 'Un'])
  await page.getByRole('button', { name: 'Actions – dossier Clients' }).click()
  await page.getByRole('menuitem', { name: 'Renommer le dossier' }).click()
  await page.getByRole('dialog').getByLabel('Nom').fill('Clientes')
  await page.getByRole('dialog').getByRole('button', { name: 'Renommer' }).click()
  await expect(bar(page).getByRole('link', { name: 'Clientes 2 questionnaires' })).toBeVisible()
  await page.getByRole('button', { name: 'Actions – dossier Clientes' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer le dossier' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(/Ses 2 questionnaires restent/)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(bar(page)).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(async () => (await cardNames(page)).toSorted()).toEqual(['Deux', 'Un'])
  await expect(cardMenu(page, 'Un')).toBeVisible()
})

test('a questionnaire that is created in an open folder is put into the folder', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id: folder_id, path: back } = await openFolder(page, client)
  const inFolder = async () => {
    const { quizzes } = await client.quizzes.list()
    return quizzes.filter((quiz) => quiz.folder_id === folder_id).length
  }
  const openCreation = async () => {
    await expect(page.getByRole('article').first()).toBeVisible()
    await page.keyboard.press('n')
    return page.getByRole('dialog', { name: 'Créer un questionnaire' })
  }
  const blank = await openCreation()
  await blank.getByRole('button', { name: 'Sondage', exact: true }).click()
  await expect(page).toHaveURL(/\/questions$/)
  await expect.poll(inFolder).toBe(2)
  await page.goto(back)

  await (await openCreation()).getByRole('button', { name: 'Partir d’un modèle' }).click()
  await page
    .getByRole('dialog', { name: 'Partir d’un modèle' })
    .getByRole('button', { name: /^Utiliser ce modèle/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/results$/)
  await expect.poll(inFolder).toBe(3)
  await page.goto(back)

  await (await openCreation()).getByRole('button', { name: 'Coller un texte' }).click()
  await page.getByLabel('Texte du questionnaire').fill('# Collé\nType : quiz')
  await page.getByRole('button', { name: 'Créer ce questionnaire' }).click()
  await expect(page).toHaveURL(/\/results$/)
  await expect.poll(inFolder).toBe(4)
  await page.goto(back)
  await expect.poll(async () => (await cardNames(page)).length).toBe(4)
  await chooseCardAction(page, 'Un', 'Dupliquer')
  await expect.poll(inFolder).toBe(5)
})

test('a folder that was deleted meanwhile leaves the new questionnaire without a folder, and says so', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { id } = await openFolder(page, client)
  // The screen loads the folders again when the dialog opens.
  const release = await delayCalls(page, { method: 'GET', path: '**/api/v1/folders' })
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Créer un questionnaire' })
  await expect(dialog.getByRole('button', { name: 'Sondage', exact: true })).toBeVisible()
  await client.folders.remove({ id })
  await dialog.getByRole('button', { name: 'Sondage', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toContainText(
    /n’a pas pu être rangé dans «\sClients\s»/,
  )
  release()
  const { quizzes } = await client.quizzes.list()
  expect(quizzes.map(({ folder_id }) => folder_id)).toEqual([null, null, null])
})
