import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { prepareChromium } from './scripts/test/chromium.ts'
import { journeyEnvironment, readPort } from './scripts/test/journey-environment.ts'

// The configuration is read again in every worker, which must not make a folder of its own.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'quizaine-e2e-'))
const environment = journeyEnvironment(readPort(), process.env.E2E_DATA_DIR)
const { origin } = environment
process.env.E2E_FAKES_PORT = String(environment.fakes_port)

const browser = await prepareChromium()

/** Journeys in real Chromium against the production build on a database of their own. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  // Twice the cores of a small machine, because journeys often wait.
  workers: 4,
  fullyParallel: true,
  forbidOnly: true,
  // A machine that others use too may starve a browser once; what needed it is named as flaky.
  retries: process.env.CI ? 1 : 0,
  // Timeouts for states that never occur. They are long, because a step is several times slower on a busy machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  webServer: [
    {
      command: `"${process.execPath}" scripts/fakes.ts`,
      url: environment.fakes_url,
      timeout: 180_000,
      stdout: 'ignore',
      env: environment.fakes,
    },
    {
      command: `"${process.execPath}" src/server/main.ts`,
      url: `${origin}/readyz`,
      timeout: 180_000,
      stdout: 'ignore',
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
      env: environment.server,
    },
  ],
  use: {
    baseURL: origin,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    // A failed test keeps its steps, requests and console output. Traces with page copies would
    // take a quarter of the time; `--trace on` records them.
    trace: process.env.CI
      ? 'on-first-retry'
      : { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
    launchOptions: {
      executablePath: browser?.CHROMIUM_PATH,
      // Where the environment names no locale, Chromium calls every file with an accent « download ».
      env: { ...process.env, ...browser, LC_ALL: 'C.UTF-8' },
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    {
      // Visitors are on a phone in both; here a creator is, too.
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
      grep: /@phone/,
    },
  ],
})
