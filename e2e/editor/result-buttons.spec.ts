import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Creates a quiz with so many results and opens its results. */
const openResults = async (page: Page, client: Client, count: number): Promise<string> => {
  const { quiz } = await client.quizzes.create({ body: { name: 'Où partir ?', type: 'quiz' } })
  const results = Array.from({ length: count }, (_, rank) => ({ name: `R${rank + 1}` }))
  await client.results.saveAll({ id: quiz.id, body: { results } })
  await page.goto(`/quiz/${quiz.id}/results`)
  return quiz.id
}

const toast = (page: Page): Locator =>
  page.locator('[role=status]:not(.sr-only)').filter({ hasText: /^(Rétabli|Appliqué)/ })
const row = (page: Page, rank: number): Locator =>
  page
    .getByRole('listitem')
    .filter({ hasText: 'Bouton et redirection' })
    .nth(rank - 1)
const storedLinks = async (client: Client, id: string): Promise<unknown[]> =>
  (await client.results.list({ id })).results.map(({ button_text, button_url, redirect_url }) => [
    ...[button_text, button_url, redirect_url],
  ])

test('one button and one redirection are typed once and copied to four results with 3 clicks and 2 keys, and one undo removes the copies', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const id = await openResults(page, creator.client, 4)
  const first = row(page, 1)
  await first.getByText('Bouton et redirection').click()
  await first.getByLabel('Texte du bouton').click()
  await page.keyboard.type('Réserver')
  await page.keyboard.press('Tab')
  await page.keyboard.type('calendly.com/claire')
  await page.keyboard.press('Tab')
  await expect(first.getByLabel('Adresse du bouton')).toHaveValue('https://calendly.com/claire')
  await expect(first).toContainText('Sera copié : texte du bouton et adresse du bouton.')
  await expectAccessible(page)
  const copy = first.getByRole('button', { name: 'Appliquer à tous les résultats' })
  await copy.click()
  await expect(copy).toBeFocused()
  await expect(copy).toHaveAttribute('aria-disabled', 'true')
  await expect(toast(page)).toContainText(
    /^Appliqué aux 4 résultats\s: texte du bouton et adresse du bouton/,
  )
  await expect(row(page, 4)).toContainText('Réserver → calendly.com/claire')
  await expectSaved(page)
  const link = ['Réserver', 'https://calendly.com/claire', null]
  expect(await storedLinks(creator.client, id)).toEqual([link, link, link, link])

  await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
  await expect(toast(page)).toHaveText('Rétabli : bouton et redirection de 3 résultats')
  await expect(row(page, 2).getByLabel('Texte du bouton')).toBeInViewport()
  await expectSaved(page)
  const none = [null, null, null]
  expect(await storedLinks(creator.client, id)).toEqual([link, none, none, none])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(copy).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(page)
})

test('a refused address stays in its field with the reason, and the address from before is kept', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const id = await openResults(page, creator.client, 2)
  const first = row(page, 1)
  await first.getByText('Bouton et redirection').click()
  const field = first.getByLabel('Adresse du bouton')
  await field.fill('exemple.fr')
  await field.press('Tab')
  await expect(field).toHaveValue('https://exemple.fr')
  for (const [typed, reason] of [
    ['javascript:alert(1)', 'L’adresse doit commencer par https:// ou par le nom du site'],
    ['calendly', 'Il manque un point au nom du site'],
    ['mon site.fr', 'Une adresse n’a pas d’espace.'],
    ['claire@exemple.fr', 'C’est une adresse email'],
  ] as const) {
    await field.fill(typed)
    await field.press('Tab')
    await expect(field).toHaveValue(typed)
    await expect(field).toHaveAccessibleDescription(new RegExp(`${reason}.*gardée`))
  }
  await expectAccessible(page)
  // A refused address is not copied; the focus goes back to it.
  await first.getByRole('button', { name: 'Appliquer à tous les résultats' }).press('Enter')
  await expect(field).toBeFocused()
  await expectSaved(page)
  const [kept, other] = await storedLinks(creator.client, id)
  expect([kept, other]).toEqual([
    [null, 'https://exemple.fr', null],
    [null, null, null],
  ])
  // The text is still there after a visit to another step.
  await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
  await expect(page).toHaveURL(/\/questions$/)
  await page.goBack()
  await first.getByText('Bouton et redirection').click()
  await expect(field).toHaveValue('claire@exemple.fr')
  await expect(field).toHaveAccessibleDescription(/C’est une adresse email.*gardée/)
})

test('a redirection is copied to one hundred results in one step', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const id = await openResults(page, creator.client, 100)
  const last = row(page, 100)
  await last.getByText('Bouton et redirection').click()
  await last.getByLabel('Redirection').fill('exemple.fr/merci')
  await last.getByRole('button', { name: 'Appliquer à tous les résultats' }).click()
  await expect(toast(page)).toContainText(/^Appliqué aux 100 résultats\s: redirection/)
  await expect(last.getByRole('button', { name: 'Appliquer' })).toBeInViewport()
  await expectSaved(page)
  const stored = await storedLinks(creator.client, id)
  expect(new Set(stored.map(String))).toEqual(new Set([',,https://exemple.fr/merci']))
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await expect(row(page, 1).getByText('exemple.fr/merci')).toHaveCount(0)
  await expectSaved(page)
  expect(new Set((await storedLinks(creator.client, id)).map(String))).toEqual(
    new Set([',,', ',,https://exemple.fr/merci']),
  )
})
