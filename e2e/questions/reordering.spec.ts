import type { Page } from '@playwright/test'
import { readyScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { addItem, expectSaved, readPages, undoAll } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const [AGENDA, EMAIL] = ['Votre agenda ?', 'Où vous écrire ?']

test('a creator moves items with the keyboard, with French announcements, and Escape restores the previous order', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await addItem(page, 'Nouvelle page')
  const handle = page.getByRole('button', { name: 'Déplacer Question 1', exact: true })
  await handle.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(`« ${AGENDA} », position 1, page 2.`)).toBeAttached()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Déplacement annulé.')).toBeAttached()
  await expect.poll(() => readPages(page)).toEqual([[AGENDA], [EMAIL], []])
  // The handle takes no key before the item has moved back into its place and the focus has returned to the handle.
  await expect(page.locator('[data-dnd-dragging], [data-dnd-placeholder]')).toHaveCount(0)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await handle.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText(`« ${AGENDA} » saisie, position 1, page 1.`)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(`« ${AGENDA} », position 1, page 2.`)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(`« ${AGENDA} », position 2, page 2.`)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(`« ${AGENDA} », position 1, page 3.`)).toBeAttached()
  await page.keyboard.press('Space')
  await expect(page.getByText(`« ${AGENDA} » déposée, position 1, page 3.`)).toBeAttached()
  await expect.poll(() => readPages(page)).toEqual([[], [EMAIL], [AGENDA]])
  await expect(page.getByRole('button', { name: 'Déplacer Question 2', exact: true })).toBeFocused()
  await expectSaved(page)
  const { questions } = await creator.client.questions.unified({ id })
  expect(questions.map(({ text, page_number }) => [text, page_number])).toEqual([
    [EMAIL, 2],
    [AGENDA, 3],
  ])
})

/** Returns the distance in pixels between the dragged item and its drop position. */
const measureDropDistance = (): number => {
  const [item, place] = ['[data-dnd-dragging]', '[data-dnd-placeholder]'].map((selector) =>
    document.querySelector(selector)?.getBoundingClientRect(),
  )
  return Math.abs((item?.top ?? Number.NaN) - (place?.top ?? Number.NaN))
}

test('a keyboard step past an item taller than the screen keeps the moved item visible', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({
    body: { name: 'Hautes', type: 'sondage' },
  })
  const { id } = quiz
  const tall = Array.from({ length: 25 }, (_, index) => ({ text: `Réponse ${index + 1}` }))
  await creator.client.questions.saveDraft({
    id,
    body: {
      questions: [
        { text: 'A', type: 'email' },
        { text: 'B', type: 'multiple_choice', answers: tall, page_number: 2 },
        { text: 'C', type: 'email', page_number: 3 },
      ],
    },
  })
  await page.goto(`/quiz/${id}/questions`)
  const handle = page.getByRole('button', { name: 'Déplacer Question 1', exact: true })
  await handle.press('Space')
  await expect(page.getByText('« A » saisie, position 1, page 1.')).toBeAttached()
  const places = ['1, page 2', '2, page 2', '1, page 3']
  const goTo = async (key: 'ArrowDown' | 'ArrowUp', place: string): Promise<void> => {
    await page.keyboard.press(key)
    await expect(page.getByText(`« A », position ${place}.`)).toBeAttached()
    await expect(handle).toBeInViewport()
    await expect.poll(() => page.evaluate(measureDropDistance)).toBeLessThan(2)
  }
  for (const place of places) await goTo('ArrowDown', place)
  for (const place of places.toReversed().slice(1)) await goTo('ArrowUp', place)
  // Presses twice, on a computer that is too slow to render the first step before the second press.
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 8 })
  await page.keyboard.press('ArrowDown')
  await goTo('ArrowDown', '1, page 3')
  await page.keyboard.press('Space')
  await expect.poll(() => readPages(page)).toEqual([[], ['B'], ['A', 'C']])
  const moved = page.getByRole('button', { name: 'Déplacer Question 2', exact: true })
  await expect(moved).toBeFocused()
  await expect(moved).toBeInViewport()
})

test('two quick keyboard steps on a narrow screen leave the item over its place', {
  tag: '@dom',
}, async ({ page, creator }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Déplacer Question 1', exact: true }).press('Space')
  await expect(page.getByText(/saisie, position 1/)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(/position 2, page 2\./)).toBeAttached()
  await expect.poll(() => page.evaluate(measureDropDistance)).toBeLessThan(2)
})

test('an item that is dragged by keyboard stays over its place when the layout changes after the step', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Déplacer Question 1', exact: true }).press('Space')
  await expect(page.getByText(/saisie, position 1/)).toBeAttached()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText(/position 1, page 2\./)).toBeAttached()
  await expect.poll(() => page.evaluate(measureDropDistance)).toBeLessThan(2)
  await page.evaluate(async () => {
    await Promise.all(document.getAnimations().map(({ finished }) => finished))
    const [section] = document.querySelectorAll<HTMLElement>('section[aria-labelledby^="page-"]')
    if (section) section.style.paddingBottom = '150px'
  })
  await expect.poll(() => page.evaluate(measureDropDistance)).toBeLessThan(2)
  await page.keyboard.press('Space')
  await expect.poll(() => readPages(page)).toEqual([[], [AGENDA, EMAIL]])
})

test('a creator moves items to another page with the mouse', async ({ page, creator }) => {
  await page.setViewportSize({ width: 1440, height: 1600 })
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const handle = page.getByRole('button', { name: 'Déplacer Question 2', exact: true })
  // The page has its final layout when the handle can be pointed at.
  await handle.hover()
  const from = await handle.boundingBox()
  const to = await page
    .getByRole('button', { name: 'Déplacer Question 1', exact: true })
    .boundingBox()
  if (!from || !to) throw new Error('The handles are not on screen')
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(to.x + 5, from.y - 60, { steps: 8 })
  await page.mouse.move(to.x + 5, to.y + 5, { steps: 15 })
  await expect(page.getByText(`« ${EMAIL} », position 1, page 1.`)).toBeAttached()
  await page.mouse.up()
  await expect.poll(() => readPages(page)).toEqual([[EMAIL, AGENDA], []])
})

test.describe('moves on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 1600 } })

  test('an item that is dragged by its handle moves', { tag: '@rare' }, async ({
    page,
    creator,
  }) => {
    const { id } = await readyScoreQuiz(creator.client)
    await page.goto(`/quiz/${id}/questions`)
    const [from, to] = await Promise.all([
      page.getByRole('button', { name: 'Déplacer Question 2', exact: true }).boundingBox(),
      page.getByRole('button', { name: 'Déplacer Question 1', exact: true }).boundingBox(),
    ])
    if (!from || !to) throw new Error('The handles are not on screen')
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x + 8, y }],
      })
    await touch('touchStart', from.y + 8)
    await expect(page.getByText(`« ${EMAIL} » saisie, position 1, page 2.`)).toBeAttached()
    for (let step = 1; step <= 20; step++)
      await touch('touchMove', from.y + 8 + ((to.y - from.y) * step) / 20)
    await expect(page.getByText(`« ${EMAIL} », position 1, page 1.`)).toBeAttached()
    await touch('touchEnd')
    await expect.poll(() => readPages(page)).toEqual([[EMAIL, AGENDA], []])
  })
})

test('the menu offers every move that dragging offers', { tag: '@dom' }, async ({
  page,
  creator,
}) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const menu = async (title: string, entry: string): Promise<void> => {
    await page.getByRole('button', { name: `Actions – ${title}`, exact: true }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
  await menu('Question 2', 'Monter')
  expect(await readPages(page)).toEqual([[AGENDA, EMAIL], []])
  await menu('Question 1', 'Déplacer vers la page 2')
  expect(await readPages(page)).toEqual([[EMAIL], [AGENDA]])
  await menu('Question 2', 'Dupliquer')
  expect(await readPages(page)).toEqual([[EMAIL], [AGENDA, AGENDA]])
  await menu('Question 1', 'Supprimer')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Êtes-vous sûr de vouloir supprimer cette question ?')
  await dialog.getByRole('button', { name: 'Supprimer' }).click()
  expect(await readPages(page)).toEqual([[], [AGENDA, AGENDA]])
  await expect(page.getByRole('textbox', { name: 'Question 1', exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Supprimer la page 1' }).click()
  await expect(dialog).toContainText('Êtes-vous sûr de vouloir supprimer la page 1 ?')
  await dialog.getByRole('button', { name: 'Supprimer' }).click()
  expect(await readPages(page)).toEqual([[AGENDA, AGENDA]])
})

test('the last page cannot be deleted', { tag: ['@dom', '@rare'] }, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Vide', type: 'sondage' } })
  await page.goto(`/quiz/${quiz.id}/questions`)
  await page.getByRole('button', { name: 'Supprimer la page 1' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Vous ne pouvez pas supprimer la dernière page !')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByRole('heading', { name: 'Page 1' })).toBeVisible()
})

test('a creator moves results with the keyboard, and the new order is stored', {
  tag: ['@dom', '@rare'],
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('button', { name: 'Déplacer Pas à pas', exact: true }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('« Pas à pas », position 2 sur 2.')).toBeAttached()
  await page.keyboard.press('Space')
  await expectSaved(page)
  await expect
    .poll(async () => (await creator.client.results.list({ id })).results.map(({ name }) => name))
    .toEqual(['Grand saut', 'Pas à pas'])
})

/** Chooses an action in the menu of a page. */
const openPageMenu = async (page: Page, number: number, entry: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions – Page ${number}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

test('whole pages can be moved, duplicated and deleted in windows of all widths', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const expectAnnouncement = (text: string) =>
    expect(page.getByRole('status').getByText(text)).toBeAttached()
  for (const width of [1440, 390])
    await test.step(`in a window ${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 844 })
      await openPageMenu(page, 1, 'Descendre la page')
      await expect.poll(() => readPages(page)).toEqual([[EMAIL], [AGENDA]])
      await expect(page.getByRole('heading', { name: 'Page 2' })).toBeFocused()
      await expectAnnouncement('Page 1 déplacée : elle est la page 2')
      await openPageMenu(page, 2, 'Dupliquer la page')
      await expect.poll(() => readPages(page)).toEqual([[EMAIL], [AGENDA], [AGENDA]])
      await expect(page.getByRole('heading', { name: 'Page 3' })).toBeFocused()
      await expectAnnouncement('Page 2 dupliquée : la copie est la page 3')
      await openPageMenu(page, 1, 'Supprimer la page')
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText('Êtes-vous sûr de vouloir supprimer la page 1 ?')
      await dialog.getByRole('button', { name: 'Supprimer' }).click()
      await expect.poll(() => readPages(page)).toEqual([[AGENDA], [AGENDA]])
      await page.getByRole('button', { name: 'Annuler', exact: true }).click()
      await expect.poll(() => readPages(page)).toEqual([[EMAIL], [AGENDA], [AGENDA]])
      await openPageMenu(page, 3, 'Monter la page')
      await expectSaved(page)
      const { questions } = await creator.client.questions.unified({ id })
      expect(questions.map(({ text, page_number }) => [text, page_number])).toEqual([
        [EMAIL, 1],
        [AGENDA, 2],
        [AGENDA, 3],
      ])
      const [, copied, again] = questions
      expect(
        new Set([...(copied?.answers ?? []), ...(again?.answers ?? [])].map((a) => a.id)).size,
      ).toBe(4)
      expect(again?.answers.map(({ score }) => score)).toEqual([1, 5])
      await undoAll(page)
      await expect.poll(() => readPages(page)).toEqual([[AGENDA], [EMAIL]])
      await expect(page.getByRole('status').getByText('Page 1 déplacée')).toHaveCount(0)
    })
})
