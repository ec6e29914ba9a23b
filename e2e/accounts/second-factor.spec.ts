import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { expect, expectAccessible, PASSWORD, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const computeCode = (secret: string, periods: number): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + periods * 30_000 })

/** Sets up an authenticator application on the settings screen; returns its secret. */
const addApplication = async (page: Page): Promise<string> => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Ajouter une application' }).click()
  const dialog = page.getByRole('dialog')
  const secret = String(await dialog.locator('code').textContent())
  await expect(dialog.getByRole('img')).toHaveJSProperty('complete', true)
  await expectAccessible(page)
  await dialog.getByLabel('Code affiché par l’application').fill('000 000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Ce code n’est pas le bon')).toBeVisible()
  // The code of the previous period is used, so that the sign-in can use the current code. The code ends with the
  // current period, perhaps before the server reads it.
  await expect(async () => {
    await dialog.getByLabel('Code affiché par l’application').fill(computeCode(secret, -1))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Application 1')).toBeVisible({ timeout: 10_000 })
  }).toPass()
  return secret
}
const signInAgain = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  // The account screen also has a field for an address.
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Double authentification')
}
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Mes quiz & sondages' })

test('an authenticator application is set up, and each sign-in asks for its code', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const secret = await addApplication(page)
  await signInAgain(page, creator.email)
  await expectAccessible(page)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/second-factor$/)
  const code = page.getByLabel('Code à 6 chiffres')
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(
    'Ce code n’est pas le bon : saisissez le suivant',
  )
  await code.fill(computeCode(secret, 0))
  await page.keyboard.press('Enter')
  await expect(dashboard(page)).toBeVisible()
  await page.goto('/second-factor')
  await expect(dashboard(page)).toBeVisible()

  await test.step('a creator whose session was ended elsewhere enters both factors and returns to the same screen', async () => {
    await page.getByRole('link', { name: 'Mon compte', exact: true }).click()
    await expect(page.getByText('Application 1')).toBeVisible()
    const { access_token } = await page.evaluate(() =>
      JSON.parse(localStorage.getItem('quizaine-session') ?? '{}'),
    )
    const headers = { authorization: `Bearer ${access_token}` }
    await page.request.post('/auth/v1/logout?scope=local', { headers })
    await page.reload()
    const dialog = page.getByRole('alertdialog', { name: 'Votre session a pris fin' })
    await dialog.getByLabel('Mot de passe', { exact: true }).fill(creator.password)
    await page.keyboard.press('Enter')
    // Each code is accepted once, so this sign-in uses the code of the next period.
    await code.fill(computeCode(secret, 1))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/settings$/)
    await expect(page.getByText('Application 1')).toBeVisible()
  })
})

test('a recovery code opens the account once, and the second factor can be removed', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await addApplication(page)
  await page.getByRole('button', { name: 'Créer des codes de secours' }).click()
  const codes = page.getByRole('status').getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectAccessible(page)
  const [first = ''] = await codes.allInnerTexts()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  await signInAgain(page, creator.email)
  await page.getByRole('button', { name: 'Utiliser un code de secours' }).click()
  await expect(page.getByLabel('Code de secours')).toBeFocused()
  await page.keyboard.type(first)
  await page.keyboard.press('Enter')
  await expect(dashboard(page)).toBeVisible()

  await page.goto('/settings')
  await page.getByRole('button', { name: 'Retirer Application 1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
  await expect(page.getByText('Le second facteur est retiré.')).toBeVisible()
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  // The account screen also has a field for an address.
  await expect(page).toHaveURL(/\/login$/)
  await page.getByLabel('Email').fill(creator.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(dashboard(page)).toBeVisible()
})

test('a security key is registered and opens the account', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: false,
      hasUserVerification: false,
      isUserVerified: false,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Ajouter une clé de sécurité' }).click()
  await expect(page.getByText('La clé est enregistrée')).toBeVisible()
  await expect(page.getByText('Clé 1')).toBeVisible()
  const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials.length).toBe(1)

  await signInAgain(page, creator.email)
  await page.getByRole('button', { name: 'Utiliser ma clé' }).click()
  await expect(dashboard(page)).toBeVisible()

  // A security key without its credential is refused.
  await signInAgain(page, creator.email)
  await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
  await page.getByRole('button', { name: 'Utiliser ma clé' }).click()
  await expect(page.getByRole('alert')).toHaveText('La vérification a échoué')
  await expect(page).toHaveURL(/\/second-factor$/)
})
