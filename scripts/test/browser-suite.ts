import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'
import { NO_CHROMIUM, prepareChromium } from './chromium.ts'
import { NOTHING, type Tally } from './tally.ts'

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/** Journeys that the run of a whole suite leaves out; the pattern is matched against project, file, title and tags. */
const LEFT_OUT = {
  /** `npm test`: journeys that ran in a DOM, those of rare widths, states and repetitions, and second runs on a phone. */
  daily: '^phone |@dom|@rare',
  /** `npm run test:all`: journeys that ran in a DOM, except their second run on a phone. */
  all: '^desktop .*@dom',
}

/**
 * Runs the journeys in Chromium on the production build, which is built if it is stale. `scratch` holds their data. A
 * `level` leaves out the journeys that this level of the suite does not need.
 */
export const runBrowserSuite = async (
  files: string[],
  { scratch, level }: { scratch: string; level?: keyof typeof LEFT_OUT },
): Promise<Tally> => {
  if (!(await prepareChromium())) return { ...NOTHING, failures: [NO_CHROMIUM] }
  const build = runNode(['scripts/build.ts', '--if-stale'])
  if (!build) return { ...NOTHING, failures: ['the browser’s files could not be built'] }
  const report = join(scratch, 'browser.json')
  const filter = level ? [`--grep-invert=${LEFT_OUT[level]}`] : []
  const isGreen = runNode([PLAYWRIGHT, 'test', '--reporter=list,json', ...filter, ...files], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    E2E_DATA_DIR: join(scratch, 'data'),
  })
  if (!existsSync(report)) return { ...NOTHING, failures: ['the journeys did not start'] }
  const { stats, suites } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failures = suites.flatMap((suite) => placesOf(suite, (status) => status === 'unexpected'))
  return {
    passed: stats.expected + stats.flaky,
    failures: isGreen || failures.length > 0 ? failures : ['the journeys did not end well'],
    retried: suites.flatMap((suite) => placesOf(suite, (status) => status === 'flaky')),
  }
}

const runNode = (args: string[], env: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(process.execPath, args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status === 0

type Status = 'expected' | 'unexpected' | 'flaky' | 'skipped'
type Suite = {
  specs: { file: string; line: number; title: string; tests: { status: Status }[] }[]
  suites?: Suite[]
}
type Report = { stats: { expected: number; flaky: number }; suites: Suite[] }

/** Returns the place and title of each test that ended with a wanted status. */
const placesOf = (
  { specs, suites = [] }: Suite,
  isWanted: (status: Status) => boolean,
): string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => isWanted(status)))
    .map(({ file, line, title }) => `e2e/${file}:${line} ${title}`),
  ...suites.flatMap((suite) => placesOf(suite, isWanted)),
]
