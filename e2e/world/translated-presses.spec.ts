import type { Browser, Page } from '@playwright/test'
import type { Client } from '../../src/contract/client/client.ts'
import {
  loadCompleteReplies,
  publishCompleteQuiz,
} from '../../src/server/testing/quizzes/complete-quiz.ts'
import { createAccount } from '../support/accounts.ts'
import { expect, storeSession, visitorTest as test } from '../support/fixtures.ts'
import { keepTranslating } from '../support/translation.ts'

/**
 * Every screen of creators in two browsers, of which one translates: each control is pressed in both, and both must show
 * the same words. Words that stay behind or a blank screen are differences.
 */

/** Screens of the router; `:id` is a quiz with a participant, `:token` the link of its shared statistics. */
const SCREENS = process.env.ONLY?.split(',') ?? [
  '/login',
  '/login/phone',
  '/signup',
  '/forgot-password',
  '/statistiques/:token',
  '/quiz/:id/preview',
  '/dashboard',
  '/settings',
  '/quiz/create',
  '/quiz/:id/edit',
  '/quiz/:id/results',
  '/quiz/:id/questions',
  '/quiz/:id/settings',
  '/quiz/:id/envois',
  '/quiz/:id/essais',
  '/quiz/:id/statistics',
]
const MAX_PRESSES = 40
const MAX_WAIT_MS = 30_000
/** Controls that leave the screen, or end the session of the browser. */
const LEAVING = /^(Déconnexion|Retour|Télécharger|Continuer avec|Continuer vers|Se connecter)/

/** Address of a webhook without a listener, whose deliveries are listed as waiting. */
const CLOSED_PORT = 'http://127.0.0.1:9998/hook'

/** Creates the quiz of every screen, with a participant and a trial run. Returns its id. */
const createQuiz = async (client: Client): Promise<string> => {
  const id = await publishCompleteQuiz(client)
  await client.webhooks.add({ id, body: { url: CLOSED_PORT } })
  const body = { answers: await loadCompleteReplies(client, id) }
  await client.taking.submit({ id, body })
  const { url } = await client.testRuns.link({ id })
  const token = new URL(url).searchParams.get('test') ?? ''
  await client.testRuns.submit({ id, token, body })
  return id
}

/** A browser of a new creator with the quiz of every screen. */
const openCreator = async (browser: Browser, origin: string) => {
  const { client, session } = await createAccount(origin)
  const id = await createQuiz(client)
  const { link } = await client.statisticsLinks.create({ id })
  const page = await (await browser.newContext()).newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const open = async (screen: string): Promise<void> => {
    await page.goto(screen.replace(':id', id).replace(':token', link.token))
    await expect(page.locator('h1').first()).toBeAttached()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  return { page, client, session, open, errors }
}

/** Returns a text without ids, addresses and times, which differ between two accounts. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\w.-]+@exemple\.fr/g, '(email)')
    .replaceAll(/\/(?:q|statistiques|test)\/[\w-]+/g, '(address)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|msg_[\w-]+|\b\d{10}\b/g, '(id)')
    .replaceAll(/\b\d{1,2}\s?[h:]\s?\d{2}(?::\d{2})?/g, '(time)')
    .replaceAll(/(?:il y a|dans) [^.,·]{1,20}/g, '(time)')

const readWords = async (page: Page): Promise<string> =>
  // biome-ignore lint/performance/useDomNodeTextContent: `innerText` leaves out hidden text
  withoutIds(await page.evaluate(() => document.body.innerText))

/** Returns the names of the controls of the page, in their order. */
const listControls = async (page: Page): Promise<string[]> => {
  const names = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, summary, [role=tab], input[type=checkbox], input[type=radio]',
      ),
    ]
      .filter((control) => control.checkVisibility() && !control.matches(':disabled'))
      .map((control, rank) => {
        control.dataset.rank = `${rank}`
        const labels = (control as HTMLInputElement).labels ?? []
        const label = [...labels].map(({ textContent }) => textContent).join(' ')
        return control.getAttribute('aria-label') || label || control.textContent
      }),
  )
  return names.map((name) => withoutIds(name).trim())
}

const press = (page: Page, rank: number): Promise<void> =>
  page.evaluate((place) => {
    document.querySelector<HTMLElement>(`[data-rank="${place}"]`)?.click()
  }, rank)

/** Closes the dialogs and menus of the page. */
const closeOverlays = async (page: Page): Promise<void> => {
  for (let layers = 0; layers < 3; layers++) await page.keyboard.press('Escape')
}

for (const screen of SCREENS)
  test(`the translated screen ${screen} shows the same words after each press`, async ({
    browser,
    baseURL,
  }) => {
    test.slow()
    const plain = await openCreator(browser, baseURL ?? '')
    const translated = await openCreator(browser, baseURL ?? '')
    const pages = [plain, translated]
    const isPublic = /^\/(login|signup|forgot|statistiques)/.test(screen)
    for (const { page, session, open } of pages) {
      if (!isPublic) await storeSession(page, session)
      await open(screen)
    }
    await keepTranslating(translated.page)
    /** Waits until both browsers rest with the same words and controls. Returns the names of the controls. */
    const expectEqual = async (what: string): Promise<string[]> => {
      let before = ''
      let names: string[] = []
      await expect(async () => {
        const [original, other] = await Promise.all(
          pages.map(async ({ page }) => [await readWords(page), await listControls(page)]),
        )
        const isResting = JSON.stringify(original) === before
        before = JSON.stringify(original)
        expect(other, what).toEqual(original)
        expect(isResting, `${what}: the screen rests`).toBe(true)
        names = original?.[1] as string[]
      }).toPass({ timeout: MAX_WAIT_MS })
      expect(
        pages.flatMap(({ errors }) => errors),
        what,
      ).toEqual([])
      return names
    }
    let names = await expectEqual('before the first press')
    const pressed = new Set<string>()
    while (pressed.size < MAX_PRESSES) {
      const rank = names.findIndex((name) => !pressed.has(name) && !LEAVING.test(name))
      if (rank < 0) break
      const name = names[rank] ?? ''
      pressed.add(name)
      await test.step(name, async () => {
        for (const { page } of pages) await press(page, rank)
        await expectEqual(`after « ${name} »`)
        for (const { page } of pages) await closeOverlays(page)
        names = await expectEqual(`after « ${name} » and Escape`)
      })
    }
    expect(pressed.size).toBeGreaterThan(0)
    for (const { page } of pages) await page.context().close()
  })
