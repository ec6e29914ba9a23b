import type { Locator, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishGridSondage } from '../../src/server/testing/quizzes/grid-sondage.ts'
import { expect, expectAccessible, visitorTest as test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow, TOUCH } from '../support/layout-checks.ts'

const ROWS = ['Le rythme convenait', 'Les supports étaient clairs', 'Les salles']
const row = (page: Page, text: string): Locator => page.getByRole('radiogroup', { name: text })
const choose = (page: Page, text: string, answer: string): Promise<void> =>
  row(page, text).getByRole('radio', { name: answer }).check()
const header = (page: Page, text: string): Locator =>
  page.getByRole('columnheader', { name: text, exact: true })
const isDrawn = (locator: Locator): Promise<boolean> =>
  locator.evaluate(
    (element) => getComputedStyle(element.closest('thead') ?? element).clipPath === 'none',
  )

const expectStored = (client: Client, id: string, answers: string[]): Promise<void> =>
  expect
    .poll(async () => {
      const { details } = await client.statistics.responses({ id })
      return details[0]?.answers.map(({ answer_text }) => answer_text)
    })
    .toEqual(answers)

test('on a phone, each row of a grid is a block with its own answers, and a missing row is named', async ({
  creator,
  visitor,
}) => {
  const { id } = await publishGridSondage(creator.client)
  await visitor.goto(`/q/${id}`)
  const [first = '', second = '', third = ''] = ROWS
  await test.step('rows have no horizontal scroll at 390 and 320 px, and large targets', async () => {
    for (const width of [390, 320]) {
      await visitor.setViewportSize({ width, height: 700 })
      expect(await measureOverflow(visitor)).toBe(0)
      expect(await findSmallTargets(visitor.locator('.q-table'))).toEqual([])
      expect(await isDrawn(header(visitor, '1'))).toBe(false)
    }
    await expect(row(visitor, first)).toHaveAccessibleDescription('1 : Pas du tout 5 : Tout à fait')
    await expectAccessible(visitor)
  })
  await test.step('« Suivant » leads to the first row without an answer', async () => {
    await choose(visitor, first, '4')
    await visitor.getByRole('button', { name: 'Suivant' }).press('Enter')
    await expect(row(visitor, second).getByRole('radio', { name: '1' })).toBeFocused()
    await expect(
      visitor.getByRole('button', { name: `Répondre à : ${second}` }).last(),
    ).toBeVisible()
    await expect(row(visitor, second)).toHaveAttribute('aria-required', 'true')
    await choose(visitor, second, '5')
  })
  await test.step('an optional row can be answered and cleared', async () => {
    await choose(visitor, third, '2')
    await row(visitor, third).getByRole('button', { name: 'Effacer ma réponse' }).click()
    await expect(row(visitor, third).getByRole('radio', { checked: true })).toHaveCount(0)
    await visitor.getByRole('button', { name: 'Suivant' }).press('Enter')
  })
  await test.step('a grid of choices shows its answers in each row', async () => {
    await expect(row(visitor, 'Je recommande')).toBeVisible()
    expect(await measureOverflow(visitor)).toBe(0)
    await choose(visitor, 'Je recommande', 'Oui')
    await choose(visitor, 'Je reviendrai', 'Plutôt')
    await visitor.getByLabel('Un mot ?').fill('Merci')
    await visitor.getByRole('button', { name: 'Envoyer' }).click()
    await expectStored(creator.client, id, ['4', '5', '', 'Oui', 'Plutôt', 'Merci'])
  })
})

test('on a wide screen a grid is a table, which the keyboard fills in row by row and which prints', {
  tag: '@rare',
}, async ({ creator, page }) => {
  const { id } = await publishGridSondage(creator.client)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/q/${id}`)
  await expect(page.getByRole('table', { name: 'Votre formation' })).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveCount(3)
  expect(await isDrawn(header(page, '5'))).toBe(true)
  const cell = await row(page, ROWS[0] ?? '')
    .locator('label')
    .first()
    .boundingBox()
  const column = await header(page, '1').boundingBox()
  expect(Math.abs((cell?.x ?? 0) - (column?.x ?? 9))).toBeLessThan(2)
  await expectAccessible(page)

  await test.step('arrow keys move in a row, and Tab goes to the next row', async () => {
    await row(page, ROWS[0] ?? '')
      .getByRole('radio', { name: '1' })
      .focus()
    for (const key of ['ArrowRight', 'ArrowRight', 'Tab', 'ArrowLeft'])
      await page.keyboard.press(key)
    await expect(row(page, ROWS[0] ?? '').getByRole('radio', { name: '3' })).toBeChecked()
    await expect(row(page, ROWS[1] ?? '').getByRole('radio', { name: '5' })).toBeChecked()
    await page.keyboard.press('Enter')
    await expect(row(page, ROWS[2] ?? '').getByRole('radio', { name: '1' })).toBeFocused()
  })
  await test.step('print shows the table', async () => {
    await page.emulateMedia({ media: 'print' })
    expect(await isDrawn(header(page, '5'))).toBe(true)
    await expect(page.getByRole('table', { name: 'Votre formation' })).toBeVisible()
  })
})

test('without scripts, a grid is filled in and stored at 320 px', { tag: '@rare' }, async ({
  creator,
  browser,
}) => {
  const { id } = await publishGridSondage(creator.client)
  const context = await browser.newContext({
    ...TOUCH,
    viewport: { width: 320, height: 700 },
    javaScriptEnabled: false,
  })
  const plain = await context.newPage()
  await plain.goto(`/q/${id}`)
  await choose(plain, ROWS[0] ?? '', '2')
  await choose(plain, ROWS[1] ?? '', '3')
  await plain.getByRole('button', { name: 'Suivant' }).click()
  await choose(plain, 'Je recommande', 'Non')
  await choose(plain, 'Je reviendrai', 'Oui')
  await plain.getByRole('button', { name: 'Précédent' }).click()
  await expect(row(plain, ROWS[1] ?? '').getByRole('radio', { name: '3' })).toBeChecked()
  await plain.getByRole('button', { name: 'Suivant' }).click()
  await expect(row(plain, 'Je recommande').getByRole('radio', { name: 'Non' })).toBeChecked()
  await plain.getByLabel('Un mot ?').fill('Merci')
  await plain.getByRole('button', { name: 'Envoyer' }).click()
  await expectStored(creator.client, id, ['2', '3', '', 'Non', 'Oui', 'Merci'])
  await context.close()
})
