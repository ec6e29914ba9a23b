import { test } from 'node:test'
import { type Account, createAccount } from '../support/accounts.ts'
import { openFirefox } from './drivers/firefox.ts'
import type { Tab, TabOptions } from './drivers/tab.ts'
import { openWebkit } from './drivers/webkit.ts'
import { createPage, type Page } from './page.ts'

/** Address of the server that `start-servers.ts` starts. */
export const ORIGIN = process.env.E2E_ORIGIN ?? ''

const ENGINES: Record<string, (origin: string, options: TabOptions) => Promise<Tab>> = {
  Firefox: openFirefox,
  WebKit: openWebkit,
}

type Actors = {
  /** A creator with a new account. */
  creator: Account
  /** Starts a browser with an empty profile. It is closed at the end of the test. */
  openPage: (window: TabOptions['window'], options?: { has_javascript: boolean }) => Promise<Page>
}

/** Defines a journey for each engine. The journey fails if a page logs an error on its console. */
export const journey = (name: string, run: (actors: Actors) => Promise<void>): void => {
  for (const [engine, openTab] of Object.entries(ENGINES))
    test(`${engine}: ${name}`, async () => {
      const tabs: Tab[] = []
      const pages: Page[] = []
      const openPage: Actors['openPage'] = async (window, options = { has_javascript: true }) => {
        const tab = await openTab(ORIGIN, { window, ...options })
        tabs.push(tab)
        const page = createPage(tab)
        pages.push(page)
        return page
      }
      try {
        await run({ creator: await createAccount(ORIGIN), openPage })
        for (const page of pages) page.expectNoErrors()
      } finally {
        for (const tab of tabs) await tab.close()
      }
    })
}

/** Stores the creator's session in the browser, and opens a path. */
export const openSignedIn = async (
  page: Page,
  { email, password }: Account,
  path: string,
): Promise<void> => {
  const response = await fetch(`${ORIGIN}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  // A page without scripts: a script that is still loading when the page is left would be an error.
  await page.open('/mentions-legales')
  await page.evaluate(
    (session) => localStorage.setItem('quizaine-session', session),
    await response.text(),
  )
  await page.open(path)
}
