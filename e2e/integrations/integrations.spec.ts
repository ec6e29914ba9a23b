import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { enableFirstTool, openScreen } from '../support/editor-steps.ts'
import { readFakeState } from '../support/fake-tools.ts'
import { expect, expectAccessible, newToolKey, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'
import { cardOf } from '../support/regions.ts'

test.use({ creatorIs: 'signed in' })

/** Reads an alert and closes it. */
const closeAlert = async (page: Page, text: string): Promise<void> => {
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText(text)
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(alert).toBeHidden()
}

/** Opens the integrations tab of a quiz's settings. */
const openIntegrationsTab = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

test('no tool can be enabled before it is connected in a dialog of the quiz, which stays on its tab', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  const toast = (text: string) => page.getByRole('status').filter({ hasText: text })
  const [brevo, kit] = [cardOf(page, 'Brevo'), cardOf(page, 'Kit')]
  const dialog = page.getByRole('dialog', { name: 'Connecter Brevo' })
  const key = dialog.getByLabel('Clé API Brevo')

  await test.step('without an account, the switches are disabled, and the cards fit on a small phone', async () => {
    await openIntegrationsTab(page, id)
    await expect(page.getByText('Connectez d’abord votre compte Brevo')).toBeVisible()
    for (const name of ['Kit', 'Systeme.io', 'Brevo'])
      await expect(cardOf(page, name).getByRole('switch')).toBeDisabled()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expect(brevo).toBeVisible()
    expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  })

  for (const size of SIZES) {
    await page.setViewportSize(size)
    await openIntegrationsTab(page, id)

    await test.step(`at ${size.width} pixels, Brevo refuses a wrong key and is connected with another`, async () => {
      await brevo.getByRole('button', { name: 'Connecter Brevo' }).click()
      await expect(key).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.type('wrong')
      await page.keyboard.press('Enter')
      await closeAlert(page, 'Clé API invalide ou expirée.')
      await key.fill(newToolKey('brevo'))
      await dialog.getByRole('button', { name: "Enregistrer l'API key" }).click()
      await expect(toast('La clé API de Brevo est enregistrée.')).toBeVisible()
      await expect(dialog).toBeHidden()
      await expect(brevo.getByRole('switch')).toBeEnabled()
    })

    await test.step(`at ${size.width} pixels, a consent at Kit leads back to the tab`, async () => {
      await kit.getByRole('button', { name: 'Connecter Kit' }).click()
      await page.getByRole('button', { name: 'Continuer vers Kit' }).click()
      await expect(toast('Kit est connecté.')).toBeVisible()
      await expect(page).toHaveURL(`/quiz/${id}/settings?onglet=integrations`)
      await expect(kit.getByText('Connecté', { exact: true })).toBeVisible()
      await expectAccessible(page)
    })
    await client.integrations.removeBrevo()
    await client.integrations.disconnectKit()
  }
})

test('a creator connects Kit by a consent at Kit, enables it, and disconnects it', async ({
  page,
  creator,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const kit = cardOf(page, 'Kit')
  await page.goto('/settings')
  await kit.getByRole('button', { name: 'Connecter Kit' }).click()
  await closeAlert(page, 'Kit est connecté.')
  await expect(page).toHaveURL(/\/settings$/)
  await expect(kit.getByText('Connecté', { exact: true })).toBeVisible()
  await expect(kit.getByText('compte@kit.test')).toBeVisible()

  await openScreen(page, `/quiz/${id}/settings?onglet=integrations`)
  await enableFirstTool(page, kit, { hasBox: true })
  await expect.poll(() => readFakeState('kit')).toContain('"label":"Résultat quiz"')

  await openScreen(page, '/settings')
  await kit.getByRole('button', { name: 'Déconnecter Kit' }).click()
  await page.getByRole('button', { name: 'Déconnecter', exact: true }).click()
  await closeAlert(page, 'Kit est déconnecté.')
  await expect(kit.getByText('Connecté', { exact: true })).toBeHidden()
  expect(await readFakeState('kit')).toContain('"uninstalled":true')
})

test('a creator connects Systeme.io and Brevo by a key with the keyboard on account settings that fit on a phone, and disconnects Brevo', {
  tag: '@dom',
}, async ({ page, creator: _ }) => {
  const [brevo, systemio] = [cardOf(page, 'Brevo'), cardOf(page, 'Systeme.io')]
  await page.goto('/settings')
  const key = brevo.getByLabel('Clé API Brevo')
  const save = brevo.getByRole('button', { name: "Enregistrer l'API key" })
  await expect(save).toBeDisabled()
  await expect(key).toHaveAttribute('type', 'password')
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await measureOverflow(page), 'on a small phone').toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await key.fill('wrong')
  await key.press('Enter')
  await closeAlert(page, 'Clé API invalide ou expirée.')
  await key.fill('xsmtpsib-demo')
  await save.click()
  await closeAlert(page, 'Ceci ressemble à une clé SMTP ; créez une clé API.')
  await key.fill(newToolKey('brevo'))
  await key.press('Enter')
  await closeAlert(page, 'La clé API de Brevo est enregistrée.')
  await expect(key).toHaveValue('')
  await expect(brevo.getByText('Connecté', { exact: true })).toBeVisible()
  await systemio.getByLabel('Clé API Systeme.io').fill(newToolKey('systemio'))
  await systemio.getByRole('button', { name: "Enregistrer l'API key" }).click()
  await closeAlert(page, 'La clé API de Systeme.io est enregistrée.')
  await expectAccessible(page)

  await brevo.getByRole('button', { name: "Supprimer l'API key" }).click()
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await closeAlert(page, 'Brevo est déconnecté.')
  await expect(brevo.getByText('Connecté', { exact: true })).toBeHidden()
})

test('a tool is enabled, and the creator chooses the name of its field', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { client } = creator
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveSystemio({ body: { api_key: newToolKey('systemio') } })
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  const [brevo, systemio] = [cardOf(page, 'Brevo'), cardOf(page, 'Systeme.io')]
  await openIntegrationsTab(page, id)
  await enableFirstTool(page, systemio, { hasBox: true })
  await brevo.getByRole('switch').check()
  await expect(brevo.getByRole('switch')).toBeChecked()
  await expect.poll(() => readFakeState('systemio')).toContain('"resultat_quiz":"Résultat quiz"')
  const attribute = brevo.getByLabel('Attribut Brevo')
  await expect(attribute).toHaveValue('RESULTAT_QUIZ')
  await attribute.fill('mon résultat')
  await attribute.press('Enter')
  await expect(brevo.getByText('Lettres sans accent')).toBeVisible()
  await attribute.fill('mon_profil')
  await attribute.press('Enter')
  await expect(attribute).toHaveValue('MON_PROFIL')
  await expect.poll(() => readFakeState('brevo')).toContain('"MON_PROFIL"')
  await expectAccessible(page)
  await page.reload()
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  for (const card of [systemio, brevo]) await expect(card.getByRole('switch')).toBeChecked()
  await expect(attribute).toHaveValue('MON_PROFIL')
  const { quiz } = await client.quizzes.get({ id })
  expect(quiz.brevo_attribute_name).toBe('MON_PROFIL')
})

test('text that is typed while a field name is stored stays, and the previous name does not return', {
  tag: '@dom',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  await openIntegrationsTab(page, id)
  const attribute = cardOf(page, 'Brevo').getByLabel('Attribut Brevo')
  const save = cardOf(page, 'Brevo').getByRole('button', { name: 'Enregistrer' })
  const held = Promise.withResolvers<void>()
  await page.route('**/draft', async (route) => {
    await held.promise
    await route.continue()
  })
  await attribute.fill('PREMIER')
  const reading = page.waitForRequest((request) => request.url().endsWith('/draft'))
  await attribute.press('Enter')
  await reading
  await expect(attribute).toHaveValue('PREMIER')
  await attribute.fill('SECOND')
  held.resolve()
  await expect(save).not.toHaveAttribute('aria-busy')
  await expect(attribute).toHaveValue('SECOND')
  await page.unroute('**/draft')

  // The field name is stored although the draft cannot be reloaded.
  await page.route('**/draft', (route) => route.fulfill({ status: 503, json: { error: 'Panne' } }))
  await attribute.press('Enter')
  await expect
    .poll(async () => (await client.quizzes.get({ id })).quiz.brevo_attribute_name)
    .toBe('SECOND')
  await expect(save).not.toHaveAttribute('aria-busy')
  await expect(attribute).toHaveValue('SECOND')
})

test('a switch stays off and shows the reason if the field cannot be created', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: { client } }) => {
  const { id } = await publishedScoreQuiz(client)
  await client.integrations.saveBrevo({ body: { api_key: newToolKey('brevo') } })
  await client.integrations.setBrevo({ id, body: { enabled: true } })
  const brevo = cardOf(page, 'Brevo')
  await openIntegrationsTab(page, id)
  await brevo.getByRole('switch').uncheck()
  await expect(brevo.getByRole('switch')).not.toBeChecked()
  await brevo.getByLabel('Attribut Brevo').fill('ORDER_ID')
  await brevo.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(brevo.getByRole('button', { name: 'Enregistrer' })).toBeDisabled()
  await brevo.getByRole('switch').click()
  await closeAlert(page, 'Le champ « ORDER_ID » n’a pas pu être créé')
  await expect(brevo.getByRole('switch')).not.toBeChecked()
})

test('an error shows the sentence of the server, or else the sentence of the specification', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator: _ }) => {
  await page.goto('/settings?convertkit=error')
  await closeAlert(page, 'Erreur lors de la connexion')
  await expect(page).toHaveURL(/\/settings$/)
  await page.route('**/api/v1/integrations/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 502 }),
  )
  await cardOf(page, 'Kit').getByRole('button', { name: 'Connecter Kit' }).click()
  await closeAlert(page, 'Erreur lors de la connexion')
  const brevo = cardOf(page, 'Brevo')
  await brevo.getByLabel('Clé API Brevo').fill(newToolKey('brevo'))
  await brevo.getByRole('button', { name: "Enregistrer l'API key" }).click()
  await closeAlert(page, "Erreur lors de l'enregistrement")
})

test('the card of a tool says that the tool closed the account', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
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
  await openScreen(page, `/quiz/${id}/settings`)
  await page.getByRole('tab', { name: 'Intégrations' }).click()
  await expect(cardOf(page, 'Kit').getByText(message)).toBeVisible()
})
