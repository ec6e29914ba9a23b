import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

/** Pages that are open while the server gets a newer release, which does not have their files any more. */

test.use({ creatorIs: 'signed in' })

const UPGRADED = 'Quizaine a été mis à jour. Rechargez la page : vos modifications sont gardées.'

/**
 * Answers 404 for the file of a screen until the page has been loaded `times` times more. Returns a function that counts these
 * loads.
 */
const loseScreen = async (page: Page, file: string, times = Infinity): Promise<() => number> => {
  let nb_loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) nb_loads += 1
  })
  await page.route(`**/assets/${file}-*.js`, (route) =>
    nb_loads < times ? route.fulfill({ status: 404, json: {} }) : route.continue(),
  )
  return () => nb_loads
}

test('after an upgrade, a screen whose file is missing loads the page once, and what was typed is kept', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Gardée malgré la mise à jour ?')
  // The reloaded page is that of the newer release, which has its files.
  const countLoads = await loseScreen(page, 'settings-page', 1)
  await page.getByRole('link', { name: /Réglages.*Couleurs/ }).click()
  await expect(page.getByRole('tab', { name: 'Automatisations' })).toBeVisible()
  expect(countLoads()).toBe(1)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toHaveValue('Gardée malgré la mise à jour ?')
})

test('a file that stays missing ends in a sentence after one reload, and the other screens work', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  await page.goto('/dashboard')
  const countLoads = await loseScreen(page, 'statistics-page')
  await page.goto(`/quiz/${id}/statistics`)
  await expect(page.getByText(UPGRADED)).toBeVisible()
  // The visit of the address and the reload.
  expect(countLoads()).toBe(2)
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
  expect(countLoads()).toBe(2)
})
