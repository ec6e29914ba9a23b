import { join } from 'node:path'
import { PASSWORD, uniqueEmail } from './fixtures.ts'
import { test as base, expect, isReady } from './server-process.ts'

/** Two servers: one hosts the accounts, the other uses them. */
const test = base.extend<{ origins: { host: string; guest: string } }>({
  origins: async ({ run, baseURL, DATA_DIR }, use, { parallelIndex }) => {
    const first = Number(new URL(baseURL ?? '').port) + 60 + 2 * parallelIndex
    const [host, guest] = [`http://localhost:${first}`, `http://localhost:${first + 1}`]
    const common = (name: string) => ({ RATE_LIMITS: 'off', DATA_DIR: join(DATA_DIR, name) })
    const keeping = run({ ...common('host'), PORT: String(first), AUTH_CORS_ORIGINS: guest })
    await isReady(keeping)
    const using = run({
      ...common('guest'),
      PORT: String(first + 1),
      SUPABASE_URL: host,
      SUPABASE_ANON_KEY: 'anon',
    })
    await isReady(using)
    await use({ host, guest })
  },
})

test.describe.configure({ timeout: 180_000 })

test('a creator signs in with an account that a hosted service keeps', async ({
  page,
  origins: { host, guest },
}) => {
  const account = { email: uniqueEmail(), password: PASSWORD }
  const made = await page.request.post(`${host}/auth/v1/signup`, { data: account })
  expect(made.status()).toBe(200)
  const called: string[] = []
  page.on('request', (request) => called.push(new URL(request.url()).origin))
  await page.goto(`${guest}/login`)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill('pas le bon')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('alert')).toHaveText('Email ou mot de passe incorrect')
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  expect(called).toContain(host)
  await page.goto(`${guest}/settings`)
  await expect(page.getByText(account.email)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sessions actives' })).toBeHidden()
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await expect(page).toHaveURL(`${guest}/login`)
})
