import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'
import { NO_CHROMIUM, prepareChromium } from './chromium.ts'
import { NOTHING, type Tally } from './tally.ts'

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/** Journeys that `npm test` leaves to `npm run test:all`: those that also run in a DOM, and those of rare widths and states. */
const LATER = '@dom|@rare'

/**
 * Runs the journeys in Chromium on the production build, which is built if it is stale. `scratch` holds their data. With
 * `is_short`, the journeys with the tag `@dom` or `@rare` are left out.
 */
export const runBrowserSuite = async (
  files: string[],
  { scratch, is_short = false }: { scratch: string; is_short?: boolean },
): Promise<Tally> => {
  if (!(await prepareChromium())) return { ...NOTHING, failures: [NO_CHROMIUM] }
  const build = runNode(['scripts/build.ts', '--if-stale'])
  if (!build) return { ...NOTHING, failures: ['the browser’s files could not be built'] }
  const report = join(scratch, 'browser.json')
  const filter = is_short ? [`--grep-invert=${LATER}`] : []
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
