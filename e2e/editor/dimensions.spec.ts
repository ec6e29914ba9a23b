import {
  readyProfilsQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

test('a creator builds dimensions by keyboard, divides their tiers, assigns questions on both steps and undoes a deletion', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { client } = creator
  const { id } = await readyScoreQuiz(client)
  await page.goto(`/quiz/${id}/results`)
  const card = page.getByRole('region', { name: 'Dimensions', exact: true })
  const field = card.getByLabel('Nouvelle dimension')
  await field.focus()
  for (const name of ['Santé', 'Travail', 'Amis']) {
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
  }
  const names = card.getByLabel(/^Nom de la dimension/)
  await expect(names).toHaveCount(3)
  await expect(field).toBeFocused()
  await expect(card.getByText('La dimension « Santé » n’a aucune question.')).toBeVisible()

  await names.nth(2).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(names.nth(1)).toHaveValue('Amis')
  await expect(names.nth(1)).toBeFocused()

  // Creates three tiers with a gap, which shows a problem, and distributes the bounds evenly again.
  await card.locator('summary', { hasText: 'Paliers – Santé' }).press('Enter')
  await card.getByRole('button', { name: 'Répartir les paliers – Santé' }).press('Enter')
  const middle = card.getByRole('group', { name: 'Moyen – Santé' })
  await expect(middle.getByLabel('De (%)')).toHaveValue('34')
  await middle.getByLabel('De (%)').fill('40')
  await expect(card.getByText(/ne contient 34 à 39/)).toBeVisible()
  await card.getByRole('button', { name: 'Répartir les paliers – Santé' }).press('Enter')
  await expect(middle.getByLabel('De (%)')).toHaveValue('34')
  await expectAccessible(page)

  // The board shows the points and assigns a question.
  const board = card.getByRole('table', {
    name: 'Dimension et points possibles de chaque question',
  })
  await expect(board.getByRole('row', { name: /Question 1 – Votre agenda/ })).toContainText(
    'de 1 à 5 points',
  )
  await board.getByLabel('Dimension – Question 1 – Votre agenda ?').selectOption('Santé')
  await expect(card.getByText('1 question, de 1 à 5 points')).toBeVisible()
  await card.getByRole('radio', { name: 'Radar' }).check()
  await expect(card.locator('svg[data-chart=radar]')).toBeVisible()
  await card.getByRole('button', { name: 'Supprimer Santé' }).press('Enter')
  await expect(names).toHaveCount(2)
  await expect(names.first()).toBeFocused()
  await expect(card.locator('svg[data-chart=radar]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await expect(names.first()).toHaveValue('Santé')
  await expect(card.getByText('1 question, de 1 à 5 points')).toBeVisible()
  await expect(page.getByText('Rétabli : dimension « Santé »')).toBeAttached()
  await expectSaved(page)

  // In the options of the question: another dimension, then a new one.
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: /^Options – Question 1/ }).click()
  const options = page.getByRole('group', { name: 'Options – Question 1' })
  const select = options.getByLabel('Dimension', { exact: true })
  await expect(select.locator('option:checked')).toHaveText('Santé')
  await select.selectOption('Nouvelle dimension…')
  const name = options.getByLabel('Nom de la nouvelle dimension')
  await expect(name).toBeFocused()
  await name.fill('Argent')
  await name.press('Enter')
  await expect(select).toBeFocused()
  await expect(select.locator('option:checked')).toHaveText('Argent')
  // The bar at the top covers a button, which axe takes for a small target.
  await page
    .getByRole('heading', { name: 'Page 1' })
    .evaluate((title) => title.scrollIntoView({ block: 'center' }))
  await expectAccessible(page)
  await expectSaved(page)

  // Publishing names the dimensions without questions and leads to them.
  await page
    .getByRole('button', { name: /\d points? / })
    .first()
    .click()
  await page.getByRole('button', { name: /^La dimension .*Santé.* n’a aucune question/ }).click()
  await expect(card.getByText('Aucune question', { exact: true }).first()).toBeFocused()
  const stored = await client.drafts.get({ id })
  expect(stored.dimensions.map((one) => [one.name, one.tiers.length])).toEqual([
    ['Santé', 3],
    ['Amis', 0],
    ['Travail', 0],
    ['Argent', 0],
  ])
  expect(stored.quiz.dimension_chart).toBe('radar')
})

test.describe('on a phone', () => {
  test.use(TOUCH)
  test('the dimensions fit a phone, and a quiz by profiles says why it has none @phone', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { client } = creator
    const { id } = await readyScoreQuiz(client)
    await page.goto(`/quiz/${id}/results`)
    const card = page.getByRole('region', { name: 'Dimensions', exact: true })
    for (const name of ['Santé', 'Vie professionnelle et équilibre des temps', 'Amis']) {
      // Enter, because two taps within 400 ms are a double tap.
      await card.getByLabel('Nouvelle dimension').fill(name)
      await card.getByLabel('Nouvelle dimension').press('Enter')
    }
    await card.locator('summary', { hasText: 'Paliers – Santé' }).tap()
    await card.getByRole('button', { name: 'Répartir les paliers – Santé' }).tap()
    await card.getByRole('radio', { name: 'Radar' }).check()
    // In the board, the select of a question is as wide as the board.
    const board = card.getByRole('table', {
      name: 'Dimension et points possibles de chaque question',
    })
    const row = board.getByRole('row', { name: /^Question 1 – Votre agenda/ })
    const select = row.getByLabel('Dimension – Question 1 – Votre agenda ?')
    await select.selectOption('Vie professionnelle et équilibre des temps')
    expect(await measureOverflow(page)).toBe(0)
    expect(await findSmallTargets(card)).toEqual([])
    await expectAccessible(page)
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 640 })
      expect(await measureOverflow(page)).toBe(0)
      const widths = [select, board].map(async (one) => (await one.boundingBox())?.width)
      const [own, all] = await Promise.all(widths)
      expect(own).toBe(all)
    }
    await expectSaved(page)

    const profils = await readyProfilsQuiz(client, 'Quelle boutique ?')
    await page.goto(`/quiz/${profils.id}/results`)
    await expect(card).toContainText('Ce quiz calcule ses résultats par profils.')
    await expect(card.getByLabel('Nouvelle dimension')).toHaveCount(0)
  })
})
