import { existsSync } from 'node:fs'

const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Returns the path of Chromium or Chrome from CHROMIUM_PATH or a usual location; undefined if there is none. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((path) => existsSync(path))

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * Returns the browser of the end-to-end tests. If installed, this is chromium-headless-shell, because it needs half of
 * the CPU time; otherwise the browser of `findChromium`.
 */
export const findChromiumForJourneys = (): string | undefined =>
  process.env.CHROMIUM_PATH ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium())

/** Error message if no browser is found. */
export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.'
