import type { Page, Route } from '@playwright/test'
import { expect, signIn, test } from '../support/fixtures.ts'

/** The session of a creator in the browser, under a fake clock (product 12.2, 12.3). */

const RENEWAL = '**/auth/v1/token?grant_type=refresh_token'
/** A token with less time left than this is renewed at the next check. */
const NEAR_MS = 120_000
const TOKEN_MS = 3_600_000

const dashboard = (page: Page) => page.getByRole('heading', { name: 'Mes quiz & sondages' })

/** Waits until the page has handled an answer. */
const waitForPendingCallbacks = (page: Page): Promise<unknown> =>
  page.evaluate(() => fetch('/healthz').then((reply) => reply.text()))

/** Sets the page's clock to `ms` milliseconds before the token expires. */
const setTimeBeforeExpiry = async (page: Page, ms: number): Promise<void> => {
  await page.clock.pauseAt(Date.now() + 5_000)
  const ends = await page.evaluate(
    () => JSON.parse(localStorage.getItem('quizaine-session') ?? '{}').expires_at * 1_000,
  )
  const now = await page.evaluate(() => Date.now())
  expect(ends - now).toBeGreaterThan(TOKEN_MS - 300_000)
  await page.clock.fastForward(ends - now - ms)
  await waitForPendingCallbacks(page)
}

const countRenewals = async (
  page: Page,
  answer: (route: Route, calls: number) => Promise<void>,
) => {
  const seen = { calls: 0 }
  await page.route(RENEWAL, (route) => {
    seen.calls += 1
    return answer(route, seen.calls)
  })
  return seen
}

test.describe('a token that is about to expire', () => {
  test.beforeEach(async ({ page }) => {
    await page.clock.install()
  })

  test('a check every 30 seconds renews the token, and a failed renewal is tried again after 200 ms, and then after twice the delay each time (product 12.2)', {
    tag: '@rare',
  }, async ({ page, creator: _ }) => {
    await expect(dashboard(page)).toBeVisible()
    const renewals = await countRenewals(page, (route, calls) =>
      calls < 4 ? route.fulfill({ status: 503, json: { msg: 'away' } }) : route.continue(),
    )
    // A check runs while the clock moves, but it is too early to renew.
    await setTimeBeforeExpiry(page, NEAR_MS + 5_000)
    expect(renewals.calls).toBe(0)
    await page.clock.runFor(29_000)
    await waitForPendingCallbacks(page)
    expect(renewals.calls).toBe(0)
    const answered = () => page.waitForResponse(RENEWAL)
    let reply = answered()
    await page.clock.runFor(1_500)
    await (await reply).finished()
    await waitForPendingCallbacks(page)
    for (const [tries, wait] of [200, 400, 800].entries()) {
      expect(renewals.calls).toBe(tries + 1)
      reply = answered()
      await page.clock.runFor(wait - 1)
      await waitForPendingCallbacks(page)
      expect(renewals.calls).toBe(tries + 1)
      await page.clock.runFor(1)
      await (await reply).finished()
      await waitForPendingCallbacks(page)
    }
    expect(renewals.calls).toBe(4)
    expect((await reply).status()).toBe(200)
    await expect(dashboard(page)).toBeVisible()
  })

  test('two tabs that renew at the same time both stay signed in (product 12.2)', {
    tag: '@rare',
  }, async ({ page, creator: _ }) => {
    const other = await page.context().newPage()
    await other.goto('/dashboard')
    await expect(dashboard(other)).toBeVisible()
    // The responses wait until both tabs have sent the same token.
    const waiting: Route[] = []
    const sentTokens: string[] = []
    for (const tab of [page, other])
      await tab.route(RENEWAL, async (route) => {
        sentTokens.push(route.request().postDataJSON().refresh_token)
        waiting.push(route)
        if (waiting.length === 2) await Promise.all(waiting.map((held) => held.continue()))
      })
    const answers = [page, other].map((tab) => tab.waitForResponse(RENEWAL))
    await setTimeBeforeExpiry(page, NEAR_MS + 5_000)
    await page.clock.runFor(30_500)
    const given = await Promise.all(
      answers.map(async (answer) => (await (await answer).json()).refresh_token),
    )
    expect(sentTokens[0]).toBe(sentTokens[1])
    expect(given[0]).toBe(given[1])
    expect(given[0]).not.toBe(sentTokens[0])
    for (const tab of [page, other]) {
      await tab.unroute(RENEWAL)
      await expect(dashboard(tab)).toBeVisible()
      expect(
        await tab.evaluate(() => JSON.parse(localStorage.getItem('quizaine-session') ?? '{}')),
      ).toHaveProperty('refresh_token', given[0])
    }
  })
})

test('a message about an ended session does not sign in (product 12.2)', { tag: '@rare' }, async ({
  page,
  creator: _,
}) => {
  const ended = await page.evaluate(() => localStorage.getItem('quizaine-session') ?? '')
  const other = await page.context().newPage()
  await other.goto('/confidentialite')
  await page.getByRole('button', { name: 'Déconnexion' }).click()
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible()
  const heard = page.evaluate(
    () =>
      new Promise((resolve) => {
        new BroadcastChannel('quizaine-session').onmessage = () =>
          requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  await waitForPendingCallbacks(page)
  await other.evaluate(
    (session) =>
      new BroadcastChannel('quizaine-session').postMessage({ event: 'SIGNED_IN', session }),
    JSON.parse(ended),
  )
  await heard
  await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test.describe('a sign-in', () => {
  test.use({ creatorIs: 'away' })

  test('the other tabs are notified of a sign-in and of a sign-out (product 12.2)', {
    tag: '@rare',
  }, async ({ page, creator }) => {
    const other = await page.context().newPage()
    await other.goto('/login')
    await signIn(page, creator)
    await expect(dashboard(other)).toBeVisible()
    await other.getByRole('button', { name: 'Déconnexion' }).click()
    await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible()
  })

  test('a failed sign-out is only logged, and this browser is signed out (product 12.3)', {
    tag: '@rare',
  }, async ({ browser, creator }) => {
    // Not `page`, which fails the test if it logs an error: an error is expected.
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    for (const fail of [
      (route: Route) => route.abort(),
      (route: Route) =>
        route.fulfill({ status: 500, json: { error: 'Panne', code: 'unexpected' } }),
    ]) {
      errors.length = 0
      await signIn(page, creator)
      await page.route('**/auth/v1/logout**', fail)
      await page.getByRole('button', { name: 'Déconnexion' }).click()
      await expect(page.getByRole('heading', { name: 'Connexion' })).toBeVisible()
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(page).toHaveURL(/\/login$/)
      await expect
        .poll(() => errors.some((text) => text.startsWith('Signing out failed')))
        .toBe(true)
      await page.unroute('**/auth/v1/logout**')
    }
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/login$/)
    await page.close()
  })
})
