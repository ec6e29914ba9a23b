import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, question, readPages, undoAll } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })

const [AGENDA, EMAIL] = ['Votre agenda ?', 'Où vous écrire ?']

test('an empty page has a button for each item type in windows of all widths', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({
    body: { name: 'Vide', type: 'sondage' },
  })
  await page.goto(`/quiz/${quiz.id}/questions`)
  const chips = page.getByRole('group', { name: 'Ajouter à la page 1' })
  const announcement = page.getByRole('status').getByText('Question 1 ajoutée : position 1, page 2')
  for (const width of [1440, 320])
    await test.step(`in a window ${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 844 })
      await expect(page.getByText('Glissez un élément ici')).toBeVisible()
      await expect(chips.getByRole('button')).toHaveText([
        ...['Choix multiple', 'Texte court', 'Texte long', 'Email', 'Téléphone', 'Nombre'],
        ...['Échelle', 'Date'],
        ...['Bloc de texte', 'Grille', 'Coordonnées'],
      ])
      await expectAccessible(page)
      await addItem(page, 'Nouvelle page')
      await page
        .getByRole('group', { name: 'Ajouter à la page 2' })
        .getByRole('button', { name: 'Téléphone' })
        .click()
      await expect(question(page, 1)).toBeFocused()
      await expect(announcement).toBeAttached()
      await chips.getByRole('button', { name: 'Bloc de texte' }).click()
      await expect(page.getByRole('textbox', { name: 'Bloc de texte 1' })).toBeFocused()
      await page.keyboard.type('Bonjour')
      await expectSaved(page)
      const { questions, text_blocks } = await creator.client.questions.unified({ id: quiz.id })
      expect(text_blocks.map(({ page_number }) => page_number)).toEqual([1])
      expect(questions.map(({ type, page_number }) => [type, page_number])).toEqual([['phone', 2]])
      await undoAll(page)
      await expect(announcement).toHaveCount(0)
    })
})

test('« Ajouter ici » splits its page at « Nouvelle page », and an empty page offers grids and contact questions', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Ajouter ici' }).first().click()
  await menuItem(page, 'Nouvelle page').click()
  await expect(page.getByRole('heading', { level: 2, name: 'Page 2' })).toBeFocused()
  await expect(page.getByText('Page 2 ajoutée')).toBeAttached()
  expect((await readPages(page)).length).toBe(3)
  await expectSaved(page)
  const { questions } = await creator.client.questions.unified({ id })
  expect(questions.map(({ page_number }) => page_number)).toEqual([1, 3])
  const chips = page.getByRole('group', { name: 'Ajouter à la page 2' })
  await chips.getByRole('button', { name: 'Grille' }).click()
  await expect(page.getByRole('dialog', { name: 'Ajouter une grille' })).toBeVisible()
  await page.keyboard.press('Escape')
  await chips.getByRole('button', { name: 'Coordonnées' }).click()
  await expectSaved(page)
  const after = await creator.client.questions.unified({ id })
  expect(after.questions.map(({ page_number }) => page_number)).toEqual([1, 2, 3])
})

test('a creator who types « rgpd » in the menu finds the consent, also without a tool', async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Ajouter un élément' }).click()
  await expect(menuItem(page, 'Consentement (RGPD)')).toBeVisible()
  await page.keyboard.type('rgpd')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\?onglet=integrations/)
  const prepare = page.getByRole('button', { name: 'Préparer la case à cocher' })
  await expect(prepare).toBeFocused()
  await expectAccessible(page)
  await prepare.press('Enter')
  await expect(page.getByLabel('Texte de la case')).toBeFocused()
  await expect(page.getByText('La case apparaît sous la question email')).toBeVisible()
})

test('the add button inserts after the lowest visible item, and not after the last edited item', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  for (let count = 0; count < 4; count++) await addItem(page, 'Choix multiple')
  await question(page, 6).fill('La dernière')
  await question(page, 1).evaluate((field) => field.scrollIntoView({ block: 'end' }))
  await expect(question(page, 6)).not.toBeInViewport()
  const lowest = await page.locator('[data-item]').evaluateAll((items) =>
    items.findLastIndex((item) => {
      const { top, bottom } = item.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    }),
  )
  expect(lowest).toBeLessThan(5)
  await addItem(page, 'Nombre')
  // Questions are numbered from 1, and the new question follows the lowest visible item.
  await expect(question(page, lowest + 2)).toBeFocused()
  await expect(question(page, 7)).toHaveValue('La dernière')
})

test('a slash on an empty line opens the menu there, also in an answer and in a text block', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const answer = page.getByRole('textbox', { name: 'Réponse 1 de la question 1' })
  await answer.press('/')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(answer).toHaveValue(/\//)
  await answer.fill('')
  await answer.press('/')
  const menu = page.getByRole('menu', { name: 'Ajouter un élément' })
  await expect(menu).toBeVisible()
  const [field, list] = await Promise.all([answer.boundingBox(), menu.boundingBox()])
  expect(Math.abs((field?.x ?? 0) - (list?.x ?? 0))).toBeLessThan(2)
  await page.keyboard.press('Escape')
  await expect(answer).toBeFocused()
  await expect(answer).toHaveValue('')
  await answer.press('/')
  await menuItem(page, 'Bloc de texte').press('Enter')
  const block = page.getByRole('textbox', { name: 'Bloc de texte 1' })
  await expect(block).toBeFocused()
  await block.press('/')
  await menuItem(page, 'Texte long').click()
  await expect(question(page, 2)).toBeFocused()
  expect(await readPages(page)).toEqual([[AGENDA, '', ''], [EMAIL]])
  await block.fill('Bonjour')
  await block.press('End')
  await block.press('/')
  await expect(block).toHaveValue('Bonjour/')
  await block.press('Enter')
  await block.press('/')
  await expect(menu).toBeVisible()
})

test('Enter in the last score moves to the next question of the page, or adds one', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByLabel('Score – Libre').press('Enter')
  await expect(question(page, 2)).toBeFocused()
  await expect(question(page, 2)).toHaveValue('')
  await page.keyboard.type('Et après ?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Réponse 1 de la question 2' })).toBeFocused()
  await page.getByLabel('Score – Libre').press('Enter')
  await expect(question(page, 2)).toBeFocused()
  expect(await readPages(page)).toEqual([[AGENDA, 'Et après ?'], [EMAIL]])
})

test('at the end of the screen the add button covers no control', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  for (const width of [1440, 390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    const end = page.getByRole('link', { name: 'Continuer vers les réglages' })
    await expect(end).toBeVisible()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const covered = await page
      .getByRole('button', { name: 'Ajouter un élément' })
      .evaluate((plus) => {
        const { left, right, top, bottom } = plus.getBoundingClientRect()
        return [...document.querySelectorAll('main :is(a, button, input, textarea)')]
          .filter((control) => control !== plus)
          .map((control) => control.getBoundingClientRect())
          .filter((box) => box.width > 0 && box.right > left && box.left < right)
          .some((box) => box.bottom > top && box.top < bottom)
      })
    expect(covered, `${width} px wide`).toBe(false)
  }
})

test.describe('the lines between items on a touch screen', () => {
  test.use(TOUCH)

  test('every line between items is visible, covers nothing and adds an item at its place', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { id } = await readyScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/questions`)
    const line = page.getByRole('button', { name: 'Ajouter ici après Question 1' })
    await expect(line).toHaveCSS('opacity', '1')
    const between = await line.evaluate((button) => {
      const card = button.previousElementSibling?.getBoundingClientRect()
      return button.getBoundingClientRect().top - (card?.bottom ?? Number.NaN)
    })
    expect(between).toBeGreaterThanOrEqual(0)
    await line.tap()
    await menuItem(page, 'Nombre').tap()
    await expect(question(page, 2)).toBeFocused()
    expect(await readPages(page)).toEqual([[AGENDA, ''], [EMAIL]])
    expect(await findSmallTargets(page.locator('#pages'))).toEqual([])
  })
})
