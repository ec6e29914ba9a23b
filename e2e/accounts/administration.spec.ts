import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { MailCatcher } from '../../src/server/testing/network/mail/mail-catcher.ts'
import { createAccount } from '../support/accounts.ts'
import { expectAccessible, storeSession, uniqueEmail } from '../support/fixtures.ts'
import { testWithMails } from '../support/mail-server.ts'
import { expect } from '../support/server-process.ts'
import { keepTranslating } from '../support/translation.ts'

const EMAIL = 'administratrice@exemple.fr'
const test = testWithMails({
  ADMIN_EMAILS: EMAIL,
  AUTH_AUTOCONFIRM: 'true',
  // The screen shows only errors that the log has.
  LOG_LEVEL: 'error',
})
// One worker runs all tests of the file, because each worker starts a server.
test.describe.configure({ mode: 'default' })

/** Expects that nothing is wider than the screen. */
const expectNoSideScroll = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0)

/** Returns the link of the next mail about a forgotten password; notices about the account come in between. */
const nextPasswordLink = async (catcher: MailCatcher): Promise<string> => {
  const { link } = await catcher.next(EMAIL)
  return link.includes('type=recovery') ? link : nextPasswordLink(catcher)
}

/**
 * Registers the address as a stranger would, unless it has an account. Then follows the link of « Mot de passe oublié », which
 * proves the address, and chooses a password.
 */
const signInAsAdministrator = async (
  page: Page,
  origin: string,
  catcher: MailCatcher,
): Promise<void> => {
  const data = { email: EMAIL, password: 'celui d’un inconnu' }
  await page.request.post(`${origin}/auth/v1/signup`, { data })
  await page.request.post(`${origin}/auth/v1/recover?redirect_to=${origin}/new-password`, { data })
  await page.goto(await nextPasswordLink(catcher))
  // A password that the account has already would be refused.
  const password = randomUUID()
  await page.getByLabel('Nouveau mot de passe', { exact: true }).fill(password)
  await page.getByLabel('Confirmer le mot de passe').fill(password)
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  await expect(page).toHaveURL(`${origin}/dashboard`)
}

test('an administrator closes the sign-ups, invites, disables and deletes an account with the keyboard', {
  tag: '@rare',
}, async ({ page, origin, catcher, browser }) => {
  await signInAsAdministrator(page, origin, catcher)
  const { email } = await createAccount(origin)

  await page.goto(`${origin}/settings`)
  await page.getByRole('link', { name: 'Ouvrir l’administration' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeFocused()
  await expect(page.getByText('Prêt', { exact: true })).toBeVisible()
  await expect(page.getByText('Aucune sauvegarde n’est connue')).toBeVisible()
  await expect(page.getByText('Aucune erreur depuis le démarrage.')).toBeVisible()
  await expect(page.getByText('Inconnue')).toBeHidden()
  const accounts = page.getByRole('region', { name: 'Comptes', exact: true })
  await expect(accounts.getByText(email)).toBeVisible()
  await expectAccessible(page)
  await expectNoSideScroll(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSideScroll(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  const stranger = await browser.newPage()
  await page.getByRole('radio', { name: 'Sur invitation' }).press('Space')
  await expect(page.getByText('Les inscriptions se font sur invitation.')).toBeVisible()
  await stranger.goto(`${origin}/signup`)
  await expect(stranger.getByText('Les inscriptions se font sur invitation :')).toBeVisible()
  await expect(stranger.getByLabel('Email')).toBeHidden()
  await expectAccessible(stranger)

  const invited = uniqueEmail()
  await accounts.getByRole('button', { name: 'Créer un compte...' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Adresse email')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('L’adresse email est obligatoire')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Adresse email').fill(invited)
  await page.keyboard.press('Enter')
  await expect(accounts.getByText(`L’invitation part à ${invited}.`)).toBeVisible()
  await expect(accounts.getByText('Pas encore confirmé')).toBeVisible()
  await stranger.goto((await catcher.next(invited)).link)
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Nouveau mot de passe')

  await accounts.getByLabel('Rechercher une adresse').fill(email.slice(5, 20))
  await expect(accounts.getByText(invited, { exact: true })).toBeHidden()
  await accounts.getByRole('button', { name: `Désactiver le compte ${email}` }).press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question.getByText(email)).toBeVisible()
  await expect(question.getByText('Ses quiz publiés restent en ligne.')).toBeVisible()
  await question.getByRole('button', { name: 'Désactiver' }).press('Enter')
  await expect(accounts.getByText(`Le compte ${email} est désactivé.`)).toBeVisible()
  await expect(accounts.getByRole('button', { name: `Réactiver le compte ${email}` })).toBeFocused()
  await expectAccessible(page)
  await stranger.goto(`${origin}/login`)

  await accounts.getByRole('button', { name: `Supprimer le compte ${email}` }).press('Enter')
  await question.getByRole('button', { name: 'Supprimer' }).press('Enter')
  await expect(accounts.getByText(`Le compte ${email} est supprimé.`)).toBeVisible()
  await expect(accounts.getByText('Aucun compte ne correspond.')).toBeVisible()
  await expect(page.locator('main :focus')).toHaveCount(1)
  await expectAccessible(page)

  await page.getByRole('radio', { name: 'Ouvertes' }).press('Space')
  await expect(page.getByText('Les inscriptions sont ouvertes.')).toBeVisible()
  await stranger.close()
})

test('a creator who opens the administration is led where unknown addresses lead, and sees no link to it', {
  tag: '@rare',
}, async ({ page, origin }) => {
  const { session } = await createAccount(origin)
  await storeSession(page, session)
  await page.goto(`${origin}/admin`)
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  await page.goto(`${origin}/settings`)
  await expect(page.getByRole('heading', { name: 'Pays', exact: true })).toBeVisible()
  await expect(page.getByText('Ouvrir l’administration')).toBeHidden()
})

test('a part of the administration that cannot be loaded says so, is loaded again and works in translation', {
  tag: '@rare',
}, async ({ page, origin, catcher }) => {
  await signInAsAdministrator(page, origin, catcher)
  const { email } = await createAccount(origin)
  const { client } = await createAccount(origin)
  await page.route('**/api/v1/admin/overview', (route) => route.abort())
  await page.goto(`${origin}/admin`)
  await expect(page.getByRole('button', { name: 'Réessayer' })).toBeVisible()
  await expectAccessible(page)
  await keepTranslating(page)
  await page.unroute('**/api/v1/admin/overview')
  await page.getByRole('button', { name: 'Réessayer' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Dernières erreurs' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const question = page.getByRole('alertdialog')
  await page.getByRole('button', { name: `Désactiver le compte ${email}` }).click()
  await question.getByRole('button', { name: 'Désactiver' }).click()
  await expect(page.getByText(`Le compte ${email} est désactivé.`)).toBeVisible()
  await page.getByRole('button', { name: `Réactiver le compte ${email}` }).click()
  await expect(page.getByText(`Le compte ${email} est réactivé.`)).toBeVisible()
  await client.crashes.report({
    body: {
      name: 'TypeError',
      message: `${email} ne se lit pas`,
      screen: '/quiz/{id}/results',
      position: null,
      release: 'index-C4.js',
    },
  })
  await page.getByRole('button', { name: 'Actualiser' }).click()
  const errors = page.getByRole('region', { name: 'Dernières erreurs' })
  await expect(errors.getByText('TypeError')).toBeVisible()
  await expect(errors.getByText('écran /quiz/{id}/results')).toBeVisible()
  await expect(errors.getByText('ne se lit pas')).toBeHidden()
  await page.getByRole('radio', { name: 'Fermées' }).check()
  await expect(page.getByText('Les inscriptions sont fermées.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Créer un compte...' })).toBeDisabled()
  await page.getByRole('radio', { name: 'Ouvertes' }).check()
  await expect(page.getByText('Les inscriptions sont ouvertes.')).toBeVisible()
})
