import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible, PASSWORD, uniqueEmail } from '../support/fixtures.ts'
import { testWithProvider } from '../support/provider-server.ts'
import { expect } from '../support/server-process.ts'

/** Settings of a server that allows linked identities and sign-in by phone. */
const test = testWithProvider({
  AUTH_MANUAL_LINKING: 'on',
  AUTH_PHONE: 'on',
  AUTH_MFA_PHONE: 'on',
})
// One worker runs all tests of the file, because each worker starts a server.
test.describe.configure({ mode: 'default' })

const signUp = async (origin: string, email: string): Promise<void> => {
  const response = await fetch(`${origin}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  expect(response.ok).toBe(true)
}
const submitSignIn = async (page: Page, origin: string, email: string): Promise<void> => {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
}
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Mes quiz & sondages' })
const section = (page: Page, name: string) => page.getByRole('region', { name })
/** Returns the code of the last text message. */
const readLastCode = (folder: string): string => {
  const last = readdirSync(join(folder, 'texts')).sort().at(-1) ?? ''
  return /: (\d{6})$/m.exec(readFileSync(join(folder, 'texts', last), 'utf8'))?.[1] ?? ''
}

test('a creator links and unlinks a provider, and cannot link a provider account that belongs to another person', {
  tag: '@rare',
}, async ({ page, origin, provider }) => {
  const [email, other] = [uniqueEmail(), uniqueEmail()]
  await signUp(origin, email)
  await submitSignIn(page, origin, email)
  await expect(dashboard(page)).toBeVisible()
  await page.goto(`${origin}/settings`)
  const ways = section(page, 'Moyens de connexion')
  await expect(ways.getByText('C’est votre seul moyen de connexion')).toBeVisible()
  await expect(ways.getByRole('button', { name: /^Retirer/ })).toHaveCount(0)

  provider.person = { sub: 'une', email: other, email_verified: true }
  await ways.getByRole('button', { name: 'Ajouter Maison' }).click()
  await expect(ways.getByText('Le moyen de connexion est ajouté.')).toBeVisible()
  await expect(ways.getByText(other)).toBeVisible()
  await expect(ways.getByRole('button', { name: 'Ajouter Maison' })).toHaveCount(0)
  expect(page.url()).toBe(`${origin}/settings`)
  // The session that the return from the provider opened was ended.
  await expect(section(page, 'Sessions actives').getByRole('listitem')).toHaveCount(2)
  await expectAccessible(page)

  await ways.getByRole('button', { name: 'Retirer Maison' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
  await expect(ways.getByText('Le moyen de connexion est retiré.')).toBeVisible()
  await expect(ways.getByRole('heading')).toBeFocused()
  await expect(ways.getByText(other)).toHaveCount(0)

  // The provider now answers with the account of another person.
  const stranger = await page.context().browser()?.newPage()
  await stranger?.goto(`${origin}/login`)
  await stranger?.getByRole('button', { name: 'Continuer avec Maison' }).click()
  await expect(
    stranger?.getByRole('heading', { name: 'Mes quiz & sondages' }) ?? page.locator('none'),
  ).toBeVisible()
  await stranger?.close()
  await ways.getByRole('button', { name: 'Ajouter Maison' }).click()
  await expect(ways.getByRole('alert')).toHaveText(
    'Ce compte est déjà relié à un autre utilisateur',
  )
  await expect(page.getByText('Cet appareil')).toBeVisible()
})

test('a creator with a provider account chooses a first password and may then unlink the provider', {
  tag: '@rare',
}, async ({ page, origin, provider }) => {
  const email = uniqueEmail()
  provider.person = { sub: 'deux', email, email_verified: true }
  await page.goto(`${origin}/login`)
  await page.getByRole('button', { name: 'Continuer avec Maison' }).click()
  await expect(dashboard(page)).toBeVisible()
  await page.goto(`${origin}/settings`)
  const password = section(page, 'Mot de passe')
  await expect(password.getByText('Vous vous connectez par un autre compte.')).toBeVisible()
  await expect(page.getByLabel('Mot de passe actuel')).toHaveCount(0)
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirmer le nouveau mot de passe').fill(PASSWORD)
  await password.getByRole('button', { name: 'Choisir ce mot de passe' }).click()
  await expect(password.getByText('Votre mot de passe est changé.')).toBeVisible()
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await submitSignIn(page, origin, email)
  await expect(dashboard(page)).toBeVisible()
})

test('a creator adds a phone number, signs in with it, and uses it as a second factor', {
  tag: '@rare',
}, async ({ page, origin, server }) => {
  const email = uniqueEmail()
  await signUp(origin, email)
  await submitSignIn(page, origin, email)
  await expect(dashboard(page)).toBeVisible()
  await page.goto(`${origin}/settings`)
  const phone = section(page, 'Téléphone')
  await phone.getByRole('button', { name: 'Recevoir un code' }).click()
  await expect(phone.getByText('Le numéro est obligatoire')).toBeVisible()
  await phone.getByLabel('Numéro de téléphone').fill('06 12 34 56 78')
  await page.keyboard.press('Enter')
  const code = phone.getByLabel('Code reçu par SMS')
  await expect(code).toBeFocused()
  await phone.getByRole('button', { name: 'Annuler' }).press('Enter')
  await expect(phone.getByLabel('Numéro de téléphone')).toBeFocused()
  await page.keyboard.press('Enter')
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(phone.getByText('Ce code n’est pas le bon, ou il a expiré')).toBeVisible()
  await code.fill(readLastCode(server.folder))
  await page.keyboard.press('Enter')
  await expect(phone.getByText('Le numéro est enregistré.')).toBeVisible()
  await expect(phone.getByLabel('Nouveau numéro')).toBeFocused()
  await expect(phone.getByText('+33 6 12 34 56 78')).toBeVisible()

  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await page.getByRole('link', { name: 'Se connecter avec un téléphone' }).click()
  await page.getByLabel('Numéro de téléphone').fill('+33612345678')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Un code vient de partir')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Code reçu par SMS').fill(readLastCode(server.folder))
  await page.keyboard.press('Enter')
  await expect(dashboard(page)).toBeVisible()

  await page.goto(`${origin}/settings`)
  const factors = section(page, 'Double authentification')
  await factors.getByRole('button', { name: 'Ajouter un téléphone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Numéro de téléphone').fill('0698765432')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Code reçu par SMS')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Code reçu par SMS').fill(readLastCode(server.folder))
  await page.keyboard.press('Enter')
  await expect(factors.getByText('+33 6 98 76 54 32')).toBeVisible()

  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await submitSignIn(page, origin, email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Double authentification')
  await page.getByRole('button', { name: 'Recevoir un code' }).click()
  await expect(page.getByLabel('Code reçu par SMS')).toBeVisible()
  await page.getByLabel('Code reçu par SMS').fill(readLastCode(server.folder))
  await page.keyboard.press('Enter')
  await expect(dashboard(page)).toBeVisible()
})
