import { expectAccessible, uniqueEmail } from '../support/fixtures.ts'
import { testWithProvider } from '../support/provider-server.ts'
import { expect } from '../support/server-process.ts'

const test = testWithProvider({ AUTH_PASSWORDS: 'off' })

test('without passwords, the screens offer only the provider, and the settings have no password', {
  tag: '@rare',
}, async ({ page, origin, provider }) => {
  const email = uniqueEmail()
  provider.person = { sub: 'une-personne', email, email_verified: true }
  for (const path of ['/signup', '/forgot-password', '/login']) {
    await page.goto(`${origin}${path}`)
    await expect(page.getByRole('button', { name: 'Continuer avec Maison' })).toBeVisible()
    await expect(page).toHaveURL(`${origin}/login`)
    await expect(page.getByLabel('Email')).toHaveCount(0)
    await expect(page.getByLabel('Mot de passe')).toHaveCount(0)
    await expect(page.getByRole('link', { name: /compte|oublié/ })).toHaveCount(0)
  }
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continuer avec Maison' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  await page.goto(`${origin}/settings`)
  await expect(page.getByText('Cet appareil')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Mot de passe' })).toHaveCount(0)
})
