import { expectAccessible, uniqueEmail } from '../support/fixtures.ts'
import { testWithProvider } from '../support/provider-server.ts'
import { expect } from '../support/server-process.ts'

/** Server with a provider, without linked identities, sign-in by phone and second factors. */
const test = testWithProvider({ AUTH_MFA_TOTP: 'off', AUTH_MFA_WEBAUTHN: 'off' })
// One worker runs all tests of the file, because each worker starts a server.
test.describe.configure({ mode: 'default' })

test('a creator signs in with the button of a provider, sees the reason if it fails, and sees no disabled second factors and links', {
  tag: '@rare',
}, async ({ page, origin, provider }) => {
  const email = uniqueEmail()
  provider.person = { sub: 'une-personne', email, email_verified: true }
  await page.goto(`${origin}/login`)
  const button = page.getByRole('button', { name: 'Continuer avec Maison' })
  await expect(button).toBeVisible()
  await expect(page.getByText('téléphone')).toHaveCount(0)
  await expectAccessible(page)
  provider.invalid_claims = { nonce: 'un autre' }
  await button.click()
  await expect(page.getByRole('alert')).toContainText('La connexion n’a pas abouti')
  await expect(page).toHaveURL(/\/login/)

  provider.invalid_claims = {}
  await button.click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  expect(page.url()).not.toContain('access_token')
  await page.goto(`${origin}/settings`)
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByText('Cet appareil')).toBeVisible()
  for (const name of ['Téléphone', 'Moyens de connexion', 'Double authentification'])
    await expect(page.getByRole('region', { name })).toHaveCount(0)
})

test('a sign-in succeeds when the provider returns with a cross-site form post', {
  tag: '@rare',
}, async ({ page, origin, provider }) => {
  const email = uniqueEmail()
  provider.person = { sub: 'une-autre', email, email_verified: true }
  provider.answers_by_form = true
  await page.goto(`${origin}/login`)
  await page.getByRole('button', { name: 'Continuer avec Maison' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  const cookies = await page.context().cookies(`${origin}/auth/v1/callback`)
  expect(cookies).toMatchObject([{ name: 'quizaine_way', httpOnly: true, sameSite: 'Lax' }])
})

test('a return address that is opened in another browser opens no session', {
  tag: '@rare',
}, async ({ page, origin, provider, browser }) => {
  provider.person = { sub: 'encore', email: uniqueEmail(), email_verified: true }
  const begun = await page.request.get(`${origin}/auth/v1/authorize?provider=maison`, {
    params: { redirect_to: `${origin}/login` },
    maxRedirects: 0,
  })
  const back = (await provider.visit(begun.headers().location ?? '')).href
  const other = await browser.newContext()
  const victim = await other.newPage()
  await victim.goto(back)
  await expect(victim.getByRole('heading', { level: 1 })).toHaveText('Connexion')
  expect(await victim.evaluate(() => localStorage.getItem('quizaine-session'))).toBe(null)
  await other.close()

  await page.goto(back)
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
})
