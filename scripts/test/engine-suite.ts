import { globSync } from 'node:fs'
import { join } from 'node:path'
import { run } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../imports.ts'
import { tallyTests } from './node-tests.ts'
import { findMissingPackages } from './other-browsers.ts'
import { NOTHING, type Tally } from './tally.ts'

/** Browsers at the same time. */
const PROCESSES = 2
const TEST_TIMEOUT_MS = 300_000
/** Module of another project of TypeScript, which imports this one. */
const SERVER_MODULE = pathToFileURL(join(ROOT, 'e2e/engines/start-server.ts')).href
const JOURNEYS = 'e2e/engines/*.journey.ts'

/** Runs journeys in Firefox and WebKit on the production build: the named files, or all of them. */
export const runEngineSuite = async (files: string[]): Promise<Tally> => {
  const missing = findMissingPackages()
  if (missing.length > 0)
    return { ...NOTHING, failures: [`Browsers are missing: apt-get install ${missing.join(' ')}`] }
  const journeys = files.length > 0 ? files : globSync(JOURNEYS, { cwd: ROOT }).sort()
  const { startServer } = (await import(SERVER_MODULE)) as {
    startServer: () => Promise<() => Promise<void>>
  }
  const stopServer = await startServer()
  const events = run({
    files: journeys.map((file) => join(ROOT, file)),
    concurrency: PROCESSES,
    timeout: TEST_TIMEOUT_MS,
    cwd: ROOT,
  })
  return tallyTests(events, 1).finally(stopServer)
}
