import type { Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Edits that the server has not acknowledged are kept on the device. */

const SAVES = '**/api/v1/quizzes/*/draft'

/** Makes saves fail until the returned function is called. */
const breakSaves = async (page: Page): Promise<() => Promise<void>> => {
  await page
    .context()
    .route(SAVES, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
  return () => page.context().unroute(SAVES)
}

const countUnsavedEdits = (page: Page): Promise<number> =>
  page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.startsWith('quizaine.edits.')).length,
  )

test('edits that could not be stored are still there after a reload, and are stored then', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  const restore = await breakSaves(page)
  await question(page, 1).fill('Votre semaine ?')
  await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
  await page.reload()
  await expect(question(page, 1)).toHaveValue('Votre semaine ?')
  await restore()
  await expect
    .poll(async () => (await creator.client.questions.list({ id })).questions[0]?.text)
    .toBe('Votre semaine ?')
  await expectSaved(page)
  expect(await countUnsavedEdits(page)).toBe(0)
})

test('an edit that is undone after a lost answer is also undone on the server', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const text = await question(page, 1).inputValue()
  const storedText = async () =>
    (await creator.client.questions.list({ id })).questions[0]?.text ?? ''
  let losesAnswers = true
  await page.context().route(SAVES, async (route) => {
    if (route.request().method() !== 'POST' || !losesAnswers) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await question(page, 1).fill('Votre semaine ?')
  await expect.poll(storedText).toBe('Votre semaine ?')
  await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
  await question(page, 1).fill(text)
  losesAnswers = false
  await expect.poll(storedText).toBe(text)
  await expectSaved(page)
  await expect(question(page, 1)).toHaveValue(text)
})

test('no edit is lost if a page is closed immediately with more unsaved data than a closing page can send', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  const names = Array.from({ length: 15 }, (_, index) => `Résultat ${index}`)
  const results = names.map((name) => ({ name }))
  await creator.client.results.saveAll({ id, body: { results } })
  await page.goto(`/quiz/${id}/results`)
  const fields = page.getByLabel(/^Description – /)
  await expect(fields).toHaveCount(15)
  const restore = await breakSaves(page)
  const description = 'Un texte assez long. '.repeat(230)
  for (const field of await fields.all()) await field.fill(description)
  await restore()
  const other = await page.context().newPage()
  await page.close()
  await other.goto('/dashboard')
  await expect
    .poll(async () => {
      const stored = await creator.client.results.list({ id })
      return stored.results.filter((result) => result.description === description).length
    })
    .toBe(15)
})

test('unsaved edits of an earlier visit are stored from any screen', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByLabel('Nom du résultat 1')).toBeVisible()
  const restore = await breakSaves(page)
  await page.getByLabel('Nom du résultat 1').fill('Tout doux')
  await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
  const other = await page.context().newPage()
  await page.close()
  await restore()
  await other.goto('/dashboard')
  await expect
    .poll(async () => (await creator.client.results.list({ id })).results[0]?.name)
    .toBe('Tout doux')
  await expect.poll(() => countUnsavedEdits(other)).toBe(0)
})

test('unsaved edits are merged with those of another author, and conflicts are shown', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id, result_ids } = await readyScoreQuiz(creator.client)
  const [resultId = '', second = ''] = result_ids
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByLabel('Nom du résultat 1')).toBeVisible()
  const restore = await breakSaves(page)
  await page.getByLabel('Nom du résultat 1').fill('Tout doux')
  await expect(page.getByText('Non enregistré, nouvel essai…')).toBeVisible()
  await page.goto('about:blank')
  await restore()
  await creator.client.results.update({ resultId, body: { name: 'Tout lent' } })
  await creator.client.results.update({ resultId: second, body: { name: 'Grand bond' } })
  await page.goto(`/quiz/${id}/results`)
  const dialog = page.getByRole('alertdialog', { name: 'Modifié aussi ailleurs' })
  await expect(dialog).toContainText('Nom du résultat « Tout lent »')
  await dialog.getByRole('button', { name: 'Garder la mienne' }).click()
  await expectSaved(page)
  const { results } = await creator.client.results.list({ id })
  expect(results.map(({ name }) => name)).toEqual(['Tout doux', 'Grand bond'])
})

test('edits that two tabs could not store are both restored, and their conflicts are asked one after the other', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto(`/quiz/${id}/results`)
    await expect(tab.getByLabel('Nom du résultat 1')).toBeVisible()
  }
  const restore = await breakSaves(page)
  for (const [tab, name] of [
    [page, 'Tout doux'],
    [other, 'Tout vite'],
  ] as const) {
    await tab.getByLabel('Nom du résultat 1').fill(name)
    await expect(tab.getByText('Non enregistré, nouvel essai…')).toBeVisible()
  }
  await page.getByLabel('Nom du résultat 2').fill('Grand bond')
  await other.getByLabel('Description – Grand saut').fill('D’un coup.')
  await expect.poll(() => countUnsavedEdits(page)).toBe(2)
  for (const tab of [page, other]) await tab.goto('about:blank')
  await restore()
  const [first] = (await creator.client.results.list({ id })).results
  await creator.client.results.update({
    resultId: first?.id ?? '',
    body: { name: 'Tout lent' },
  })
  await page.goto(`/quiz/${id}/results`)
  const dialog = page.getByRole('alertdialog', { name: 'Modifié aussi ailleurs' })
  await expect(dialog).toContainText('Tout doux')
  await dialog.getByRole('button', { name: 'Garder la mienne' }).click()
  await expect(dialog).toContainText('Tout vite')
  await dialog.getByRole('button', { name: "Garder l'autre" }).click()
  await expect(dialog).toBeHidden()
  await expectSaved(page)
  const { results } = await creator.client.results.list({ id })
  expect(results.map(({ name, description }) => [name, description])).toEqual([
    ['Tout doux', 'Une étape à la fois.'],
    ['Grand bond', 'D’un coup.'],
  ])
  await expect.poll(() => countUnsavedEdits(page)).toBe(0)
})

test('a text that is too long is cut when it is pasted, and the field says so', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).click()
  await question(page, 1).press('End')
  await page.evaluate(
    (text) => document.execCommand('insertText', false, text),
    'Trop long. '.repeat(95_000),
  )
  await expect(page.getByText('Limite atteinte : 1 000 caractères au plus.')).toBeVisible()
  await expectSaved(page)
  const { questions } = await creator.client.questions.list({ id })
  expect(questions[0]?.text).toHaveLength(1_000)
  expect(questions[0]?.text).toMatch(/^Votre agenda \?Trop long\. /)
})
