import type { Browser, Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { question } from '../support/editor-steps.ts'
import { expect, storeSession, visitorTest as test } from '../support/fixtures.ts'

/** Screens, dialogs and menus that crash: their files are replaced by components that throw. */

const CRASH = "() => { throw new TypeError('Panne prévue') }"
/** Code of a module whose exports crash, under each name that an importer may use. */
const crashingModule = (names: readonly string[]): string =>
  [
    `const crash = ${CRASH}`,
    'export default crash',
    `export const t = { default: crash, ${names.map((name) => `${name}: crash`).join()} }`,
    ...names.map((name) => `export const ${name} = crash`),
  ].join('\n')

const plantCrash = (page: Page, file: string, names: readonly string[] = []) =>
  page.route(`**/assets/${file}-*.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: crashingModule(names) }),
  )

/** Opens a page of a new browser, in which the creator is signed in. */
const openSignedIn = async (browser: Browser, session: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage()
  await storeSession(page, session)
  return page
}

type Report = { name: string; screen: string; message: string; release: string }

/** Collects the crash reports that a page sends. */
const collectReports = (page: Page): Report[] => {
  const reports: Report[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/v1/crashes')) reports.push(request.postDataJSON() as Report)
  })
  return reports
}

const SCREENS = [
  ['dashboard-page', '/dashboard', '/dashboard'],
  ['account-page', '/settings', '/settings'],
  ['details-page', '/quiz/:id/edit', '/quiz/{id}/edit'],
  ['results-page', '/quiz/:id/results', '/quiz/{id}/results'],
  ['questions-page', '/quiz/:id/questions', '/quiz/{id}/questions'],
  ['settings-page', '/quiz/:id/settings', '/quiz/{id}/settings'],
  ['preview-page', '/quiz/:id/preview', '/quiz/{id}/preview'],
  ['statistics-page', '/quiz/:id/statistics', '/quiz/{id}/statistics'],
  ['deliveries-page', '/quiz/:id/envois', '/quiz/{id}/envois'],
  ['trial-runs-page', '/quiz/:id/essais', '/quiz/{id}/essais'],
] as const

test('a screen that crashes says so in a sentence, is reported once, and can be loaded again', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  for (const [file, path, screen] of SCREENS)
    await test.step(path, async () => {
      const page = await openSignedIn(browser, creator.session)
      const reports = collectReports(page)
      const reported = page.waitForResponse('**/api/v1/crashes')
      await plantCrash(page, file)
      await page.goto(path.replace(':id', id))
      const alert = page
        .getByRole('alert')
        .filter({ hasText: 'Un problème a interrompu cet écran.' })
      await expect(alert).toContainText('Vos modifications sont gardées.')
      expect((await reported).status()).toBe(204)
      expect(reports).toMatchObject([{ name: 'TypeError', screen, message: 'Panne prévue' }])
      await page.unrouteAll()
      await alert.getByRole('button', { name: 'Recharger' }).click()
      await expect(alert).toHaveCount(0)
      await expect(page.getByRole('main').or(page.getByText('Mode Aperçu')).first()).toBeVisible()
      await page.context().close()
    })
})

test('a screen crashes, the others are reached by the menu, and what was typed is kept', {
  tag: '@rare',
}, async ({ creator, browser }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const page = await openSignedIn(browser, creator.session)
  await plantCrash(page, 'settings-page')
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Gardée malgré la panne ?')
  await page.getByRole('link', { name: /Réglages.*Couleurs/ }).click()
  await expect(page.getByText('Un problème a interrompu cet écran.')).toBeVisible()
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toHaveValue('Gardée malgré la panne ?')
  await page.context().close()
})

test('a dialog, a menu or a panel that crashes leaves its screen in use', { tag: '@rare' }, async ({
  creator,
  browser,
}) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const page = await openSignedIn(browser, creator.session)
  const reports = collectReports(page)
  await plantCrash(page, 'create-dialog', ['CreateDialog'])
  await plantCrash(page, 'menu-list', ['MenuList'])
  await plantCrash(page, 'report-card')
  await page.goto('/dashboard')
  const asked = page.getByRole('alertdialog')
  for (const open of [
    () => page.getByRole('button', { name: 'Créer un questionnaire' }).click(),
    () =>
      page
        .getByRole('article')
        .getByRole('button', { name: /^Actions/ })
        .click(),
  ]) {
    await open()
    await expect(asked).toContainText('Un problème a fermé cette fenêtre.')
    await asked.getByRole('button', { name: 'Annuler' }).click()
    await expect(page.getByRole('article')).toHaveCount(1)
  }
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByRole('alert')).toContainText(
    'Un problème a interrompu cette partie de l’écran.',
  )
  await page.getByLabel('Nouveau résultat').fill('Encore là')
  await page.getByLabel('Nouveau résultat').press('Enter')
  await expect(page.getByLabel(/Encore là/).first()).toBeVisible()
  await expect
    .poll(() => reports.map(({ screen }) => screen))
    .toEqual(['/dashboard', '/dashboard', '/quiz/{id}/results'])
  await page.context().close()
})
