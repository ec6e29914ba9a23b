import type { Page, Request } from '@playwright/test'
import { TOTP } from 'otpauth'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

/** The account settings with the keyboard: the links to the sections, and a focus that is never lost. */

const nav = (page: Page) => page.getByRole('navigation', { name: 'Sections de votre compte' })
const currentLink = (page: Page) => nav(page).locator('[aria-current=location]')
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Opens the account settings and waits for their data. */
const openSettings = async (page: Page): Promise<void> => {
  await page.goto('/settings')
  await expect(page.getByText('Cet appareil')).toBeVisible()
}

test('the links to the sections stay visible and follow the scrolling', { tag: '@rare' }, async ({
  page,
  creator: _,
}) => {
  await openSettings(page)
  await expect(nav(page).getByRole('link')).toHaveText([
    'Intégrations',
    'Compte',
    'Mot de passe',
    'Double authentification',
    'Sessions actives',
    'Clés d’API',
    'Envoi des emails',
    'Fuseau horaire',
    'Pays',
    'Clavier',
    'Images',
    'Mes données',
    'Supprimer mon compte',
  ])
  await expect(currentLink(page)).toHaveText('Intégrations')
  await page.mouse.move(900, 600)
  await page.mouse.wheel(0, 20_000)
  await expect(currentLink(page)).toHaveText('Supprimer mon compte')
  const box = await nav(page).boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900)

  await page.setViewportSize({ width: 1024, height: 900 })
  const beside = await nav(page).boundingBox()
  const content = await heading(page, 'Compte').boundingBox()
  expect((beside?.x ?? 0) + (beside?.width ?? 0)).toBeLessThan(content?.x ?? 0)

  await nav(page).getByRole('link', { name: 'Mot de passe' }).press('Enter')
  await expect(heading(page, 'Mot de passe')).toBeFocused()
  await expect(heading(page, 'Mot de passe')).toBeInViewport()
  await expect(currentLink(page)).toHaveText('Mot de passe')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Mot de passe actuel')).toBeFocused()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
})

test('the account screen does not move when it learns which factors can be added', {
  tag: '@dom',
}, async ({ page, creator: _ }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/auth/v1/settings', async (route) => {
    await held.promise
    await route.continue()
  })
  const pendingRequests = new Set<Request>()
  page.on('request', (request) => pendingRequests.add(request))
  page.on('requestfinished', (request) => pendingRequests.delete(request))
  page.on('requestfailed', (request) => pendingRequests.delete(request))
  await openSettings(page)
  // The list of keys is requested by code that loads after the screen.
  await expect(page.getByText(/^Une clé laisse un tableur/)).toBeVisible()
  // The other data of the screen have loaded.
  await expect
    .poll(() => [...pendingRequests].map((one) => new URL(one.url()).pathname))
    .toEqual(['/auth/v1/settings'])
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))))
  const top = () => heading(page, 'Clavier').evaluate((found) => found.getBoundingClientRect().top)
  const before = await top()
  held.resolve()
  await expect(page.getByRole('button', { name: 'Ajouter une application' })).toBeVisible()
  await expect(page.getByText('Au moins 6 caractères.')).toBeVisible()
  expect(await top()).toBe(before)
})

test('the focus stays in its section after each action on the account', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  await openSettings(page)
  await step('the key of a tool is saved and deleted', async () => {
    const card = page.getByRole('region', { name: 'Brevo' })
    const alert = page.getByRole('alertdialog')
    await card.getByLabel('Clé API Brevo').fill(newToolKey('brevo'))
    await card.getByRole('button', { name: "Enregistrer l'API key" }).press('Enter')
    await expect(alert).toContainText('La clé API de Brevo est enregistrée.')
    await page.keyboard.press('Escape')
    await expect(heading(page, 'Brevo')).toBeFocused()

    await card.getByRole('button', { name: "Supprimer l'API key" }).press('Enter')
    await alert.getByRole('button', { name: 'Supprimer' }).press('Enter')
    await expect(alert).toContainText('Brevo est déconnecté.')
    await page.keyboard.press('Escape')
    await expect(heading(page, 'Brevo')).toBeFocused()
  })
  await step('the password is changed, and a deletion of the account is cancelled', async () => {
    await page.getByLabel('Mot de passe actuel').fill(creator.password)
    await page.getByLabel('Nouveau mot de passe', { exact: true }).fill('un autre secret')
    await page.getByLabel('Confirmer le nouveau mot de passe').fill('un autre secret')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Votre mot de passe est changé.')).toBeVisible()
    await expect(page.getByLabel('Confirmer le nouveau mot de passe')).toBeFocused()
    const remove = page.getByRole('button', { name: 'Supprimer mon compte...' })
    await remove.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).press('Enter')
    await expect(remove).toBeFocused()
  })
  await step('a second factor is added and removed', async () => {
    await page.getByRole('button', { name: 'Ajouter une application' }).press('Enter')
    const dialog = page.getByRole('dialog')
    const secret = String(await dialog.locator('code').textContent())
    await dialog.getByLabel('Code affiché par l’application').fill(new TOTP({ secret }).generate())
    await page.keyboard.press('Enter')
    await expect(page.getByText('Application 1')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Ajouter une application' })).toBeFocused()
    await page.getByRole('button', { name: 'Créer des codes de secours' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Remplacer les codes de secours' })).toBeFocused()

    await page.getByRole('button', { name: 'Retirer Application 1' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).press('Enter')
    await expect(page.getByText('Le second facteur est retiré.')).toBeVisible()
    await expect(heading(page, 'Double authentification')).toBeFocused()
  })
})

test('the sidebar and the menu of a narrow window show the keyboard shortcuts, and Escape closes them first', {
  tag: '@rare',
}, async ({ page, creator: _ }) => {
  await openSettings(page)
  const button = page.getByRole('button', { name: 'Raccourcis clavier' })
  await button.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  await page.getByRole('button', { name: 'Raccourcis clavier' }).click()
  await expect(page.getByRole('dialog', { name: 'Raccourcis clavier' })).toBeVisible()
  await page.keyboard.press('Escape')
  const entry = page.getByRole('link', { name: 'Mon compte', exact: true })
  await expect(entry).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(entry).toBeHidden()
})

test.describe('the account screen on a phone', () => {
  test.use(TOUCH)

  test('Escape closes the menu and returns the focus, and the links to the sections fit and lead to the sections', {
    tag: '@rare',
  }, async ({ page, creator: _ }) => {
    await openSettings(page)
    await page.getByRole('button', { name: 'Ouvrir le menu' }).tap()
    const entry = page.getByRole('link', { name: 'Mon compte', exact: true })
    await entry.focus()
    expect(await findSmallTargets(page.getByRole('banner'))).toEqual([])
    // A touch screen offers no keyboard shortcuts.
    await expect(page.getByRole('button', { name: 'Raccourcis clavier' })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(entry).toBeHidden()
    await expect(page.getByRole('button', { name: 'Ouvrir le menu' })).toBeFocused()

    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await nav(page).getByRole('link', { name: 'Mes données' }).tap()
    await expect(heading(page, 'Mes données')).toBeInViewport()
    await expect(heading(page, 'Mes données')).toBeFocused()
    expect(await findSmallTargets(nav(page))).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
  })
})
