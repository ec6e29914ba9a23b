import type { Locator, Page } from '@playwright/test'
import { publishGridSondage } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { addItem, expectSaved, question } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { gridRows, listDraftRows, pressMenuItem } from '../support/grid-steps.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })
const { step } = test

/** Returns the texts of the rows of the first grid, in order. */
const rowTexts = (page: Page) => () =>
  gridRows(page).evaluateAll((fields) =>
    fields.map((field) => (field as HTMLTextAreaElement).value),
  )
const [PACE, PAPERS, ROOMS] = ['Le rythme convenait', 'Les supports étaient clairs', 'Les salles']

test('a creator drags the rows of a grid by keyboard and with the mouse, and each drag is one undo step', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const { id } = await publishGridSondage(client)
  await page.setViewportSize({ width: 1440, height: 1600 })
  await page.goto(`/quiz/${id}/questions`)
  const handle = (number: number): Locator =>
    page.getByRole('button', { name: `Déplacer Question ${number}`, exact: true })

  await step('Escape leaves a row in its place', async () => {
    await handle(3).press('Space')
    await expect(page.getByText(`« ${ROOMS} » saisie, position 3 sur 3.`)).toBeAttached()
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText(`« ${ROOMS} », position 2 sur 3.`)).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(page.getByText('Déplacement annulé.')).toBeAttached()
    await expect.poll(rowTexts(page)).toEqual([PACE, PAPERS, ROOMS])
    // A handle takes no key before the row has moved back into its place.
    await expect(page.locator('[data-dnd-dragging], [data-dnd-placeholder]')).toHaveCount(0)
    // The focus returns to the handle in the next frame, and would take the next key.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  })
  await step('a row moves by keyboard and does not leave its grid', async () => {
    await handle(2).press('Space')
    await expect(page.getByText(`« ${PAPERS} » saisie, position 2 sur 3.`)).toBeAttached()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(`« ${PAPERS} », position 3 sur 3.`)).toBeAttached()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await expect(page.getByText(`« ${PAPERS} » déposée, position 3 sur 3.`)).toBeAttached()
    await expect.poll(rowTexts(page)).toEqual([PACE, ROOMS, PAPERS])
    await expect(handle(3)).toBeFocused()
    await expectAccessible(page)
  })
  await step(
    'a new first row keeps the title of the grid, the focus and the announcement',
    async () => {
      await handle(3).press('Space')
      await expect(page.getByText(`« ${PAPERS} » saisie, position 3 sur 3.`)).toBeAttached()
      await page.keyboard.press('ArrowUp')
      await expect(page.getByText(`« ${PAPERS} », position 2 sur 3.`)).toBeAttached()
      await page.keyboard.press('ArrowUp')
      await expect(page.getByText(`« ${PAPERS} », position 1 sur 3.`)).toBeAttached()
      await page.keyboard.press('Space')
      await expect(page.getByText('Ligne déplacée : position 1 sur 3')).toBeAttached()
      await expect.poll(rowTexts(page)).toEqual([PAPERS, PACE, ROOMS])
      await expect(handle(1)).toBeFocused()
      await expect(page.getByLabel('Titre de la grille').first()).toHaveValue('Votre formation')
      await expectSaved(page)
      expect((await listDraftRows(client, id)()).slice(0, 3)).toEqual([
        `1 ${PAPERS} Votre formation`,
        `1 ${PACE} +`,
        `1 ${ROOMS} +`,
      ])
    },
  )
  await step('a row moves with the mouse, within its own grid only', async () => {
    await handle(3).hover()
    const from = await handle(3).boundingBox()
    const to = await handle(2).boundingBox()
    if (!from || !to) throw new Error('The handles are not on screen')
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(from.x + 5, from.y - 20, { steps: 8 })
    await page.mouse.move(to.x + 5, to.y - 5, { steps: 15 })
    await expect(page.getByText(`« ${ROOMS} », position 2 sur 3.`)).toBeAttached()
    await page.mouse.up()
    await expect.poll(rowTexts(page)).toEqual([PAPERS, ROOMS, PACE])
    await expectSaved(page)
    expect((await listDraftRows(client, id)())[3]).toBe('2 Je recommande Et après ?')
  })
  await step('each drag is one undo step', async () => {
    const undo = page.getByRole('button', { name: 'Annuler la dernière modification' })
    for (const order of [
      [PAPERS, PACE, ROOMS],
      [PACE, ROOMS, PAPERS],
      [PACE, PAPERS, ROOMS],
    ]) {
      await undo.click()
      await expect.poll(rowTexts(page)).toEqual(order)
    }
  })
  await step('the whole grid is still dragged by its own handle', async () => {
    const grid = page.getByRole('button', { name: 'Déplacer Grille, question 1', exact: true })
    await grid.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await expectSaved(page)
    await expect
      .poll(async () => (await listDraftRows(client, id)()).filter((one) => one.startsWith('1')))
      .toEqual([])
  })
})

test.describe('on a narrow phone', () => {
  test.use({ ...TOUCH, viewport: { width: 320, height: 640 } })

  test('a creator writes, moves and scores the rows of grids at 320 pixels', {
    tag: '@rare',
  }, async ({ page, creator: { client } }) => {
    const { id } = await publishGridSondage(client)
    await page.goto(`/quiz/${id}/questions`)
    await step('both grids fit, and every control of a row can be touched', async () => {
      await expect(gridRows(page)).toHaveCount(3)
      expect(await measureOverflow(page)).toBe(0)
      await expectAccessible(page)
      const first = page.getByRole('list', { name: 'Lignes de la grille' }).first()
      expect(await findSmallTargets(first)).toEqual([])
    })
    await step('a row is written, moved by its menu and added', async () => {
      await gridRows(page).nth(1).fill('Les supports étaient anticonstitutionnellement clairs')
      await pressMenuItem(page, 'Actions – Question 2', 'Monter')
      await expect(gridRows(page).first()).toHaveValue(/anticonstitutionnellement/)
      await page.getByRole('button', { name: 'Ajouter une ligne' }).first().click()
      await expect(gridRows(page)).toHaveCount(4)
      await page.keyboard.type('L’accueil')
      await expectSaved(page)
      expect(await measureOverflow(page)).toBe(0)
      await expectAccessible(page)
    })
    await step('the answers of all rows open without widening the page', async () => {
      await page.getByText('Réponses de toutes les lignes').first().click()
      await page.getByText('Réponses de la ligne 2').first().click()
      expect(await measureOverflow(page)).toBe(0)
      await expectAccessible(page)
    })
    await step('the dialog of a new grid fits', async () => {
      await question(page, 7).focus()
      await addItem(page, 'Grille')
      const dialog = page.getByRole('dialog', { name: 'Ajouter une grille' })
      await dialog.getByLabel('Choix unique').check()
      await dialog.getByLabel('Réponses, une par ligne').fill('Oui\nNon')
      await dialog.getByLabel('Questions, une par ligne').fill('Un\nDeux')
      expect(await measureOverflow(page)).toBe(0)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Ajouter la grille' }).click()
      await expect(page.getByRole('textbox', { name: /ligne \d sur 2/ })).toHaveCount(4)
      await expectSaved(page)
      expect(await measureOverflow(page)).toBe(0)
      await expectAccessible(page)
    })
  })
})
