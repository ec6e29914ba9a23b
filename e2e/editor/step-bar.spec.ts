import type { Locator, Page } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved } from '../support/editor-steps.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'

test.use({ creatorIs: 'signed in' })

const { step } = test

/** Maximum height in pixels of a title on one line. */
const MAX_LINE_HEIGHT = 22
/** Widths at which the descriptions do not all fit. */
const NARROW_SIZES = [
  { width: 1100, height: 720 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 320, height: 568 },
]

const SIZES = [
  { width: 1280, height: 720 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
]
const STEPS = [
  { screen: 'results', title: 'Résultats', description: 'Ce que l’on découvre à la fin' },
  { screen: 'questions', title: 'Questions', description: 'Ce que l’on demande' },
  { screen: 'settings', title: 'Réglages', description: 'Couleurs et intégrations' },
]

const stepsOf = (page: Page): Locator => page.getByRole('navigation', { name: 'Étapes' })
const headerOf = (page: Page): Locator =>
  page.locator('header').filter({ has: page.getByLabel('Nom du quiz') })

const measureBox = async (part: Locator) => {
  const box = await part.boundingBox()
  if (!box) throw new Error('The part is not on screen')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** Expects these elements to be fully visible inside another element. */
const expectWithin = async (around: Locator, parts: Locator[]): Promise<void> => {
  const outer = await measureBox(around)
  for (const part of parts) {
    await expect(part).toBeVisible()
    const inner = await measureBox(part)
    expect(inner.width).toBeGreaterThan(4)
    expect(inner.height).toBeGreaterThan(4)
    expect(inner.x).toBeGreaterThanOrEqual(outer.x)
    expect(inner.right).toBeLessThanOrEqual(outer.right)
    expect(inner.bottom).toBeLessThanOrEqual(outer.bottom)
  }
}

test('from 1280 px on each step shows its number, title, description and icon, in two rows of 104 px', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client, 'Un nom assez long pour un questionnaire')
  for (const { screen } of STEPS) {
    await page.goto(`/quiz/${id}/${screen}`)
    await expectSaved(page)
    for (const size of SIZES)
      await step(`${screen} at ${size.width}`, async () => {
        await page.setViewportSize(size)
        const items = stepsOf(page).getByRole('listitem')
        for (const [index, { title, description }] of STEPS.entries()) {
          const item = items.nth(index)
          const texts = [String(index + 1), title, description]
          await expectWithin(item, [
            ...texts.map((text) => item.getByText(text, { exact: true })),
            item.locator('svg').last(),
          ])
        }
        const header = await measureBox(headerOf(page))
        const bar = await measureBox(stepsOf(page).locator('xpath=..'))
        expect(bar.bottom - header.y).toBeLessThanOrEqual(104)
        await expectWithin(
          headerOf(page),
          ['Prévisualiser', 'Enregistré'].map((text) => page.getByText(text, { exact: true })),
        )
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        )
        expect(overflow).toBeLessThanOrEqual(0)
      })
  }
})

test('at every width each step shows its number and icon, and screen readers read its description', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  for (const { screen } of STEPS) {
    await page.goto(`/quiz/${id}/${screen}`)
    await expectSaved(page)
    for (const size of NARROW_SIZES)
      await step(`${screen} at ${size.width}`, async () => {
        await page.setViewportSize(size)
        for (const [index, { title, description }] of STEPS.entries()) {
          const item = stepsOf(page).getByRole('listitem').nth(index)
          await expectWithin(item, [
            item.getByText(String(index + 1), { exact: true }),
            item.getByText(title, { exact: true }),
            item.locator('svg').last(),
          ])
          await expect(item.getByText(description, { exact: true })).toBeAttached()
          await expect(item).toContainText(description)
          const line = await measureBox(item.getByText(title, { exact: true }))
          expect(line.bottom - line.y, `lines of ${title}`).toBeLessThanOrEqual(MAX_LINE_HEIGHT)
        }
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        )
        expect(overflow).toBeLessThanOrEqual(0)
      })
  }
})

test('the questions of a quiz with fewer than two results lead to its results, and those of a sondage are available', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { quiz } = await creator.client.quizzes.create({ body: { name: 'Neuf', type: 'quiz' } })
  await creator.client.results.create({ id: quiz.id, body: { name: 'Lune' } })
  await page.goto(`/quiz/${quiz.id}/questions`)
  await expect(page).toHaveURL(`/quiz/${quiz.id}/results`)
  const locked = stepsOf(page).getByTitle('Créez au moins 2 résultats pour débloquer cette étape')
  await expect(locked).toContainText('Créez au moins 2 résultats (1/2)')
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectWithin(
      locked,
      ['2', 'Ce que l’on demande', 'Créez au moins 2 résultats (1/2)'].map((text) =>
        locked.getByText(text, { exact: true }),
      ),
    )
    const bar = await measureBox(stepsOf(page).locator('xpath=..'))
    expect(bar.bottom).toBeLessThanOrEqual(104)
  }
  await expectAccessible(page)
  await page.getByLabel('Nouveau résultat').fill('Soleil')
  await page.getByLabel('Nouveau résultat').press('Enter')
  await page.getByRole('link', { name: 'Continuer vers les questions' }).click()
  await expect(page.getByRole('heading', { name: 'Page 1' })).toBeVisible()

  const body = { name: 'Avis', type: 'sondage' as const }
  const sondage = (await creator.client.quizzes.create({ body })).quiz
  await page.goto(`/quiz/${sondage.id}/questions`)
  await expect(page.getByRole('heading', { name: 'Page 1' })).toBeVisible()
  await expect(page).toHaveURL(`/quiz/${sondage.id}/questions`)
})

const SAVE = 'POST /draft'

/** Returns the calls for a quiz that a screen makes when its window regains the focus. */
const recordCallsOnFocus = async (page: Page, id: string): Promise<string[]> => {
  const calls: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path.includes(`/quizzes/${id}`)) calls.push(`${request.method()} ${path.split(id)[1]}`)
  })
  for (const event of ['visibilitychange', 'focus'])
    await page.evaluate((name) => {
      const target = name === 'focus' ? window : document
      target.dispatchEvent(new Event(name))
    }, event)
  // The last call proves that the calls of the focus have been made, because calls are sent in order.
  await page.getByLabel('Nom du quiz').fill('Un autre nom')
  await expect.poll(() => calls.includes(SAVE)).toBe(true)
  return calls.slice(0, calls.indexOf(SAVE))
}

for (const { kind, ready, expected } of [
  { kind: 'a published quiz', ready: publishedScoreQuiz, expected: ['GET /has-changes'] },
  { kind: 'an unpublished quiz', ready: readyScoreQuiz, expected: [] },
])
  test(`a window that regains the focus does not fetch the draft of ${kind} again`, {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const { id } = await ready(creator.client)
    const isRead = page.waitForResponse(/\/draft$/)
    // The questions screen does not poll.
    await page.goto(`/quiz/${id}/questions`)
    await isRead
    await expectSaved(page)
    await page.waitForLoadState('networkidle')
    const calls = await recordCallsOnFocus(page, id)
    expect([...new Set(calls)]).toEqual(expected)
  })
