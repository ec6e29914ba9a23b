import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { enableFirstTool, openScreen } from '../support/editor-steps.ts'
import {
  expect,
  expectAccessible,
  newToolKey,
  signIn,
  test,
  uniqueEmail,
} from '../support/fixtures.ts'
import { cardOf } from '../support/regions.ts'

test.use({ creatorIs: 'signed in' })

const dialogOf = (page: Page) => page.getByRole('alertdialog')

test('earlier participants are sent to a tool when the creator requests it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id, question_id, open_id, answer_ids } = await publishedScoreQuiz(client)
  await client.quizzes.update({ id, body: { consent_mode: 'requested' } })
  for (const _ of ['one', 'another'])
    await client.publicQuiz.submit({
      id,
      body: {
        answers: {
          [question_id]: answer_ids[0] ?? '',
          [open_id]: `avant-${randomUUID()}@exemple.fr`,
        },
      },
    })
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  const brevo = cardOf(page, 'Brevo')
  await expect(brevo.getByText('ont répondu avant')).toHaveCount(0)
  await enableFirstTool(page, brevo, { hasBox: false })
  await expect(brevo.getByText('2 participants ont répondu avant l’activation')).toBeVisible()
  await expectAccessible(page)
  await brevo.getByRole('button', { name: 'Envoyer aussi les 2 participants existants' }).click()
  await expect(dialogOf(page)).toContainText('vous devez pouvoir prouver')
  await dialogOf(page).getByRole('button', { name: 'Envoyer' }).click()
  await expect(dialogOf(page)).toContainText('2 participants sont en cours d’envoi à Brevo.')
  await dialogOf(page).getByRole('button', { name: 'OK' }).click()
  await expect(brevo.getByText('ont répondu avant')).toHaveCount(0)
  await page.getByRole('link', { name: 'Voir les envois' }).click()
  await expect(cardOf(page, 'Brevo')).toContainText('2 participants = 2 envoyés')
})

test('a key of another account asks before it replaces the first account', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  const error =
    'Cette clé ouvre un autre compte Brevo (b@exemple.fr) que celui qui était connecté (a@exemple.fr). Les prochains participants y seraient envoyés.'
  const sent: unknown[] = []
  await page.route('**/api/v1/integrations/brevo', async (route) => {
    const body = route.request().postDataJSON() as { replace_account?: boolean }
    sent.push(body.replace_account)
    if (!body.replace_account)
      return route.fulfill({ status: 409, json: { error, code: 'other_account' } })
    const json = { configured: true, email: 'b@exemple.fr', needs_attention: false, message: null }
    return route.fulfill({ json })
  })
  await page.goto('/settings')
  const brevo = cardOf(page, 'Brevo')
  const key = brevo.getByLabel('Clé API Brevo')
  await key.fill('xkeysib-autre')
  await key.press('Enter')
  await expect(dialogOf(page)).toContainText(`${error} Remplacer le compte connecté ?`)
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toHaveCount(0)
  await expect(key).toHaveValue('xkeysib-autre')
  await brevo.getByRole('button', { name: "Enregistrer l'API key" }).click()
  await dialogOf(page).getByRole('button', { name: 'Remplacer' }).click()
  await expect(dialogOf(page)).toContainText('La clé API de Brevo est enregistrée.')
  expect(sent).toEqual([undefined, undefined, true])
})

test('tools that refuse the account are reconnected on the screen that reports them', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const api_key = newToolKey('brevo')
  await client.integrations.saveBrevo({ body: { api_key } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  const refusing = new Set(['brevo', 'convertkit'])
  await page.route('**/api/v1/deliveries/summary', async (route) => {
    const summary = await client.deliveries.summary()
    const providers = summary.providers.map((one) => ({
      ...one,
      needs_attention: refusing.has(one.provider),
    }))
    await route.fulfill({ json: { ...summary, providers } })
  })
  const toast = (text: string) => page.getByRole('status').filter({ hasText: text })
  const reconnect = (tool: string) => page.getByRole('button', { name: `Reconnecter ${tool}` })

  await test.step('on the statistics of a quiz, with a key', async () => {
    await page.goto(`/quiz/${id}/statistics`)
    await expect(reconnect('Kit')).toHaveCount(0)
    await reconnect('Brevo').click()
    await page.keyboard.press('Escape')
    await expect(reconnect('Brevo')).toBeFocused()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Connecter Brevo' })
    await dialog.getByLabel('Clé API Brevo').fill(api_key)
    refusing.delete('brevo')
    await page.keyboard.press('Enter')
    await expect(toast('La clé API de Brevo est enregistrée.')).toBeVisible()
    await expect(page.getByText('À reconnecter')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page).toHaveURL(`/quiz/${id}/statistics`)
  })
  await test.step('on the dashboard, with a consent at Kit', async () => {
    await openScreen(page, '/dashboard')
    await reconnect('Kit').click()
    await page.getByRole('button', { name: 'Continuer vers Kit' }).click()
    await expect(toast('Kit est connecté.')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    await expectAccessible(page)
  })
})

test('the outcome of a consent at Kit is shown once, and another account is confirmed and consents again', {
  tag: '@rare',
}, async ({ page, creator: _ }) => {
  for (const [outcome, words] of [
    ['denied', 'Kit n’est pas connecté : l’autorisation a été refusée.'],
    ['expired', 'Ce retour de Kit a expiré ou a déjà servi. Recommencez la connexion.'],
    ['silent', 'L’outil ne répond pas, réessayez dans quelques minutes.'],
  ]) {
    await page.goto(`/settings?convertkit=error&reason=${outcome}`)
    await expect(dialogOf(page)).toContainText(words ?? '')
    await dialogOf(page).getByRole('button', { name: 'OK' }).click()
    await expect(page).toHaveURL(/\/settings$/)
  }
  await page.goto('/settings?convertkit=error&reason=other')
  await expect(dialogOf(page)).toContainText('Vous avez autorisé un autre compte Kit')
  await dialogOf(page).getByRole('button', { name: 'Connecter cet autre compte' }).click()
  await expect(dialogOf(page)).toContainText('Kit est connecté.')
  await expect(page).toHaveURL(/\/settings$/)
})

test('a connection started at Kit continues after the sign-in', { tag: '@rare' }, async ({
  page,
  baseURL,
}) => {
  const [email, password] = [uniqueEmail(), 'un mot de passe']
  await page.request.post('/auth/v1/signup', { data: { email, password } })
  const home = 'https://app.kit.com/apps/1'
  await page.goto(`/api/v1/integrations/convertkit/install?redirect=${encodeURIComponent(home)}`)
  await expect(page).toHaveURL(`${baseURL}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  // The sign-in follows three redirects; the test browser can reach only this machine.
  const failing = page.waitForEvent('requestfailed', (request) => request.url() === home)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  expect((await failing).isNavigationRequest()).toBe(true)
  const other = await page.context().newPage()
  await page.close()
  await other.goto('/settings')
  await expect(cardOf(other, 'Kit').getByText('Connecté', { exact: true })).toBeVisible()
  // The connection continues only once: the next sign-in opens the dashboard.
  await other.evaluate(() => localStorage.clear())
  await signIn(other, { email, password })
})
