import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { chooseCardAction } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const LIST = '**/api/v1/quizzes'

const cards = (page: Page) => page.getByRole('article')
const searchField = (page: Page) =>
  page.getByRole('searchbox', { name: 'Rechercher un questionnaire' })
const mainLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const more = (page: Page) => page.getByRole('button', { name: 'Afficher plus de questionnaires' })

/** Creates this many questionnaires, of which the first is last in the list. */
const createNumberedQuizzes = async (client: Client, count: number): Promise<void> => {
  for (let number = 1; number <= count; number += 1)
    await client.quizzes.create({ body: { name: `Enquête ${number}`, type: 'sondage' } })
}

test('the search by name is offered for nine questionnaires, and not for eight', {
  tag: '@dom',
}, async ({ page, creator }) => {
  await createNumberedQuizzes(creator.client, 8)
  await page.goto('/dashboard')
  await expect(cards(page)).toHaveCount(8)
  await expect(searchField(page)).toHaveCount(0)
  await creator.client.quizzes.create({ body: { name: 'L’été à la mer', type: 'quiz' } })
  await page.reload()
  await expect(searchField(page)).toBeVisible()
  await expectAccessible(page)

  await page.keyboard.press('/')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.type("L'ETE")
  await expect(page.getByRole('status').filter({ hasText: '1 questionnaire' })).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await expect(mainLink(page, 'L’été à la mer')).toBeVisible()
  await searchField(page).fill('enquete')
  await expect(page.getByText('8 questionnaires')).toBeVisible()

  await searchField(page).fill('hiver/n')
  await expect(searchField(page)).toBeFocused()
  await expect(
    page.getByRole('heading', { name: 'Aucun questionnaire ne correspond à « hiver/n »' }),
  ).toBeVisible()
  await expect(page.getByText('0 questionnaire')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Effacer la recherche' }).click()
  await expect(searchField(page)).toBeFocused()
  await expect(searchField(page)).toHaveValue('')
  await expect(cards(page)).toHaveCount(9)

  await test.step('shortcut keys that are typed in a field open nothing', async () => {
    const dialog = page.getByRole('dialog', { name: 'Créer un questionnaire' })
    await searchField(page).click()
    await page.keyboard.type('N/n')
    await expect(searchField(page)).toHaveValue('N/n')
    await expect(dialog).toBeHidden()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Shift+N')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('/')
    await expect(dialog.getByRole('button', { name: 'Quiz avec résultat' })).toBeFocused()
    await page.keyboard.press('Escape')
    await searchField(page).fill('')
    await chooseCardAction(page, 'Enquête 8', 'Supprimer')
    await page.keyboard.press('n')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expect(dialog).toBeHidden()
  })
})

test('the list loads sixty questionnaires at a time, and the search finds all of them', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  test.slow()
  await createNumberedQuizzes(creator.client, 125)
  await page.goto('/dashboard')
  await expect(cards(page)).toHaveCount(60)
  await expectAccessible(page)
  await more(page).click()
  await expect(cards(page)).toHaveCount(120)
  await expect(mainLink(page, 'Enquête 65')).toBeFocused()
  await more(page).press('Enter')
  await expect(cards(page)).toHaveCount(125)
  await expect(mainLink(page, 'Enquête 5')).toBeFocused()
  await expect(more(page)).toHaveCount(0)

  await searchField(page).fill('enquête')
  await expect(page.getByText('125 questionnaires')).toBeVisible()
  await expect(cards(page)).toHaveCount(60)
  await searchField(page).fill('Enquête 3')
  await expect(page.getByText('11 questionnaires')).toBeVisible()
  await expect(mainLink(page, 'Enquête 3')).toBeVisible()
  await chooseCardAction(page, 'Enquête 3', 'Dupliquer')
  await expect(mainLink(page, 'Enquête 3 (copie)')).toBeFocused()
  await expect(cards(page).first()).toHaveAccessibleName('Enquête 3 (copie)')
  await expect(page.getByText('12 questionnaires')).toBeVisible()
})

test('a slow list shows where the cards will be, and a failed list can be loaded again', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await createNumberedQuizzes(creator.client, 1)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(LIST, async (route) => {
    await promise
    await route.fallback()
  })
  await page.goto('/dashboard')
  const skeletons = page.locator('[aria-hidden=true].appear-late')
  await expect(skeletons).toHaveCSS('opacity', '1')
  await expect(page.getByRole('status').filter({ hasText: 'Chargement...' })).toBeAttached()
  await expectAccessible(page)
  const place = await skeletons.locator('> div').first().boundingBox()
  resolve()
  await expect(cards(page)).toHaveCount(1)
  await expect(skeletons).toHaveCount(0)
  expect(await cards(page).boundingBox()).toEqual(place)

  await page.route(LIST, (route) =>
    route.fulfill({ status: 503, json: { error: 'Service indisponible', code: 'unavailable' } }),
  )
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Erreur: Service indisponible')
  await expectAccessible(page)
  await page.unroute(LIST)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(cards(page)).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
