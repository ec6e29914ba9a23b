import { expectAccessible, uniqueEmail } from './fixtures.ts'
import { testWithProvider } from './provider-server.ts'
import { expect } from './server-process.ts'

const test = testWithProvider(70)

test.describe.configure({ timeout: 120_000 })

test('a creator signs in with the button of a provider, and is told when it fails', async ({
  page,
  origin,
  provider,
}) => {
  const email = uniqueEmail()
  provider.person = { sub: 'une-personne', email, email_verified: true }
  await page.goto(`${origin}/login`)
  const button = page.getByRole('button', { name: 'Continuer avec Maison' })
  await expect(button).toBeVisible()
  await expectAccessible(page)
  provider.lies = { nonce: 'un autre' }
  await button.click()
  await expect(page.getByRole('alert')).toContainText('La connexion n’a pas abouti')
  await expect(page).toHaveURL(/\/login/)

  provider.lies = {}
  await button.click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  expect(page.url()).not.toContain('access_token')
  await page.goto(`${origin}/settings`)
  await expect(page.getByText(email)).toBeVisible()
})
