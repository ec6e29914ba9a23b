import type { Locator, Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addMultipleChoice, question } from '../support/editor-steps.ts'
import { type Account, expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

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

const waitTwoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )

test('the field that chooses the mode does not move at the top or in the middle of a screen of any size', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await openQuizWithoutMode(page, creator)
  await question(page, 1).focus()
  await addMultipleChoice(page, 2, {
    text: 'Et ensuite ?',
    answers: ['Oui', 'Non', 'Peut-être'],
  })
  /** Chooses the mode by a score or a box of an answer, expects that it does not move, and undoes the choice. */
  const expectNoMovement = async (answer: string, block: 'nearest' | 'center'): Promise<void> => {
    const score = page.getByLabel(`Score – ${answer}`)
    const box = page
      .getByRole('group', { name: `Résultats associés à ${answer}` })
      .getByRole('checkbox', { name: 'Grand saut' })
    for (const [target, act] of [
      [score, () => page.keyboard.type('3')],
      [box, () => page.keyboard.press('Space')],
    ] as const) {
      await page.evaluate(() => scrollTo(0, 0))
      await target.evaluate((field, at) => field.scrollIntoView({ block: at }), block)
      await target.evaluate((field) => field.focus({ preventScroll: true }))
      const before = await measurePaintedTop(target)
      await act()
      await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toHaveCount(0)
      await expect(target).toBeFocused()
      await waitTwoFrames(page)
      expect(Math.abs((await measurePaintedTop(target)) - before)).toBeLessThanOrEqual(1)
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
    }
  }
  for (const [width, height] of [
    [1440, 700],
    [390, 844],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height })
    await step(`at the top of a screen of ${width} × ${height}`, () =>
      expectNoMovement('Libre', 'nearest'),
    )
    await step(`in the middle of a screen of ${width} × ${height}`, () =>
      expectNoMovement('Non', 'center'),
    )
  }
})

test('space above or below keeps a field in its place until the next scroll if scrolling alone cannot', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 1440, height: 700 })
  await openQuizWithoutMode(page, creator)
  await addTwelveChoices(page)

  await step('space below keeps a field at the end of the page in place', async () => {
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

  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
  await step('space above keeps a field on a high screen in place', async () => {
    await page.setViewportSize({ width: 1440, height: 2400 })
    const score = page.getByLabel('Score – Choix 12')
    await score.focus()
    const room = () =>
      page.locator('#pages').evaluate(({ style }) => Number.parseFloat(style.paddingTop) || 0)
    expect(await room()).toBe(0)
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
})

test('the space above disappears with the questions, and the next screen scrolls freely', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 1440, height: 2400 })
  await openQuizWithoutMode(page, creator)
  await page.getByLabel('Score – Libre').fill('3')
  await expect
    .poll(() => page.locator('#pages').evaluate(({ style }) => style.paddingTop))
    .not.toBe('')
  await page.getByRole('link', { name: 'Continuer vers les réglages' }).press('Enter')
  await expect(page.getByRole('tab', { name: 'Design' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 400 })
  for (const wanted of [200, 300]) {
    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), wanted)
    await waitTwoFrames(page)
    expect(await page.evaluate(() => scrollY)).toBe(wanted)
  }
})

/** Chooses the mode by a tick of each of two pills, expects that the pill stays under the pointer, and undoes the choice. */
const expectPillsUnderPointer = async (page: Page): Promise<void> => {
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
    await waitTwoFrames(page)
    expect(Math.abs((await measurePaintedTop(pill)) - before)).toBeLessThanOrEqual(1)
    const isUnderPointer = await pill.evaluate(
      (label, [left, top]) => label.contains(document.elementFromPoint(left ?? 0, top ?? 0)),
      [x, y],
    )
    expect(isUnderPointer).toBe(true)
    await page.getByRole('button', { name: 'Annuler la dernière modification' }).click()
    await expect(page.getByRole('heading', { name: 'Aucun mode choisi' })).toBeVisible()
  }
}

test('a tick that chooses the mode stays under the pointer, also if presses focus no box', {
  tag: '@rare',
}, async ({ page, creator }) => {
  await openQuizWithoutMode(page, creator)
  await addTwelveChoices(page)
  const lastAnswer = page.getByRole('textbox', { name: 'Réponse 12 de la question 3' })
  const sizes = [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]
  for (const size of sizes)
    await step(`in a window ${size.width} px wide`, async () => {
      await page.setViewportSize(size)
      await lastAnswer.focus()
      await expectPillsUnderPointer(page)
    })
  await page.evaluate(() => addEventListener('mousedown', (event) => event.preventDefault(), true))
  for (const size of sizes)
    await step(`in a window ${size.width} px wide, if presses focus no box`, async () => {
      await page.setViewportSize(size)
      await lastAnswer.focus()
      await lastAnswer.blur()
      await expectPillsUnderPointer(page)
    })
})
