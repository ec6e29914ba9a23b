import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { ALL_OLDER_ENGINES, NO_STORAGE, openBrowser } from './older-engines.ts'
import { keepTranslating } from './translation.ts'

/** Circumstances of the page of a visitor. */
type Surrounding = {
  browser?: BrowserContextOptions
  /** Script that runs before those of the page. */
  script?: string
  /** Step before the page is opened. */
  prepare?: (page: Page) => Promise<void>
  /** Step after the page was opened. */
  follow?: (page: Page) => Promise<void>
}

/** Loses the first request for a file or a call. */
const loseFirst = async (page: Page, pattern: string): Promise<void> => {
  await page.route(pattern, (route) => route.abort('connectionfailed'), { times: 1 })
}

/** Circumstances of docs/world.md in which visitors open a page, by name. */
export const VISITOR_SURROUNDINGS: Record<string, Surrounding> = {
  'an engine of spring 2021': { script: ALL_OLDER_ENGINES },
  'a browser that stores nothing': { script: NO_STORAGE },
  'a browser without scripts': { browser: { javaScriptEnabled: false } },
  'forced colours, less motion and a window of 320 pixels': {
    browser: {
      forcedColors: 'active',
      reducedMotion: 'reduce',
      viewport: { width: 320, height: 500 },
    },
  },
  'a translated page': { follow: keepTranslating },
  'a network that loses the second file and the submission once': {
    prepare: async (page) => {
      await loseFirst(page, '**/assets/player-*.js*')
      await loseFirst(page, '**/submit')
    },
  },
  'another language and time zone': { browser: { locale: 'ar-MA', timezoneId: 'Pacific/Noumea' } },
}

/** Opens an address in a surrounding. Returns the page and its errors, which grow. */
export const openInSurrounding = async (
  browser: Browser,
  { script = '', browser: options, prepare, follow }: Surrounding,
  address: string,
): Promise<{ page: Page; errors: string[] }> => {
  const page = await openBrowser(browser, script, options)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await prepare?.(page)
  await page.goto(address)
  await follow?.(page)
  return { page, errors }
}
