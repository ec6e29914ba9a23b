import { startOpenidProvider } from '../src/server/testing/openid-provider.ts'
import { expectAccessible, uniqueEmail } from './fixtures.ts'
import { test as base, expect, isReady } from './server-process.ts'

type Provider = Awaited<ReturnType<typeof startOpenidProvider>>

/** A server of the test's own, with a provider that its creators may sign in with. */
const test = base.extend<{ provider: Provider; origin: string }>({
  provider: async ({ baseURL: _ }, use) => {
    const provider = await startOpenidProvider()
    await use(provider)
    await provider.close()
  },
  origin: async ({ run, provider, baseURL }, use, { parallelIndex }) => {
    const port = Number(new URL(baseURL ?? '').port) + 70 + parallelIndex
    const running = run({
      PORT: String(port),
      RATE_LIMITS: 'off',
      AUTH_EXTERNAL_MAISON_CLIENT_ID: provider.client_id,
      AUTH_EXTERNAL_MAISON_SECRET: provider.secret,
      AUTH_EXTERNAL_MAISON_ISSUER: provider.issuer,
    })
    await isReady(running)
    await use(`http://localhost:${port}`)
  },
})

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
