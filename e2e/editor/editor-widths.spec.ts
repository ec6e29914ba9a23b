import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'
import { TOUCH } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

type Box = { x: number; y: number; width: number; height: number }
const areApart = (one: Box, two: Box): boolean =>
  one.x + one.width <= two.x ||
  two.x + two.width <= one.x ||
  one.y + one.height <= two.y ||
  two.y + two.height <= one.y

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
  { width: 320, height: 640 },
]

test('at any width the header is one line of at most 64 px, nothing is cut off, and one click leads to the statistics', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  // The header has most elements when there is a point to fix.
  await page.getByLabel('Score – Libre').fill('')
  await page.getByRole('button', { name: 'Supprimer Question 2' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await question(page, 1).fill('')
  await expectSaved(page)
  const header = page.locator('header').filter({ has: page.getByLabel('Nom du quiz') })
  const statistics = header.getByRole('link', { name: 'Statistiques' })
  for (const { width, height } of SIZES)
    await test.step(`${width}`, async () => {
      await page.setViewportSize({ width, height })
      await expect(page.getByRole('button', { name: 'Publier', exact: true })).toBeInViewport({
        ratio: 1,
      })
      await expect(statistics).toBeInViewport({ ratio: 1 })
      await expect.poll(async () => (await header.boundingBox())?.height).toBeLessThanOrEqual(64)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    })
  await statistics.press('Enter')
  await expect(page).toHaveURL(`/quiz/${id}/statistics`)
  await page.goBack()
  await expect(page).toHaveURL(`/quiz/${id}/questions`)
})

test('on a screen with a bar at the bottom, the last control of the page is visible above the bar', {
  tag: '@dom',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  const last = page.getByRole('link', { name: 'Continuer vers les réglages' })
  for (const { width, height } of SIZES.filter((size) => size.width < 1024)) {
    await page.setViewportSize({ width, height })
    await last.scrollIntoViewIfNeeded()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const bar = page.locator('.editor-bar')
    const [bottom, top] = await Promise.all([
      last.evaluate((element) => element.getBoundingClientRect().bottom),
      bar.evaluate((element) => element.getBoundingClientRect().top),
    ])
    expect(bottom, `${width}`).toBeLessThanOrEqual(top)
  }
})

/** Describes the focused control if less than its whole height is visible between the header and the bar. */
const findCoveredFocus = (page: Page): Promise<{ name: string; fault: string | null }> =>
  page.evaluate(() => {
    const focused = document.activeElement ?? document.body
    const name = focused.getAttribute('aria-label') ?? focused.id
    if (focused.closest('header, nav')) return { name, fault: null }
    const { top, bottom } = focused.getBoundingClientRect()
    const bar = document.querySelector('.editor-bar')?.getBoundingClientRect().top ?? 0
    const header = document.querySelector('main header')?.getBoundingClientRect().bottom ?? 0
    const isVisible = top >= header && bottom <= bar
    return { name, fault: isVisible ? null : `${top}–${bottom} outside ${header}–${bar}` }
  })

test.describe('the bar of a phone', () => {
  test.use(TOUCH)

  test('the bar and the button that adds items cover neither a focused control nor each other', {
    tag: '@rare',
  }, async ({ page, creator: { client } }) => {
    const { id } = await publishedScoreQuiz(client, 'Quel rythme ?')
    for (let number = 1; number <= 3; number++)
      await client.questions.create({
        id,
        body: {
          type: 'multiple_choice',
          text: `Choix ${number}`,
          answers: [{ id: randomUUID(), text: 'Sans score' }],
        },
      })
    await page.goto(`/quiz/${id}/questions`)
    for (const width of [390, 320])
      await test.step(`${width}`, async () => {
        await page.setViewportSize({ width, height: 640 })
        await expect(page.getByText('Modifications non publiées')).toBeInViewport({ ratio: 1 })
        await expect(page.getByRole('button', { name: 'Voir les 3 points' })).toBeInViewport()
        await question(page, 1).focus()
        const names = new Set<string>()
        const last = page.getByRole('link', { name: 'Continuer vers les réglages' })
        while (!(await last.evaluate((link) => link === document.activeElement))) {
          await page.keyboard.press('Tab')
          const { name, fault } = await findCoveredFocus(page)
          expect(fault, name).toBeNull()
          names.add(name)
        }
        expect([...names].join()).toContain('Supprimer la réponse 1 de la question 4')
        const plus = await page.getByRole('button', { name: 'Ajouter un élément' }).boundingBox()
        for (const control of await page.locator('.editor-bar :is(button, a, p)').all()) {
          const box = await control.boundingBox()
          if (plus && box) expect(areApart(plus, box)).toBe(true)
        }
      })
  })
})

test('a pressed button receives its click although the question shows its errors at the same moment', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  await page.goto(`/quiz/${id}/questions`)
  await page.getByRole('button', { name: 'Ajouter une réponse' }).click()
  await page.getByRole('textbox', { name: 'Réponse 3 de la question 1' }).fill('Ça dépend')
  const link = page.getByRole('link', { name: 'Continuer vers les réglages' })
  await link.scrollIntoViewIfNeeded()
  const box = await link.boundingBox()
  if (!box) throw new Error('The link is not on screen')
  // The pointer is at the top edge, because an appearing line would move it away.
  await page.mouse.move(box.x + box.width / 2, box.y + 4)
  await page.mouse.down()
  await expect(question(page, 1)).not.toBeFocused()
  await page.mouse.up()
  await expect(page).toHaveURL(/\/settings$/)
})

test('a new questionnaire has a header of one line too', { tag: '@rare' }, async ({
  page,
  creator,
}) => {
  const { quiz } = await creator.client.quizzes.create({
    body: { name: 'Nouveau Quiz', type: 'quiz' },
  })
  await page.goto(`/quiz/${quiz.id}/results`)
  await expect(page.getByText('Ce que l’on découvre à la fin')).toBeVisible()
  await expect(page.getByText('Créez au moins 2 résultats (0/2)')).toBeVisible()
  const header = page.locator('header').filter({ has: page.getByLabel('Nom du quiz') })
  expect((await header.boundingBox())?.height).toBeLessThanOrEqual(64)
})
