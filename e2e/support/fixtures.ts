import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type BrowserContext, test as base, expect, type Frame, type Page } from '@playwright/test'
import type Axe from 'axe-core'
import { type Account, createAccount, PASSWORD, uniqueEmail } from './accounts.ts'

export { type Account, expect, PASSWORD, uniqueEmail }

type Actors = {
  /** State of `page` when a test begins. 'away' is the fastest, because no session and no screen is loaded. */
  creatorIs: 'on the dashboard' | 'signed in' | 'away'
  /** A creator with a new account. `page` is in the state that `creatorIs` names. */
  creator: Account
  /** The page of a new visitor, on a phone. */
  visitor: Page
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

export const test = base.extend<Actors>({
  /** Fails the test if `page` logs an error, for example a violation of its security policy. `visitor` is not watched. */
  page: async ({ page }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      // Refused calls are part of some journeys; the browser logs each.
      const isRefusal = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isRefusal) errors.push(message.text())
    })
    await use(page)
    expect(errors).toEqual([])
  },
  creatorIs: ['on the dashboard', { option: true }],
  creator: async ({ page, baseURL, creatorIs }, use) => {
    const account = await createAccount(baseURL ?? '')
    if (creatorIs !== 'away') await storeSession(page, account.session)
    if (creatorIs === 'on the dashboard') {
      await page.goto('/dashboard')
      await expectDashboard(page)
    }
    await use(account)
  },
  visitor: async ({ browser }, use) => {
    const context: BrowserContext = await browser.newContext(PHONE)
    await use(await context.newPage())
    await context.close()
  },
})

/** Tests whose creator opens no screen. Their `page` has no session and is created only if a test uses it. */
export const visitorTest = test.extend({
  creator: async ({ baseURL }, use) => use(await createAccount(baseURL ?? '')),
})

/**
 * A key of a new account at a tool of scripts/fakes.ts. Parallel tests on one account would exceed its rate limit
 * together.
 */
export const newToolKey = (tool: 'systemio' | 'brevo'): string =>
  `${tool === 'brevo' ? 'xkeysib-demo' : 'systemeio-demo'}-${randomUUID()}`

/** Stores a session, as the server sent it, in the browser before the first screen of `page` loads. */
export const storeSession = (page: Page, session: string): Promise<unknown> =>
  // Runs only once, so that a sign-out is final.
  page.addInitScript((kept) => {
    if (window !== top || origin === 'null' || sessionStorage.getItem('begun')) return
    sessionStorage.setItem('begun', 'yes')
    localStorage.setItem('quizaine-session', kept)
  }, session)

const expectDashboard = (page: Page): Promise<void> =>
  expect(page.getByRole('heading', { name: 'Mes quiz & sondages' })).toBeVisible()

/** Signs in by the login screen and waits for the dashboard. */
export const signIn = async (
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
): Promise<void> => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expectDashboard(page)
}

/**
 * Waits until all finite animations have ended, except those far off screen, which browsers pause. Each animation is
 * checked repeatedly, because its element may leave the screen or be paused by a drag.
 */
const waitForAnimations = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const isRunning = ({ effect, playState }: Animation): boolean =>
      playState === 'running' &&
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY &&
      (!(effect instanceof KeyframeEffect) ||
        effect.target?.checkVisibility({ contentVisibilityAuto: true }) === true)
    while (document.getAnimations().some(isRunning)) await new Promise(requestAnimationFrame)
  })

const AXE_SOURCE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Loads axe into a document once, because compiling it takes as long as an audit. */
const injectAxe = async (frame: Frame): Promise<void> => {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE_SOURCE)
}

/** Expects no accessibility violation on the current screen. `except` lists elements whose colours the creator chose. */
export const expectAccessible = async (page: Page, except: string[] = []): Promise<void> => {
  await waitForAnimations(page)
  await injectAxe(page.mainFrame())
  // Axe audits frames of the same origin itself. A frame that is replaced at this moment fails, so failures are ignored.
  const frames = page.frames().filter((frame) => frame !== page.mainFrame())
  await Promise.allSettled(frames.map(injectAxe))
  const found = await page.evaluate(
    async ({ exclude, tags }) => {
      const { axe } = window as unknown as { axe: typeof Axe }
      const options: Axe.RunOptions = { runOnly: tags, resultTypes: ['violations'] }
      const { violations } = await axe.run({ exclude }, options)
      /** Returns false if a control is large enough once no bar that stays in sight covers a part of it. */
      const isSmallInSight = async ({ target: [selector] }: Axe.NodeResult): Promise<boolean> => {
        const element = typeof selector === 'string' ? document.querySelector(selector) : null
        if (!element) return true
        element.scrollIntoView({ block: 'center' })
        const size = await axe.run(element, { runOnly: { type: 'rule', values: ['target-size'] } })
        return size.violations.length > 0
      }
      const { scrollX, scrollY } = window
      const found: string[] = []
      for (const { id, nodes } of violations) {
        const wrong: Axe.NodeResult[] = []
        for (const node of nodes)
          if (id !== 'target-size' || (await isSmallInSight(node))) wrong.push(node)
        if (wrong.length > 0) found.push(`${id}: ${wrong.map(({ html }) => html).join(' | ')}`)
      }
      window.scrollTo(scrollX, scrollY)
      return found
    },
    { exclude: except.map((selector) => [selector]), tags: AXE_TAGS },
  )
  expect(found).toEqual([])
}

/**
 * Lists the style properties that animations change; runs in the page. `visibility` does not count, because the overlay
 * that blocks presses on a new page is invisible.
 */
export const listMotions = (): string[] => {
  const invisible = ['offset', 'computedOffset', 'easing', 'composite', 'visibility']
  return document
    .getAnimations()
    .flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes().flatMap(Object.keys))
    .filter((key) => !invisible.includes(key))
}
