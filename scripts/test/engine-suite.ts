import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { ROOT } from '../imports.ts'
import {
  journeyEnvironment,
  readPort,
  SERVERS_MODULE,
  type ServersModule,
} from './journey-environment.ts'
import { tallyTests } from './node-tests.ts'
import { findMissingPackages } from './other-browsers.ts'
import { NOTHING, type Tally } from './tally.ts'

/** Browsers at the same time. */
const PROCESSES = 2
const TEST_TIMEOUT_MS = 300_000
/** Mail server that refuses connections: campaigns exist, and their invitations wait. */
const MAILS = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Quizaine <bonjour@quiz.example>',
  AUTH_AUTOCONFIRM: 'true',
}
const JOURNEYS = 'e2e/engines/*.journey.ts'

/** Runs journeys in Firefox and WebKit on the production build: the named files, or all of them. */
export const runEngineSuite = async (files: string[], scratch: string): Promise<Tally> => {
  const missing = findMissingPackages()
  if (missing.length > 0)
    return { ...NOTHING, failures: [`Browsers are missing: apt-get install ${missing.join(' ')}`] }
  const journeys = files.length > 0 ? files : globSync(JOURNEYS, { cwd: ROOT }).sort()
  const { startServers } = (await import(SERVERS_MODULE)) as ServersModule
  const environment = journeyEnvironment(readPort(), join(scratch, 'engines-data'))
  const server = { ...environment.server, ...MAILS }
  const stopServers = await startServers({ ...environment, server })
  process.env.E2E_ORIGIN = environment.origin
  try {
    const first = await runJourneys(journeys)
    // As with Chromium, a busy machine may starve a browser once; the end of the run names what needed it.
    return process.env.CI && first.failures.length > 0 ? await retryFailed(first, journeys) : first
  } finally {
    await stopServers()
  }
}

const runJourneys = (journeys: string[]): Promise<Tally> => {
  const files = journeys.map((file) => join(ROOT, file))
  return tallyTests(run({ files, concurrency: PROCESSES, timeout: TEST_TIMEOUT_MS, cwd: ROOT }), 1)
}

/** Runs all journeys again. Journeys that failed first and pass now count as passed and retried. */
const retryFailed = async (first: Tally, journeys: string[]): Promise<Tally> => {
  const second = await runJourneys(journeys)
  const again = new Set(second.failures.map(firstLine))
  const retried = first.failures.map(firstLine).filter((place) => !again.has(place))
  return {
    passed: first.passed + retried.length,
    failures: first.failures.filter((failure) => again.has(firstLine(failure))),
    retried,
  }
}

/** Returns the place and the name of a failed test. */
const firstLine = (failure: string): string => failure.split('\n', 1)[0] ?? ''
