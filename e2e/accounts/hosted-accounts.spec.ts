import { join } from 'node:path'
import { freePort } from '../../src/server/testing/network/proxies/free-port.ts'
import { PASSWORD, uniqueEmail } from '../support/fixtures.ts'
import { test as base, expect, waitUntilReady } from '../support/server-process.ts'

/** Starts two servers: one hosts the accounts, and the other uses them. */
const test = base.extend<{ origins: { host: string; guest: string } }>({
  origins: async ({ run, DATA_DIR }, use) => {
    const [port, guest_port] = [await freePort(), await freePort()]
    const [host, guest] = [`http://localhost:${port}`, `http://localhost:${guest_port}`]
    const common = (name: string) => ({ RATE_LIMITS: 'off', DATA_DIR: join(DATA_DIR, name) })
    const keeping = run({ ...common('host'), PORT: String(port), AUTH_CORS_ORIGINS: guest })
    await waitUntilReady(keeping)
    const using = run({
      ...common('guest'),
      PORT: String(guest_port),
      SUPABASE_URL: host,
      SUPABASE_ANON_KEY: 'anon',
    })
    await waitUntilReady(using)
    await use({ host, guest })
  },
})

test('a creator signs in with an account of a hosted service', { tag: '@rare' }, async ({
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
