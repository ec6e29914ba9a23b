import { type Browser, chromium } from '@playwright/test'
import { prepareChromium } from '../../scripts/test/chromium.ts'
import { assertPrecondition } from './attack.ts'

const OPTIONS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']

/** Starts the browser of the journeys: an installed one, otherwise that of the development dependency. */
export const launchBrowser = async (): Promise<Browser> => {
  const environment = await prepareChromium()
  assertPrecondition(environment !== undefined, 'there is no browser')
  return chromium.launch({
    executablePath: environment?.CHROMIUM_PATH,
    env: { ...process.env, ...environment },
    args: OPTIONS,
  })
}
