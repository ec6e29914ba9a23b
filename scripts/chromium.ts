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

/** The Chromium (or Chrome) the browser tests drive: CHROMIUM_PATH, else where systems usually put it. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM_PATH ?? USUAL_PLACES.find((path) => existsSync(path))

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

/**
 * The one the journeys run in: Chromium's build without windows where there is one (Debian:
 * chromium-headless-shell), which takes half of the processor's time for the same pages; else findChromium's.
 */
export const findChromiumForJourneys = (): string | undefined =>
  process.env.CHROMIUM_PATH ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium())

export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.'
