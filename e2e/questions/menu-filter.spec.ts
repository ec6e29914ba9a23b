import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Ajouter un élément' })
const entries = (page: Page): Locator => menu(page).getByRole('menuitem')
const said = (page: Page, text: string): Locator => page.getByRole('status').getByText(text)
const answersOf = (page: Page, number: number): Locator =>
  page.getByRole('list', { name: `Réponses de la question ${number}` }).getByRole('textbox')
const kindOf = (page: Page, number: number): Locator =>
  page.locator('[data-item]').filter({ has: question(page, number) })

/** Returns true if two boxes overlap. */
const covers = async (above: Locator, below: Locator): Promise<boolean> => {
  const [first, second] = [await above.boundingBox(), await below.boundingBox()]
  if (!first || !second) return false
  return (
    first.x < second.x + second.width &&
    second.x < first.x + first.width &&
    first.y < second.y + second.height &&
    second.y < first.y + first.height
  )
}

test('letters filter the menu that adds an item in windows of all widths', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const { keyboard } = page
  const plus = page.getByRole('button', { name: 'Ajouter un élément' })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await plus.press('Enter')
    await expect(entries(page)).toHaveCount(13)
    await keyboard.type('ech')
    await expect(entries(page)).toHaveText(['Échelle'])
    await expect(entries(page)).toBeFocused()
    await expect(said(page, '1 choix')).toBeAttached()

    await keyboard.type('zz')
    await expect(entries(page)).toHaveText(['Rien ne correspond à « echzz »'])
    await expect(entries(page)).toBeDisabled()
    await expect(menu(page).getByText('Rien ne correspond à « echzz »')).toBeVisible()
    await expect(said(page, 'Rien ne correspond à « echzz »')).toBeAttached()
    // Other controls are behind the menu on a small screen.
    if (width === 1440) await expectAccessible(page)
    await keyboard.press('Enter')
    await expect(menu(page)).toBeVisible()
    await expect(menu(page)).toBeFocused()
    for (let count = 0; count < 5; count++) await keyboard.press('Backspace')
    await expect(entries(page)).toHaveCount(13)
    if (width === 1440) {
      // The longer menu moves one frame later.
      await expect.poll(() => covers(menu(page), plus)).toBe(false)
      await expectAccessible(page)
    }
    await keyboard.press('ArrowDown')
    await expect(entries(page).nth(1)).toBeFocused()

    await keyboard.type('texte l')
    await expect(entries(page)).toHaveText(['Texte long'])
    await keyboard.press('Enter')
    await expect(question(page, 3)).toBeFocused()
    await expect(question(page, 3)).toBeInViewport({ ratio: 1 })
    await expect(kindOf(page, 3)).toContainText('Texte long')
    await keyboard.press('Control+z')
    await expect(question(page, 3)).toHaveCount(0)

    await plus.press('Enter')
    await keyboard.type('date')
    await keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await expect(plus).toBeFocused()
    await keyboard.press('Enter')
    await expect(entries(page)).toHaveCount(13)
    // Replaces the announcement of this width, so that it does not count for the next one.
    await keyboard.type('zz')
    await expect(said(page, '1 choix')).toHaveCount(0)
    await keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
  }
})

test('a slash in an empty answer is replaced by the item, in one step that can be undone', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const { keyboard } = page
  await answersOf(page, 1).last().press('Enter')
  await expect(answersOf(page, 1)).toHaveCount(3)
  await expect(answersOf(page, 1).last()).toBeFocused()

  await keyboard.type('/foo')
  await expect(menu(page).getByText('Rien ne correspond à « foo »')).toBeVisible()
  await keyboard.press('Escape')
  await expect(answersOf(page, 1).last()).toBeFocused()
  await expect(answersOf(page, 1).last()).toHaveValue('')
  await keyboard.press('/')
  await expect(menu(page)).toBeVisible()
  await keyboard.press('Backspace')
  await expect(menu(page)).toHaveCount(0)
  await expect(answersOf(page, 1).last()).toBeFocused()

  await keyboard.type('/texte l')
  await keyboard.press('Enter')
  await expect(question(page, 2)).toBeFocused()
  await expect(kindOf(page, 2)).toContainText('Texte long')
  await expect(answersOf(page, 1)).toHaveCount(2)
  await keyboard.press('Control+z')
  await expect(question(page, 3)).toHaveCount(0)
  await expect(answersOf(page, 1)).toHaveCount(3)
  for (const value of ['Rempli', 'Libre', ''])
    await expect(answersOf(page, 1).nth(['Rempli', 'Libre', ''].indexOf(value))).toHaveValue(value)
  await keyboard.press('Control+y')
  await expect(kindOf(page, 2)).toContainText('Texte long')
  await expect(answersOf(page, 1)).toHaveCount(2)
})

test('letters typed after a slash while the menu loads filter it and do not enter the field', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/menu-list-*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/quiz/${id}/questions`)
  await question(page, 1).fill('')
  await page.keyboard.type('/ech')
  release()
  await expect(entries(page)).toHaveText(['Échelle'])
  await page.keyboard.press('Escape')
  await expect(question(page, 1)).toBeFocused()
  await expect(question(page, 1)).toHaveValue('')
})
