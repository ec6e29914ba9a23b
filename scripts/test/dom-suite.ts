import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../imports.ts'
import {
  journeyEnvironment,
  readPort,
  SERVERS_MODULE,
  type ServersModule,
} from './journey-environment.ts'
import { PROCESSES, runShares, shareQueue } from './server-suite.ts'
import { NOTHING, type Tally } from './tally.ts'

/** Tag of the journeys that also run in a DOM. */
const DOM_TAG = "'@dom'"
/** Module that replaces Playwright in the processes of the journeys. */
const PRELOAD = pathToFileURL(join(ROOT, 'e2e/dom/preload.ts')).href
const BUILT = join(ROOT, 'node_modules/.cache/dom')
/** Sources of the script of the application. */
const SOURCES = [
  'src/{web,domain,contract}/**/*.{ts,tsx,txt}',
  'vite*.config.ts',
  'package-lock.json',
]

/** Returns the files with journeys that run in a DOM. */
export const listDomJourneys = (): string[] =>
  globSync('e2e/**/*.spec.ts', { cwd: ROOT })
    .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes(DOM_TAG))
    .sort()

/** Runs journeys in a DOM without a browser, against the product and the fake email tools. */
export const runDomSuite = async (files: string[], scratch: string): Promise<Tally> => {
  const error = buildApplication()
  if (error) return { ...NOTHING, failures: [`The application was not built: ${error}`] }
  const { startServers } = (await import(SERVERS_MODULE)) as ServersModule
  const environment = journeyEnvironment(readPort(), join(scratch, 'dom-data'))
  const stopServers = await startServers(environment)
  process.env.E2E_ORIGIN = environment.origin
  process.env.E2E_FAKES_PORT = String(environment.fakes_port)
  const queue = join(scratch, 'dom')
  const shares = shareQueue(files, { queue, scratch, processes: PROCESSES, preload: PRELOAD })
  return runShares(shares, { files, scratch }).finally(stopServers)
}

/** Builds the application as one script if its sources have changed. Returns an error message; undefined if all is well. */
const buildApplication = (): string | undefined => {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(ROOT, file)))
  const digest = hash.digest('hex')
  const stamp = join(BUILT, 'built-from')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return undefined
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel=warn']
  const { status, stderr } = spawnSync(
    process.execPath,
    [...vite, '--config', 'vite.dom.config.ts'],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status !== 0) return stderr
  writeFileSync(stamp, digest)
  return undefined
}
