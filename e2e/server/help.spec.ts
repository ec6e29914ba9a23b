import { expect, expectAccessible, PASSWORD, test, uniqueEmail } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'

/** The help and the gallery of templates, which anybody can read. */

const PAGES = [
  '/aide',
  '/aide/premier-quiz',
  '/aide?q=grille',
  '/aide?q=zzzz',
  '/aide/inconnue',
  '/modeles',
  '/modeles/roue-de-la-vie',
]

for (const scheme of ['light', 'dark'] as const)
  test(`the help and the gallery are accessible and fit a phone in the ${scheme} colour scheme`, {
    tag: '@rare',
  }, async ({ browser, baseURL }) => {
    // Seven pages with a full audit each.
    test.slow()
    const context = await browser.newContext({
      ...TOUCH,
      baseURL: String(baseURL),
      colorScheme: scheme,
    })
    const page = await context.newPage()
    for (const path of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page)
      expect(await measureOverflow(page), path).toBeLessThanOrEqual(0)
      const navigation = page.getByRole('navigation')
      for (const part of await navigation.all()) expect(await findSmallTargets(part)).toEqual([])
    }
    await context.close()
  })

test('the keyboard alone finds a page of the help, and follows it to the next one', {
  tag: '@rare',
}, async ({ page }) => {
  await page.goto('/aide')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Aller au contenu' })).toBeFocused()
  const field = page.getByRole('searchbox', { name: 'Chercher dans l’aide' })
  for (let press = 0; press < 6; press++) {
    await page.keyboard.press('Tab')
    if (await field.evaluate((element) => element === document.activeElement)) break
  }
  await expect(field).toBeFocused()
  await page.keyboard.type('ÉCHELLE en grille')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText(/pages? trouvées?/)
  await page.getByRole('main').getByRole('link', { name: 'Les grilles' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Les grilles')
  await expect(page.getByRole('navigation', { name: 'Fil d’Ariane' })).toContainText('Questions')
  const neighbours = page.getByRole('navigation', { name: 'Pages voisines' })
  await neighbours.getByRole('link', { name: /→$/ }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Les sauts')
})

test('a visitor of the gallery signs up, and the template opens to be tried and used', {
  tag: '@rare',
}, async ({ page }) => {
  await page.goto('/modeles')
  await page.getByRole('link', { name: 'Votre roue de la vie' }).click()
  await page.getByRole('link', { name: 'Utiliser ce modèle' }).first().click()
  await page.getByRole('link', { name: 'Créer un compte' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Inscription')
  const email = uniqueEmail()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirmer le mot de passe').fill(PASSWORD)
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Connexion')
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Votre roue de la vie' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Utiliser ce modèle' }).click()
  await expect(page).toHaveURL(/\/quiz\/[^/]+\/results$/)
  await expect(page.getByLabel('Nom du quiz')).toHaveValue('Votre roue de la vie')
})

test.describe('the links « ? » of the screens', () => {
  test.use({ creatorIs: 'signed in' })

  test('open the page of their subject in a new tab', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { quiz } = await creator.client.quizzes.create({ body: { name: 'Un', type: 'quiz' } })
    await page.goto(`/quiz/${quiz.id}/results`)
    const link = page.getByRole('link', { name: 'Aide : dimensions' })
    await expect(link).toHaveAttribute('target', '_blank')
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await expect(opened.getByRole('heading', { level: 1 })).toHaveText('Les dimensions')
    await opened.close()
    await page.goto('/dashboard')
    await expect(page.getByRole('link', { name: 'Aide', exact: true })).toHaveAttribute(
      'href',
      '/aide',
    )
  })
})
