import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { cardMenu } from '../support/quiz-cards.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

/** Menus of the editor: their position on screen and their keyboard navigation. */

const menu = (page: Page, name: string): Locator => page.getByRole('menu', { name, exact: true })
const item = (page: Page, name: string): Locator =>
  page.getByRole('menuitem', { name, exact: true })

/** Returns by how many pixels an element extends beyond the window. */
const measureOutsideWindow = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    return Math.max(0, -left, -top, right - clientWidth, bottom - clientHeight)
  })

test('menus stay inside screens of all sizes', { tag: '@rare' }, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  for (let pages = 2; pages < 11; pages++) await addItem(page, 'Nouvelle page')
  const lastPage = page.getByRole('region', { name: 'Page 11' }).locator('[data-item]')
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
    [320, 568],
    // A phone in landscape orientation at a zoom of 200 %.
    [640, 320],
  ] as const)
    await step(`menus stay inside a screen of ${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      const last = page.getByRole('button', { name: 'Actions – Question 2', exact: true })
      await last.evaluate((button) => button.scrollIntoView({ block: 'end' }))
      await last.click()
      const actions = menu(page, 'Actions – Question 2')
      await expect(item(page, 'Monter')).toBeFocused()
      expect(await measureOutsideWindow(actions)).toBe(0)
      await item(page, 'Déplacer vers la page').click()
      const pages = menu(page, 'Déplacer vers la page')
      await expect(pages.getByRole('menuitem')).toHaveCount(10)
      expect(await measureOutsideWindow(pages)).toBe(0)
      await page.keyboard.press('End')
      await expect(item(page, 'Page 11')).toBeFocused()
      await expect(item(page, 'Page 11')).toBeInViewport({ ratio: 1 })
      // The audit needs a large screen, because menus cover the controls behind them on small screens.
      if (width === 1440) await expectAccessible(page)
      await item(page, 'Page 11').click()
      await expect(lastPage).toHaveCount(1)
      await page.getByRole('button', { name: 'Ajouter un élément' }).click()
      expect(await measureOutsideWindow(menu(page, 'Ajouter un élément'))).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
      await expect(lastPage).toHaveCount(0)
    })
})

test('the pages for an item are a submenu that opens with the keyboard', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await addItem(page, 'Nouvelle page')
  const opener = page.getByRole('button', { name: 'Actions – Question 1', exact: true })
  const pages = item(page, 'Déplacer vers la page')
  await opener.press('Enter')
  const isReached = () => pages.evaluate((entry) => entry === document.activeElement)
  while (!(await isReached())) await page.keyboard.press('ArrowUp')
  await expect(pages).toHaveAttribute('aria-expanded', 'false')

  await page.keyboard.press('ArrowRight')
  await expect(item(page, 'Page 2')).toBeFocused()
  await expect(pages).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowLeft')
  await expect(pages).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(item(page, 'Page 3')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(pages).toBeFocused()
  await expect(menu(page, 'Déplacer vers la page')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await expect(page.getByRole('menu')).toHaveCount(0)

  await opener.press('ArrowDown')
  await pages.press('ArrowRight')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(
    page.getByRole('button', { name: 'Supprimer Question 1', exact: true }),
  ).toBeFocused()

  await opener.press('Enter')
  await pages.press('ArrowRight')
  await item(page, 'Page 3').press('Enter')
  await expect(page.getByRole('region', { name: 'Page 3' }).locator('[data-item]')).toHaveCount(1)
  await expect(question(page, 2)).toHaveValue('Votre agenda ?')
})

test('a menu closes after a click outside it, and a menu between two items with the button that opened it', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Actions – Question 1', exact: true }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.getByRole('heading', { name: 'Page 1' }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)

  const adding = menu(page, 'Ajouter un élément')
  const line = page.getByRole('button', { name: 'Ajouter ici après Question 1' })
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await line.click()
  await expect(adding).toBeVisible()
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  // The menu is below the line between the items, so the line can be pressed again.
  await line.click()
  await expect(adding).toHaveCount(0)
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await expect(line).toBeFocused()
  await line.press('Enter')
  await expect(line).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(line).toHaveAttribute('aria-expanded', 'false')
  await expect(line).toBeFocused()

  await question(page, 1).fill('')
  await question(page, 1).press('/')
  await expect(adding).toBeVisible()
  await question(page, 1).click({ position: { x: 4, y: 4 } })
  await expect(adding).toHaveCount(0)
  await expect(question(page, 1)).toBeFocused()
  await page.keyboard.type('Et ensuite ?')
  await expect(question(page, 1)).toHaveValue('Et ensuite ?')
})

test('a menu whose code cannot be loaded says so, and opens when the code loads', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await readyScoreQuiz(creator.client, 'Quel rythme ?')
  const code = '**/assets/menu-list-*'
  await page.route(code, (route) => route.abort())
  await page.goto('/dashboard')
  const opener = cardMenu(page, 'Quel rythme ?')
  await opener.click()
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('Ce menu n’a pas pu être chargé.')
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(opener).toBeFocused()
  await page.unroute(code)
  await opener.click()
  await expect(item(page, 'Renommer')).toBeFocused()
})
