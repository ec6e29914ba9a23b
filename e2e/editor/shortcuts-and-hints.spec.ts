import {
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** Shortcuts and hints of the editor. */

/** The colour of errors in the light colour scheme. */
const BAD = 'rgb(180, 35, 24)'

test('in the names of results, Enter adds the next result, and Backspace removes a blank one, which has a red border', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  const name = (rank: number) => page.getByLabel(`Nom du résultat ${rank}`)
  await name(1).press('Enter')
  await expect(name(2)).toBeFocused()
  await name(2).press('Enter')
  const add = page.getByLabel('Nouveau résultat')
  await expect(add).toBeFocused()
  await add.fill('Entre deux')
  await add.press('Enter')
  await name(3).fill('')
  await expect(name(3)).toHaveAttribute('aria-invalid', 'true')
  await expect(name(3)).toHaveCSS('border-color', BAD)
  await name(3).blur()
  await expect(name(3)).toHaveCSS('border-color', BAD)
  await name(3).press('Backspace')
  await expect(name(3)).toBeHidden()
  await expect(name(2)).toBeFocused()
})

test('a creator can add an item between two items with the line between them or with a slash', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Ajouter ici après Question 1' }).click()
  await page.getByRole('menuitem', { name: 'Texte court' }).click()
  await expect(question(page, 2)).toBeFocused()
  await question(page, 2).press('/')
  await page.getByRole('menuitem', { name: 'Bloc de texte' }).click()
  await page.getByRole('textbox', { name: 'Bloc de texte 1' }).fill('Entre nous')
  await question(page, 2).fill('Où / quand ?')
  await expectSaved(page)
  const { questions, text_blocks } = await creator.client.questions.unified({ id })
  expect(questions.map(({ text }) => text)).toEqual([
    'Votre agenda ?',
    'Où / quand ?',
    'Où vous écrire ?',
  ])
  expect(text_blocks.map(({ global_position }) => global_position)).toEqual([2])
})

test('a question shows its errors after it loses the focus', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyProfilsQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page
    .getByRole('group', { name: 'Résultats associés à Libre' })
    .getByRole('checkbox', { name: 'Grand saut' })
    .uncheck()
  const lack = page.getByText(/^La réponse "Libre" de la question .* doit être associée/)
  await expect(lack).toBeHidden()
  await question(page, 2).focus()
  await expect(lack).toBeVisible()
})

test('the mode line says what chooses the mode, the first score chooses it, and Enter moves to the next score', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.setViewportSize({ width: 390, height: 844 })
  const first = page.locator('[data-item]').first()
  const explanation = page.getByText(/^Le premier score saisi choisit le mode score/)
  await page.goto(`/quiz/${id}/questions`)
  await expect(first).toBeVisible()
  await expect(explanation).toHaveCount(0)
  expect((await first.boundingBox())?.y).toBeLessThanOrEqual(420)

  await creator.client.quizzes.resetMode({ id })
  await page.reload()
  await expect(explanation).toBeInViewport({ ratio: 1 })
  expect((await first.boundingBox())?.y).toBeLessThanOrEqual(420)
  const ways = page.getByRole('group', { name: 'Choisir un mode' })
  await ways.getByRole('button', { name: 'Score' }).click()
  await expect(page.getByLabel('Score – Rempli')).toBeFocused()
  await expect(page.getByLabel('Score – Rempli')).toBeInViewport({ ratio: 1 })
  await ways.getByRole('button', { name: 'Profils' }).click()
  const associations = page.getByRole('group', { name: 'Résultats associés à Rempli' })
  await expect(associations.getByRole('checkbox', { name: 'Pas à pas' })).toBeFocused()
  await expect(page.getByLabel('Score – Rempli')).toBeVisible()

  await test.step('the first score chooses the mode, says so, and can be undone', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByLabel('Score – Rempli').fill('3')
    await expect(page.getByText('Ce premier score choisit le mode score')).toBeVisible()
    await page.getByLabel('Score – Rempli').press('Enter')
    await expect(page.getByLabel('Score – Libre')).toBeFocused()
    await page.getByRole('button', { name: 'Annuler', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
  })
})

test('the pages have an outline, and Ctrl Enter publishes', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${id}/questions`)
  await expect(question(page, 1)).toBeVisible()
  const outline = page.getByRole('navigation', { name: 'Pages du questionnaire' })
  await expect(outline.getByRole('link', { name: /^Page/ })).toHaveCount(2)
  await addItem(page, 'Nouvelle page')
  await expect(outline.getByRole('link', { name: /^Page/ })).toHaveCount(3)
  await outline.getByRole('link', { name: 'Page 1' }).click()
  await expect(page.getByRole('heading', { name: 'Page 1' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('dialog', { name: 'Publier le quiz' })).toBeVisible()
})

test('a creator can retry a save that the server refuses', { tag: ['@dom', '@rare'] }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await expect(page.getByLabel('Nom du résultat 1')).toBeVisible()
  await page.route('**/draft', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 422, json: { error: 'Refusé', code: 'invalid' } })
      : route.continue(),
  )
  await page.getByLabel('Nom du résultat 1').fill('Tout doux')
  // The bold text is in the bar with the reason; the header shows the words without a reason.
  await expect(page.getByRole('strong').filter({ hasText: 'Non enregistré' })).toBeVisible()
  await page.unroute('**/draft')
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expectSaved(page)
  expect((await creator.client.results.list({ id })).results[0]?.name).toBe('Tout doux')
})
