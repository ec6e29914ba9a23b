import { globSync, readFileSync } from 'node:fs'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

test('no edit is lost if the creator leaves the screen or closes the page immediately', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('Votre semaine ?')
  await page.getByRole('link', { name: 'Continuer vers les réglages' }).click()
  await expect(page.getByRole('tab', { name: 'Design' })).toBeVisible()
  await expect
    .poll(async () => (await creator.client.questions.list({ id })).questions[0]?.text)
    .toBe('Votre semaine ?')
  await page.goBack()
  await expect(question(page, 1)).toHaveValue('Votre semaine ?')

  await page.locator(`a[href="/quiz/${id}/results"]`).first().click()
  await page.getByLabel('Nom du résultat 1').fill('Tout doux')
  await page.goto('/settings')
  await expect
    .poll(async () => (await creator.client.results.list({ id })).results[0]?.name)
    .toBe('Tout doux')
})

test('edits made offline wait, show their state, and are stored when the network returns', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  await page.context().setOffline(true)
  await question(page, 1).fill('Hors de portée ?')
  await expect(page.getByText('Hors ligne, nouvel essai…')).toBeVisible()
  await page.context().setOffline(false)
  await expectSaved(page)
  const { questions } = await creator.client.questions.list({ id })
  expect(questions[0]?.text).toBe('Hors de portée ?')
})

const ASSETS = new URL('../../dist/dashboard/assets/', import.meta.url)

/** Returns the name of the built style sheet with the styles of pictures, because the bundler chooses its name. */
const findPreviewStyles = (): string => {
  const found = globSync('*.css', { cwd: ASSETS }).find((name) =>
    readFileSync(new URL(name, ASSETS), 'utf8').includes('.q-picture'),
  )
  if (!found) throw new Error('No built style sheet has the styles of the preview')
  return found
}

test('the questions can be edited although the styles of the preview fail to load', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const styles = `**/${findPreviewStyles()}`
  const request = page.waitForRequest(styles)
  await page.route(styles, (route) => route.abort())
  await page.goto(`/quiz/${id}/questions`)
  await request
  await question(page, 1).fill('Sans aperçu ?')
  await expectSaved(page)
  const { questions } = await creator.client.questions.list({ id })
  expect(questions[0]?.text).toBe('Sans aperçu ?')
})

test('colours are saved, shown immediately, and can be reset', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/settings`)
  await page.getByLabel('Fond – code hexadécimal').fill('#fff3e0')
  await expectSaved(page)
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.bg_color)
    .toBe('#fff3e0')
  await page.getByRole('button', { name: 'Réinitialiser' }).click()
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.bg_color)
    .not.toBe('#fff3e0')
})

test('a creator renames, publishes and withdraws a quiz on the edit screen', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/edit`)
  await page.getByLabel('Nom').fill('Un autre nom')
  await page.getByLabel('Statut').selectOption('Publié')
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz)
    .toMatchObject({ name: 'Un autre nom', status: 'Publié' })
  await page.getByLabel('Statut').selectOption('Brouillon')
  await page.getByRole('button', { name: 'Sauvegarder' }).click()
  await expect
    .poll(async () => (await creator.client.quizzes.get({ id })).quiz.status)
    .toBe('Brouillon')
  await page.goto('/quiz/new/edit')
  await page.getByLabel('Nom').fill('Tout neuf')
  await page.getByRole('button', { name: 'Créer le quiz' }).click()
  await expect(page).toHaveURL(/\/quiz\/[0-9a-f-]{36}\/edit$/)
})
