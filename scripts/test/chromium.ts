import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
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

/** Returns the path of CHROMIUM_PATH; undefined if the variable is not set or selects the packaged Chromium. */
const readGivenPath = (): string | undefined =>
  process.env.CHROMIUM_PATH === PACKAGED ? undefined : process.env.CHROMIUM_PATH

/** Returns the path of an installed Chromium or Chrome: CHROMIUM_PATH, the usual places, or Playwright's own. */
export const findChromium = (): string | undefined =>
  readGivenPath() ?? [...USUAL_PLACES, chromium.executablePath()].find((path) => isExecutable(path))

/**
 * Returns the installed browser of the journeys. If installed, this is chromium-headless-shell, because it needs half
 * of the CPU time; otherwise the browser of `findChromium`.
 */
const findChromiumForJourneys = (): string | undefined =>
  readGivenPath() ?? (isExecutable(HEADLESS_SHELL) ? HEADLESS_SHELL : findChromium())

/** Environment variables with which the journeys start Chromium. */
type ChromiumEnvironment = Record<string, string>

/**
 * Returns the environment that names the browser of the journeys: an installed one, otherwise the Chromium of the
 * development dependency. Undefined if neither runs on this machine.
 */
export const prepareChromium = async (): Promise<ChromiumEnvironment | undefined> => {
  const isPackaged = process.env.CHROMIUM_PATH === PACKAGED
  const installed = isPackaged ? undefined : findChromiumForJourneys()
  if (installed) return { CHROMIUM_PATH: installed }
  return process.platform === 'linux' && process.arch === 'x64' ? unpackChromium() : undefined
}

/** Unpacks the Chromium of the development dependency with its libraries and fonts, once per version. */
const unpackChromium = async (): Promise<ChromiumEnvironment> => {
  const packed = fileURLToPath(new URL('..', import.meta.resolve('@sparticuz/chromium')))
  const manifest = readFileSync(join(packed, 'package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  const folder = join(ROOT, `node_modules/.cache/chromium-${version}`)
  if (!existsSync(folder)) {
    // The folder gets its name last, so that an interrupted unpacking leaves no half of a browser.
    const incomplete = `${folder}-${process.pid}`
    mkdirSync(incomplete, { recursive: true })
    await unpackInto(incomplete, join(packed, 'bin'))
    writeFileSync(join(incomplete, 'fonts/fonts.conf'), fontsConfiguration(folder))
    renameSync(incomplete, folder)
  }
  return {
    CHROMIUM_PATH: join(folder, 'chromium'),
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  }
}

/** Unpacks the files of the package, which always unpacks into the folder for temporary files. */
const unpackInto = async (folder: string, packed: string): Promise<void> => {
  const { TMPDIR } = process.env
  process.env.TMPDIR = folder
  const { inflate } = await import('@sparticuz/chromium')
  for (const name of ['fonts.tar.br', 'al2023.tar.br', 'chromium.br'])
    await inflate(join(packed, name))
  if (TMPDIR === undefined) Reflect.deleteProperty(process.env, 'TMPDIR')
  else process.env.TMPDIR = TMPDIR
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
