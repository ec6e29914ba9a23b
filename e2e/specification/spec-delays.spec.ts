import type { Page, Request } from '@playwright/test'
import {
  publishedScoreQuiz,
  readyScoreQuiz,
} from '../../src/server/testing/quizzes/sample-quizzes.ts'
import { expectSaved, goToStep, question } from '../support/editor-steps.ts'
import { expect, test } from '../support/fixtures.ts'

/** The specified delays, under a fake clock; each step tests one delay (product 5.2, 5.3, 5.7, 6.5, 7.15). */

test.use({ creatorIs: 'signed in' })
const { step } = test

const publishButton = (page: Page) => page.getByRole('button', { name: 'Publier', exact: true })
const expectPublishTitle = (page: Page, title: string) =>
  expect(publishButton(page)).toHaveAttribute('title', title)
const bound = (page: Page, which: 'Minimum' | 'Maximum', result: string) =>
  page.getByLabel(`${which} – ${result}`)

/** Starts counting the calls of the page that match, and returns a function that reads the count. */
const countCalls = (page: Page, method: string, path: RegExp): (() => number) => {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === method && path.test(request.url())) count += 1
  })
  return () => count
}

test('the copy button shows « Copié » for 2 seconds (product 7.15)', { tag: '@rare' }, async ({
  page,
  creator,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await publishedScoreQuiz(creator.client)
  await page.clock.install()
  await page.goto(`/quiz/${id}/results`)
  await page.getByRole('button', { name: 'Partager' }).click()
  const dialog = page.getByRole('dialog', { name: 'Partager le quiz' })
  // The dialog is loaded on demand, and its file may need a timer of the page.
  await expect(dialog.getByRole('button', { name: 'Copier le lien' })).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await dialog.getByRole('button', { name: 'Copier le lien' }).click()
  const copied = dialog.getByRole('button', { name: 'Copié' })
  await step("the copy button shows 'Copié' for 2 seconds", async () => {
    await expect(copied).toBeVisible()
    await page.clock.runFor(1_900)
    await expect(copied).toBeVisible()
    await page.clock.runFor(200)
    await expect(copied).toBeHidden()
  })
})

test('the editor polls for unpublished changes of published quizzes at the specified intervals and on focus (product 6.5)', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const polls = countCalls(page, 'GET', /\/has-changes$/)
  let ended = 0
  const countEnd = (request: Request): void => {
    if (/\/has-changes$/.test(request.url())) ended += 1
  }
  page.on('requestfinished', countEnd)
  page.on('requestfailed', countEnd)
  await page.clock.install()
  for (const [screen, every_ms] of [
    ['results', 5_000],
    ['settings', 10_000],
  ] as const)
    await step(`the ${screen} screen polls every ${every_ms} ms`, async () => {
      const first = page.waitForResponse(/\/has-changes$/)
      await page.goto(`/quiz/${id}/${screen}`)
      await (await first).finished()
      await expectPublishTitle(page, 'Aucune modification à publier')
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000))
      for (let times = 0; times < 3; times += 1) {
        // A poll in progress would replace the next one.
        await expect.poll(() => ended).toBe(polls())
        const before = polls()
        await page.clock.runFor(every_ms)
        await expect.poll(polls).toBe(before + 1)
      }
      await page.clock.resume()
    })
  await step('the editor polls when its window gets the focus', async () => {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000))
    await expect.poll(() => ended).toBe(polls())
    const before = polls()
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect.poll(polls).toBe(before + 1)
    await page.clock.resume()
  })
  await step('the editor polls only for published quizzes', async () => {
    await creator.client.quizzes.update({ id, body: { status: 'Brouillon' } })
    const before = polls()
    await page.goto(`/quiz/${id}/results`)
    await expectPublishTitle(page, 'Publier le quiz')
    await page.clock.runFor(11_000)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    expect(polls()).toBe(before)
  })
})

test('data without participant counts is fresh for 5 minutes, and data with counts is always requested (product 5.7)', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await publishedScoreQuiz(creator.client)
  const [quizzes, quiz] = [
    countCalls(page, 'GET', /\/quizzes$/),
    countCalls(page, 'GET', new RegExp(`/${id}$`)),
  ]
  await page.clock.install()
  await page.goto(`/quiz/${id}/envois`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Envois')
  /** Goes to the dashboard and back, without loading the page again. */
  const comeBack = async (): Promise<void> => {
    const listResponse = page.waitForResponse(/\/quizzes$/)
    await page.getByRole('link', { name: 'Tableau de bord' }).click()
    await (await listResponse).finished()
    await expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Envois')
  }
  await comeBack()
  await comeBack()
  expect([quizzes(), quiz()]).toEqual([2, 1])
  const response = page.waitForResponse(new RegExp(`/${id}$`))
  await page.clock.fastForward(5 * 60_000 + 1_000)
  await comeBack()
  await (await response).finished()
  expect([quizzes(), quiz()]).toEqual([3, 2])
})

test('each kind of edit is saved after its specified delay (product 5.2)', {
  tag: '@rare',
}, async ({ page, creator }) => {
  const { id } = await readyScoreQuiz(creator.client)
  const saves = countCalls(page, 'POST', /\/draft$/)
  await page.clock.install()
  /** Types with the clock stopped, and expects the save at `delay_ms`, not before. */
  const expectSavedAfter = async (delay_ms: number, type: () => Promise<void>): Promise<void> => {
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_000))
    const before = saves()
    await type()
    await page.clock.runFor(delay_ms - 50)
    expect(saves()).toBe(before)
    await page.clock.runFor(100)
    await expect.poll(saves).toBe(before + 1)
    await page.clock.resume()
    await expectSaved(page)
  }
  await page.goto(`/quiz/${id}/results`)
  await expectSaved(page)
  await step('results are saved after 500 ms without a change', () =>
    expectSavedAfter(500, () => page.getByLabel('Nom du résultat 1').fill('Tout doux')),
  )
  await step('the quiz name is saved after 500 ms', () =>
    expectSavedAfter(500, () => page.getByLabel('Nom du quiz').fill('Un premier nom')),
  )
  await goToStep(page, 'Réglages')
  await expectSaved(page)
  await step('colours are saved after 500 ms', () =>
    expectSavedAfter(500, () => page.getByLabel('Fond – code hexadécimal').fill('#fff3e0')),
  )
  await goToStep(page, 'Questions')
  await expectSaved(page)
  await step('questions are saved after 1500 ms', () =>
    expectSavedAfter(1_500, () => question(page, 1).fill('Votre semaine ?')),
  )
  await step('a name is saved after 500 ms, even if a question is edited next', async () => {
    await expectSavedAfter(250, async () => {
      await page.getByLabel('Nom du quiz').fill('Un autre nom')
      await page.clock.runFor(250)
      await question(page, 1).fill('Votre mois ?')
    })
  })
  await step('thresholds are saved after 1500 ms', () =>
    expectSavedAfter(1_500, () => bound(page, 'Maximum', 'Grand saut').fill('20')),
  )
  await step('a name that equals the stored name is not saved again', async () => {
    const before = saves()
    await page.getByLabel('Nom du quiz').fill('Un autre nom')
    await page.clock.runFor(3_000)
    expect(saves()).toBe(before)
  })
})
