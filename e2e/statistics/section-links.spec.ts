import type { Page } from '@playwright/test'
import { publishedScoreQuiz } from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expect, expectAccessible, test } from '../support/fixtures.ts'
import { findSmallTargets, measureOverflow } from '../support/layout-checks.ts'

test.use({ creatorIs: 'signed in' })

const sectionLinks = (page: Page) => page.getByRole('navigation', { name: 'Sections de l’écran' })

/** Returns the focused element if the bar of section links covers a part of it. */
const findCoveredFocus = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const bar = document.querySelector('nav[aria-label="Sections de l’écran"]')
    const focused = document.activeElement
    if (!bar || !focused || focused === document.body || bar.contains(focused)) return null
    const { top, bottom, height } = focused.getBoundingClientRect()
    const { bottom: end } = bar.getBoundingClientRect()
    const isOutside = height === 0 || bottom <= 0 || top >= end
    return isOutside ? null : focused.outerHTML.slice(0, 120)
  })

const WINDOWS = {
  'a computer': { width: 1200, height: 900 },
  'a computer at a zoom of 200 %': { width: 720, height: 450 },
  'a phone': { width: 390, height: 844 },
}

test('on a computer and a phone, the links to the sections stay in sight, and never cover the focus', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const quiz = await publishedScoreQuiz(client)
  for (const [rank, answer_id] of quiz.answer_ids.entries()) {
    const answers = { [quiz.question_id]: answer_id, [quiz.open_id]: `p${rank}@exemple.fr` }
    await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  }
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const bar = sectionLinks(page)
  const link = bar.getByRole('link', { name: 'Réponses détaillées' })
  const list = page.getByRole('heading', { name: 'Réponses détaillées' })
  const barEnd = async (): Promise<number> => {
    const box = await bar.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }

  for (const [name, size] of Object.entries(WINDOWS)) {
    await page.setViewportSize(size)
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(async () => (await bar.boundingBox())?.y).toBeGreaterThan(0)

    await test.step(`on ${name}, no link is cut off`, async () => {
      await expect(link).toBeVisible()
      expect(await bar.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
      expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    })

    await test.step(`on ${name}, one click shows the participants below the links`, async () => {
      await link.click()
      await expect(list).toBeFocused()
      await expect.poll(async () => (await bar.boundingBox())?.y).toBe(0)
      await expect(list).toBeInViewport({ ratio: 1 })
      expect((await list.boundingBox())?.y).toBeGreaterThanOrEqual(await barEnd())
      // A quarter of the window is the most that the links may hide.
      expect(await barEnd()).toBeLessThanOrEqual(size.height / 4)
    })

    await test.step(`on ${name}, every control that Shift Tab reaches is below the links`, async () => {
      await page.getByLabel('Adresse email, dans tous vos quiz et sondages').focus()
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Shift+Tab')
        expect(await findCoveredFocus(page)).toBeNull()
        if (await bar.evaluate((one) => one.contains(document.activeElement))) break
      }
      expect(await bar.evaluate((one) => one.contains(document.activeElement))).toBe(true)
    })
  }
})

test('in a wide window the links are a list at the side that stays in sight and marks the current section, and a result leads to its participants', {
  tag: '@rare',
}, async ({ page, creator: { client } }) => {
  const quiz = await publishedScoreQuiz(client)
  const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
  await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`/quiz/${quiz.id}/statistics`)
  const bar = sectionLinks(page)
  const current = bar.locator('[aria-current=location]')
  await expect(current).toHaveText('Chiffres clés')
  const figures = page.getByRole('heading', { name: 'Chiffres clés' })
  const side = (await bar.boundingBox()) ?? { x: 0, width: 0 }
  expect(side.x + side.width).toBeLessThanOrEqual((await figures.boundingBox())?.x ?? 0)
  await expectAccessible(page)
  for (const name of ['Qui répond quoi', 'Données personnelles']) {
    await bar.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name })).toBeFocused()
    await expect(current).toHaveText(name)
    await expect(bar).toBeInViewport({ ratio: 1 })
  }
  await page.getByRole('button', { name: /^Pas à pas/ }).click()
  await page.getByRole('button', { name: 'Voir ses participants' }).click()
  await expect(page.getByRole('heading', { name: 'Réponses détaillées' })).toBeFocused()
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('one menu leads to every section', { tag: '@rare' }, async ({
    page,
    creator: { client },
  }) => {
    const quiz = await publishedScoreQuiz(client)
    const answers = { [quiz.question_id]: quiz.answer_ids[0] ?? '', [quiz.open_id]: 'a@exemple.fr' }
    await client.publicQuiz.submit({ id: quiz.id, body: { answers } })
    await page.goto(`/quiz/${quiz.id}/statistics`)
    const bar = sectionLinks(page)
    // The first figure is on the first screen.
    await expect(page.getByText('Ont ouvert la page')).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await bar.getByRole('button', { name: 'Aller à une section' }).tap()
    const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
    await expect(page.getByRole('menuitem')).toHaveText(titles)
    expect(await findSmallTargets(bar)).toEqual([])
    await expectAccessible(page)
    await page.getByRole('menuitem', { name: 'Données personnelles' }).tap()
    const heading = page.getByRole('heading', { name: 'Données personnelles' })
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport({ ratio: 1 })
    expect(await findSmallTargets(bar)).toEqual([])
  })
})
