import type { Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, listMotions, test } from '../support/fixtures.ts'
import { measureOverflow } from '../support/layout-checks.ts'

/** Checks of every screen of a creator, for a quiz with a participant. */

test.use({ creatorIs: 'signed in' })

const DESKTOP = { width: 1440, height: 900 }
const NARROWEST_PHONE = { width: 320, height: 640 }

/** Each screen of a creator, with a check that it is shown. */
const screens = (id: string): [path: string, sign: (page: Page) => Promise<void>][] => [
  ['/dashboard', (page) => expect(page.getByRole('article')).toBeVisible()],
  ['/settings', (page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible()],
  [`/quiz/${id}/edit`, (page) => expect(page.getByLabel('Nom')).toBeVisible()],
  [`/quiz/${id}/results`, (page) => expect(page.getByLabel('Nouveau résultat')).toBeVisible()],
  [`/quiz/${id}/questions`, (page) => expect(page.getByText('Paliers de score')).toBeVisible()],
  [`/quiz/${id}/settings`, (page) => expect(page.getByText('Réinitialiser')).toBeVisible()],
  [`/quiz/${id}/preview`, (page) => expect(page.getByText('Mode Aperçu')).toBeVisible()],
  [`/quiz/${id}/statistics`, (page) => expect(page.getByRole('table')).toBeVisible()],
]

const createQuizWithParticipant = async (client: Client): Promise<string> => {
  const { id, question_id, answer_ids, open_id } = await publishedScoreQuiz(client)
  const answers = { [question_id]: answer_ids[0] ?? '', [open_id]: 'camille@exemple.fr' }
  await client.publicQuiz.submit({ id, body: { answers } })
  return id
}

test('every screen is accessible in the light and the dark colour scheme, and does not scroll sideways on the narrowest phone', {
  tag: '@rare',
}, async ({ page, creator }) => {
  // Sixteen audits, which take a few seconds each on a slow machine.
  test.slow()
  const id = await createQuizWithParticipant(creator.client)
  for (const [path, isThere] of screens(id)) {
    await test.step(path, async () => {
      await page.setViewportSize(DESKTOP)
      await page.goto(path)
      await isThere(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
      await expect(page.locator('h1:not([inert] *)')).toHaveCount(1)
      await page.setViewportSize(NARROWEST_PHONE)
      expect(await measureOverflow(page), path).toBeLessThanOrEqual(0)
    })
  }
})

/** Returns why the focus is not visible: no ring, off screen or covered. Empty if the focus is visible. */
const findFocusProblem = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return ''
    const box = element.getBoundingClientRect()
    const what = element.getAttribute('aria-label') ?? element.textContent ?? element.tagName
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no ring: ${what}`
    const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height / 2, 12)]
    const isSeen = x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight
    if (!isSeen) return `off screen: ${what}`
    const top = document.elementFromPoint(x, y)
    const isCovered = !top?.closest('label') && !element.contains(top) && !top?.contains(element)
    return isCovered ? `covered: ${what}` : ''
  })

test('no screen is animated if the user prefers reduced motion, the focus is visible at every stop, and no screen breaks when the text is twice as large', {
  tag: '@rare',
}, async ({ page, creator }) => {
  test.slow()
  const id = await createQuizWithParticipant(creator.client)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const editorAndAccount = screens(id).filter(([path]) => !path.endsWith('/preview'))
  for (const [path, isThere] of editorAndAccount)
    await test.step(path, async () => {
      await page.setViewportSize(DESKTOP)
      await page.goto(path)
      await isThere(page)
      expect(await page.evaluate(listMotions)).toEqual([])
      const found: string[] = []
      for (let stops = 0; stops < 45; stops += 1) {
        await page.keyboard.press('Tab')
        const problem = await findFocusProblem(page)
        if (problem) found.push(problem)
      }
      expect(found, path).toEqual([])
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await measureOverflow(page), `${path} at ${width}`).toBeLessThanOrEqual(0)
      }
    })
})
