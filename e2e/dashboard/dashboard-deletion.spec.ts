import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expect, expectAccessible, signIn, test } from '../support/fixtures.ts'
import { delayCalls, failCalls } from '../support/network.ts'
import { chooseCardAction } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const LIST = '**/api/v1/quizzes'
const DELETE = { method: 'DELETE', path: '**/api/v1/quizzes/*' }
/** Milliseconds slightly above the time during which a deletion can be undone. */
const OVER_MS = 6_100

const cardNames = (page: Page) => page.getByRole('article').getByRole('heading').allTextContents()
const mainLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const storedNames = async (client: Client) =>
  (await client.quizzes.list()).quizzes.map(({ name }) => name)
const toast = (page: Page, name: string) =>
  page.getByRole('status').getByText(`« ${name} » est dans la corbeille pour 30 jours`)
const undo = (page: Page, name: string) =>
  page
    .getByRole('status')
    .getByRole('button', { name: 'Annuler' })
    .and(
      page.getByRole('button', { description: `« ${name} » est dans la corbeille pour 30 jours` }),
    )

/** Opens the dashboard with these questionnaires, the last one first, under a fake clock. */
const openDashboard = async (page: Page, client: Client, names: string[]): Promise<void> => {
  for (const name of names) await client.quizzes.create({ body: { name, type: 'quiz' } })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByRole('article')).toHaveCount(names.length)
}

/** Stops the fake clock, so that a slow machine does not end the time to undo. */
const stopClock = async (page: Page): Promise<void> =>
  page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))

const deleteFromCard = async (page: Page, name: string): Promise<void> => {
  await chooseCardAction(page, name, 'Supprimer')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Supprimer' }).click()
  await expect(dialog).toBeHidden()
}

test('a creator undoes a deletion with the toast or with Ctrl Z, and the card returns to its place', async ({
  page,
  creator,
}) => {
  await openDashboard(page, creator.client, ['Un', 'Deux', 'Trois'])
  await deleteFromCard(page, 'Deux')
  expect(await cardNames(page)).toEqual(['Trois', 'Un'])
  await expect(mainLink(page, 'Un')).toBeFocused()
  await expect(toast(page, 'Deux')).toBeVisible()
  await undo(page, 'Deux').click()
  expect(await cardNames(page)).toEqual(['Trois', 'Deux', 'Un'])
  await expect(mainLink(page, 'Deux')).toBeFocused()
  await expect(toast(page, 'Deux')).toBeHidden()
  await page.clock.fastForward(OVER_MS)
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(3)
  expect(await storedNames(creator.client)).toEqual(['Trois', 'Deux', 'Un'])

  await test.step('Ctrl Z undoes the last deletion', async () => {
    await deleteFromCard(page, 'Deux')
    await deleteFromCard(page, 'Trois')
    await page.keyboard.press('Control+z')
    await expect(mainLink(page, 'Trois')).toBeFocused()
    expect(await cardNames(page)).toEqual(['Trois', 'Un'])
    await page.keyboard.press('Control+z')
    await expect(mainLink(page, 'Deux')).toBeFocused()
    expect(await cardNames(page)).toEqual(['Trois', 'Deux', 'Un'])
  })
})

// Separate from the tests that use the toast: on a busy machine an audit takes longer than the toast is shown.
test('the toast of a deletion is accessible', { tag: '@rare' }, async ({ page, creator }) => {
  await openDashboard(page, creator.client, ['Un', 'Deux'])
  await deleteFromCard(page, 'Deux')
  await expect(toast(page, 'Deux')).toBeVisible()
  await expectAccessible(page)
})

test('each deletion is sent when its own time to undo is over', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  await openDashboard(page, creator.client, ['Un', 'Deux', 'Trois'])
  await stopClock(page)
  await deleteFromCard(page, 'Un')
  await page.clock.fastForward(3_000)
  await deleteFromCard(page, 'Trois')
  await expect(toast(page, 'Un')).toBeVisible()
  await expect(toast(page, 'Trois')).toBeVisible()
  expect(await storedNames(creator.client)).toEqual(['Trois', 'Deux', 'Un'])
  await page.clock.fastForward(3_100)
  await expect(toast(page, 'Un')).toBeHidden()
  await expect(toast(page, 'Trois')).toBeVisible()
  await expect.poll(() => storedNames(creator.client)).toEqual(['Trois', 'Deux'])
  await undo(page, 'Trois').click()
  expect(await cardNames(page)).toEqual(['Trois', 'Deux'])
})

test('the focus moves to the heading if the offer to undo ends while it has the focus, and the deletion of the last quiz can be undone', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await openDashboard(page, creator.client, ['Un', 'Deux'])
  await stopClock(page)
  await deleteFromCard(page, 'Un')
  await undo(page, 'Un').focus()
  await page.clock.fastForward(OVER_MS)
  await expect(toast(page, 'Un')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await deleteFromCard(page, 'Deux')
  await expect(page.getByRole('heading', { name: 'Aucun quiz créé' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Créer un questionnaire' })).toBeFocused()
  await undo(page, 'Deux').click()
  await expect(mainLink(page, 'Deux')).toBeFocused()
})

test('leaving the screen, the page or the account sends the deletion immediately', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await openDashboard(page, creator.client, ['Un', 'Deux', 'Trois', 'Quatre'])
  await deleteFromCard(page, 'Un')
  await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
  await expect.poll(() => storedNames(creator.client)).toEqual(['Quatre', 'Trois', 'Deux'])
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  await deleteFromCard(page, 'Deux')
  await page.goto('about:blank')
  await expect.poll(() => storedNames(creator.client)).toEqual(['Quatre', 'Trois'])
  await page.goto('/dashboard')
  await deleteFromCard(page, 'Trois')
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await signIn(page, creator)
  await expect.poll(() => cardNames(page)).toEqual(['Quatre'])
})

test('a failed deletion restores the card and the focus', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  await openDashboard(page, creator.client, ['Un', 'Deux', 'Trois'])
  await failCalls(page, DELETE)
  await deleteFromCard(page, 'Deux')
  await page.clock.fastForward(OVER_MS)
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Le quiz « Deux » n’a pas pu être supprimé.')
  expect(await cardNames(page)).toEqual(['Trois', 'Deux', 'Un'])
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(mainLink(page, 'Deux')).toBeFocused()
})

test('a quiz whose deletion is slow does not return to the list', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  await openDashboard(page, creator.client, ['Un', 'Deux'])
  const release = await delayCalls(page, DELETE)
  await deleteFromCard(page, 'Deux')
  await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mon compte' })).toBeVisible()
  const loaded = page.waitForResponse(LIST)
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  // The server still has both questionnaires.
  expect((await (await loaded).json()).quizzes).toHaveLength(2)
  await expect(page.getByRole('article')).toHaveCount(1)
  release()
  await expect.poll(() => storedNames(creator.client)).toEqual(['Un'])
  expect(await cardNames(page)).toEqual(['Un'])
})
