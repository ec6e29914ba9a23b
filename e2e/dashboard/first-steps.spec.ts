import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, PASSWORD, test, uniqueEmail } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

/** The screens that a creator sees before the first questionnaire. */

const panel = (page: Page): Locator =>
  page.getByText('Posez vos questions, et chacun repart avec son résultat.')

const measureBox = async (locator: Locator) =>
  (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

for (const path of ['/login', '/signup'])
  test(`${path} shows the product next to the form only on wide screens`, { tag: '@rare' }, async ({
    page,
  }) => {
    await page.goto(path)
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1024, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await expect(panel(page)).toBeVisible()
      const [form, beside] = [await measureBox(page.locator('form')), await measureBox(panel(page))]
      expect(form.x + form.width).toBeLessThanOrEqual(beside.x)
      await expectAccessible(page)
    }
    // Screen readers do not read the drawing.
    await expect(page.getByText('L’audacieuse').first()).toBeVisible()
    expect(await page.locator('main').ariaSnapshot()).not.toContain('L’audacieuse')
    for (const [width, colorScheme] of [
      [1023, 'dark'],
      [390, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await expect(panel(page)).toBeHidden()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await expectAccessible(page)
    // The drawing is hidden at twice the text size, because there is no room.
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect(panel(page)).toBeVisible()
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    await expect(panel(page)).toBeHidden()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
  })

test('the password rule is visible before typing, and the password field has the focus after the sign-up', {
  tag: '@dom',
}, async ({ page }) => {
  const email = uniqueEmail()
  await page.goto('/signup')
  const password = page.getByLabel('Mot de passe', { exact: true })
  await expect(password).toHaveAccessibleDescription('Au moins 6 caractères.')
  await page.getByLabel('Email').fill(email)
  await password.fill(PASSWORD)
  await page.getByLabel('Confirmer le mot de passe').fill(PASSWORD)
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(password).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})

test('the sign-up screen shows the stricter password rule of the installation', {
  tag: ['@dom', '@rare'],
}, async ({ page }) => {
  await page.route('**/auth/v1/settings', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), password_policy: 'cnil' } })
  })
  await page.goto('/signup')
  await expect(page.getByLabel('Mot de passe', { exact: true })).toHaveAccessibleDescription(
    'Au moins 12 caractères, ou 8 en mêlant majuscules, minuscules, chiffres ou signes.',
  )
})

test.describe('the first steps on a touch screen', () => {
  test.use(TOUCH)

  test('one touch on a kind of questionnaire opens a blank page', { tag: '@rare' }, async ({
    page,
    creator: _,
  }) => {
    await page.getByRole('button', { name: 'Créer un questionnaire' }).first().click()
    const blank = page.getByRole('dialog').getByRole('region', { name: 'Page blanche' })
    await expect(blank.getByRole('button')).toHaveText(['Quiz avec résultat', 'Sondage'])
    for (const button of await blank.getByRole('button').all())
      expect((await measureBox(button.locator('../..'))).height).toBeGreaterThanOrEqual(44)
    expect(await findSmallTargets(page.getByRole('dialog').locator('h2 + *'))).toEqual([])
    await expectAccessible(page)
    await blank.getByRole('button', { name: 'Sondage' }).tap()
    await expect(page).toHaveURL(/\/questions$/)
  })
})
