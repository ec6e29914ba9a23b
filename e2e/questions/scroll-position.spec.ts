import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addMultipleChoice, question } from '../support/editor-steps.ts'
import { type Account, expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

/** The field that chooses the mode keeps its position on screen while fields around it appear and disappear. */

const openQuizWithoutMode = async (page: Page, { client }: Account): Promise<void> => {
  const { id } = await readyScoreQuiz(client)
  await client.quizzes.resetMode({ id })
  await page.goto(`/quiz/${id}/questions`)
}

const addTwelveChoices = (page: Page): Promise<void> =>
  addMultipleChoice(page, 3, {
    text: 'Et ensuite ?',
    answers: Array.from({ length: 12 }, (_, index) => `Choix ${index + 1}`),
  })

/** Returns the painted top of an element. Measuring between frames could show a movement that no frame paints. */
const measurePaintedTop = (target: Locator): Promise<number> =>
  target.evaluate(
    (element) =>
      new Promise<number>((painted) => {
        new IntersectionObserver(([entry], observer) => {
          observer.disconnect()
          painted(Math.round(entry?.boundingClientRect.top ?? Number.NaN))
        }).observe(element)
      }),
  )

for (const [width, height] of [
  [1440, 700],
  [390, 844],
  [320, 568],
] as const)
  for (const at of ['top', 'middle'] as const)
    test(`the field that chooses the mode does not move at the ${at} of a screen of ${width} × ${height}`, async ({
      page,
      creator,
    }) => {
      await page.setViewportSize({ width, height })
      await openQuizWithoutMode(page, creator)
      await question(page, 1).focus()
      await addMultipleChoice(page, 2, {
        text: 'Et ensuite ?',
        answers: ['Oui', 'Non', 'Peut-être'],
      })
      const of = at === 'top' ? 'Libre' : 'Non'
      const score = page.getByLabel(`Score – ${of}`)
      const box = page
        .getByRole('group', { name: `Résultats associés à ${of}` })
        .getByRole('checkbox', { name: 'Grand saut' })
      for (const [target, act] of [
        [score, () => page.keyboard.type('3')],
        [box, () => page.keyboard.press('Space')],
      ] as const) {
        await page.evaluate(() => scrollTo(0, 0))
        await target.evaluate(
          (field, block) => field.scrollIntoView({ block }),
          at === 'top' ? ('nearest' as const) : ('center' as const),
        )
        await target.evaluate((field) => field.focus({ preventScroll: true }))
        const before = await measurePaintedTop(target)
        await act()
        await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toHaveCount(0)
        await expect(target).toBeFocused()
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        expect(Math.abs((await measurePaintedTop(target)) - before)).toBeLessThanOrEqual(1)
        await page.getByRole('button', { name: 'Annuler', exact: true }).click()
        await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
      }
    })

test('space above keeps a field in its place until the next scroll if scrolling alone cannot', async ({
  page,
  creator,
}) => {
  await page.setViewportSize({ width: 1440, height: 2400 })
  await openQuizWithoutMode(page, creator)
  await addTwelveChoices(page)
  const score = page.getByLabel('Score – Choix 12')
  await score.focus()
  const room = () =>
    page.locator('#pages').evaluate(({ style }) => Number.parseFloat(style.paddingTop) || 0)
  const before = await measurePaintedTop(score)
  await page.keyboard.type('3')
  await expect(page.getByRole('heading', { name: 'Mode score' })).toBeVisible()
  await expect.poll(room).toBeGreaterThan(0)
  expect(Math.abs((await measurePaintedTop(score)) - before)).toBeLessThanOrEqual(1)

  await page.setViewportSize({ width: 1440, height: 500 })
  await page.mouse.move(700, 250)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 2_000)
      return room()
    })
    .toBe(0)
})

test('space below keeps a field at the end of the page in place until the next scroll', async ({
  page,
  creator,
}) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  await openQuizWithoutMode(page, creator)
  await addTwelveChoices(page)
  const score = page.getByLabel('Score – Choix 10')
  await score.evaluate((field) => {
    scrollTo(0, document.documentElement.scrollHeight)
    field.focus({ preventScroll: true })
  })
  const room = () => page.locator('#pages').evaluate(({ style }) => style.paddingBottom)
  await page.keyboard.type('3')
  await expect(page.getByRole('heading', { name: 'Mode score' })).toBeVisible()
  await expect.poll(room).not.toBe('')
  await page.mouse.move(700, 350)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -3_000)
      return room()
    })
    .toBe('')
})

test('the space above disappears with the questions, and the next screen scrolls freely', async ({
  page,
  creator,
}) => {
  await page.setViewportSize({ width: 1440, height: 2400 })
  await openQuizWithoutMode(page, creator)
  await page.getByLabel('Score – Libre').fill('3')
  await expect
    .poll(() => page.locator('#pages').evaluate(({ style }) => style.paddingTop))
    .not.toBe('')
  await page.getByRole('link', { name: 'Continuer vers les paramètres' }).press('Enter')
  await expect(page.getByRole('tab', { name: 'Design' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 400 })
  for (const wanted of [200, 300]) {
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), wanted)
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    expect(await page.evaluate(() => scrollY)).toBe(wanted)
  }
})

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  for (const focuses of [true, false])
    test(`a tick that chooses the mode stays under the pointer in a window of ${width} × ${height}${focuses ? '' : ' of a browser whose presses focus no box'}`, async ({
      page,
      creator,
    }) => {
      await page.setViewportSize({ width, height })
      await openQuizWithoutMode(page, creator)
      await addTwelveChoices(page)
      if (!focuses)
        await page.evaluate(() => {
          addEventListener('mousedown', (event) => event.preventDefault(), true)
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        })
      for (const pill of [
        page
          .getByRole('group', { name: 'Résultats associés à Choix 6' })
          .locator('label:has([type=checkbox])', { hasText: 'Grand saut' }),
        page.locator('label:has([title="Tout cocher pour Grand saut"])').last(),
      ]) {
        await pill.evaluate((label) => label.scrollIntoView({ block: 'center' }))
        const box = await pill.boundingBox()
        const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) - 8, (box?.y ?? 0) + 8]
        const before = await measurePaintedTop(pill)
        await page.mouse.click(x, y)
        await expect(page.getByRole('heading', { name: 'Mode profils' })).toBeVisible()
        await expect(pill.getByRole('checkbox')).toBeChecked()
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        expect(Math.abs((await measurePaintedTop(pill)) - before)).toBeLessThanOrEqual(1)
        const isUnderPointer = await pill.evaluate(
          (label, [left, top]) => label.contains(document.elementFromPoint(left ?? 0, top ?? 0)),
          [x, y],
        )
        expect(isUnderPointer).toBe(true)
        await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
        await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
      }
    })
