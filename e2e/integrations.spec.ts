import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../src/server/testing/sample-quizzes.ts'
import { switchOnFirst } from './editor.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const port = Number(process.env.E2E_FAKES_PORT)
const fake = (step: number) => `http://127.0.0.1:${port + step}/__fake`
const stateOf = async (step: number): Promise<string> => (await fetch(`${fake(step)}/state`)).text()
const cardOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Reads an alert and closes it. */
const closeAlert = async (page: Page, text: string): Promise<void> => {
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText(text)
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(alert).toBeHidden()
}

test('a creator connects three tools, switches them on for a quiz, and lets go of them', async ({
  page,
  creator,
}) => {
  // Three tools, two screens and four looks at accessibility.
  test.slow()
  const { id } = await publishedScoreQuiz(creator.client)
  const [kit, systemio, brevo] = ['Kit', 'Systeme.io', 'Brevo'].map((name) => cardOf(page, name))
  if (!kit || !systemio || !brevo) throw new Error('There are three cards')

  await test.step('nothing can be switched on before', async () => {
    await page.goto(`/quiz/${id}/settings`)
    await page.getByRole('tab', { name: 'Intégrations' }).click()
    await expect(page.getByText('Connectez d’abord votre compte Brevo')).toBeVisible()
    for (const card of [kit, systemio, brevo]) await expect(card.getByRole('switch')).toBeDisabled()
    await expectAccessible(page)
    await brevo.getByRole('link', { name: 'paramètres' }).click()
    await expect(page.getByRole('heading', { name: 'Paramètres', level: 1 })).toBeVisible()
  })

  await test.step('Kit, by a consent over there', async () => {
    await kit.getByRole('button', { name: 'Connecter Kit' }).click()
    await closeAlert(page, 'Kit est connecté.')
    await expect(page).toHaveURL(/\/settings$/)
    await expect(kit.getByText('Connecté', { exact: true })).toBeVisible()
    await expect(kit.getByText('compte@kit.test')).toBeVisible()
  })

  await test.step('Systeme.io and Brevo, by a key, from the keyboard', async () => {
    const key = brevo.getByLabel('Clé API Brevo')
    const save = brevo.getByRole('button', { name: "Enregistrer l'API key" })
    await expect(save).toBeDisabled()
    await expect(key).toHaveAttribute('type', 'password')
    await key.fill('wrong')
    await key.press('Enter')
    await closeAlert(page, 'Clé API invalide ou expirée.')
    await key.fill('xsmtpsib-demo')
    await save.click()
    await closeAlert(page, 'Ceci ressemble à une clé SMTP ; créez une clé API.')
    await key.fill('xkeysib-demo')
    await key.press('Enter')
    await closeAlert(page, 'La clé API de Brevo est enregistrée.')
    await expect(key).toHaveValue('')
    await expect(brevo.getByText('Connecté', { exact: true })).toBeVisible()
    await systemio.getByLabel('Clé API Systeme.io').fill('systemeio-demo')
    await systemio.getByRole('button', { name: "Enregistrer l'API key" }).click()
    await closeAlert(page, 'La clé API de Systeme.io est enregistrée.')
    await expectAccessible(page)
  })

  await test.step('each is switched on, into a field of the creator’s name', async () => {
    await page.goto(`/quiz/${id}/settings`)
    await page.getByRole('tab', { name: 'Intégrations' }).click()
    await switchOnFirst(page, kit, { hasBox: true })
    for (const card of [systemio, brevo]) {
      await card.getByRole('switch').check()
      await expect(card.getByRole('switch')).toBeChecked()
    }
    await expect.poll(() => stateOf(1)).toContain('"resultat_quiz":"Résultat quiz"')
    await expect.poll(() => stateOf(0)).toContain('"label":"Résultat quiz"')
    const attribute = brevo.getByLabel('Attribut Brevo')
    await expect(attribute).toHaveValue('RESULTAT_QUIZ')
    await attribute.fill('mon résultat')
    await attribute.press('Enter')
    await expect(brevo.getByText('Lettres sans accent')).toBeVisible()
    await attribute.fill('mon_profil')
    await attribute.press('Enter')
    await expect(attribute).toHaveValue('MON_PROFIL')
    await expect.poll(() => stateOf(2)).toContain('"MON_PROFIL"')
    await expectAccessible(page)
    await page.reload()
    await page.getByRole('tab', { name: 'Intégrations' }).click()
    for (const card of [kit, systemio, brevo]) await expect(card.getByRole('switch')).toBeChecked()
    await expect(attribute).toHaveValue('MON_PROFIL')
    const { quiz } = await creator.client.quizzes.get({ id })
    expect(quiz.brevo_attribute_name).toBe('MON_PROFIL')
  })

  await test.step('a field that cannot be made leaves the switch off, with the reason', async () => {
    await brevo.getByRole('switch').uncheck()
    await expect(brevo.getByRole('switch')).not.toBeChecked()
    await brevo.getByLabel('Attribut Brevo').fill('ORDER_ID')
    await brevo.getByRole('button', { name: 'Enregistrer' }).click()
    await expect(brevo.getByRole('button', { name: 'Enregistrer' })).toBeDisabled()
    await brevo.getByRole('switch').click()
    await closeAlert(page, 'Le champ « ORDER_ID » n’a pas pu être créé')
    await expect(brevo.getByRole('switch')).not.toBeChecked()
  })

  await test.step('and let go of', async () => {
    await page.goto('/settings')
    await brevo.getByRole('button', { name: "Supprimer l'API key" }).click()
    await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
    await closeAlert(page, 'Brevo est déconnecté.')
    await expect(brevo.getByText('Connecté', { exact: true })).toBeHidden()
    await kit.getByRole('button', { name: 'Déconnecter Kit' }).click()
    await page.getByRole('button', { name: 'Déconnecter', exact: true }).click()
    await closeAlert(page, 'Kit est déconnecté.')
    await expect(kit.getByText('Connecté', { exact: true })).toBeHidden()
    expect(await stateOf(0)).toContain('"uninstalled":true')
  })
})

test('failures are alerts: the server’s sentence, else the specification’s', async ({
  page,
  creator: _,
}) => {
  await page.goto('/settings?convertkit=error')
  await closeAlert(page, 'Erreur lors de la connexion')
  await expect(page).toHaveURL(/\/settings$/)
  await page.route('**/api/v1/integrations/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 502 }),
  )
  await cardOf(page, 'Kit').getByRole('button', { name: 'Connecter Kit' }).click()
  await closeAlert(page, 'Erreur lors de la connexion')
  const brevo = cardOf(page, 'Brevo')
  await brevo.getByLabel('Clé API Brevo').fill('xkeysib-demo')
  await brevo.getByRole('button', { name: "Enregistrer l'API key" }).click()
  await closeAlert(page, "Erreur lors de l'enregistrement")
})

test('a tool that closed the account says so on its card', async ({ page, creator }) => {
  const message = 'Reconnectez Kit : l’autorisation a expiré ou a été retirée.'
  await page.route('**/api/v1/integrations/convertkit/status', (route) =>
    route.fulfill({
      json: { connected: true, email: 'compte@kit.test', needs_attention: true, message },
    }),
  )
  await page.goto('/settings')
  await expect(page.getByText(message)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reconnecter Kit' })).toBeVisible()
  await expectAccessible(page)
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  await expect(page.getByText(message)).toBeVisible()
})

test('both screens fit a phone', async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.setViewportSize({ width: 320, height: 640 })
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await page.goto('/settings')
  await expect(cardOf(page, 'Brevo')).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  await expect(cardOf(page, 'Brevo')).toBeVisible()
  expect(await overflow()).toBeLessThanOrEqual(0)
})
