/**
 * Runs test suites and prints one final line with the totals: `server` (rules and API on the embedded database or
 * TEST_DATABASE_URL), `browser` (production build), `pooler` (through PgBouncer), `postgres` and
 * `postgres-statements` (all or the query-heavy part on TEST_DATABASE_URL). Default: server and browser.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromiumForJourneys, NO_CHROMIUM } from './chromium.ts'

type Tally = {
  passed: number
  /** Failed tests, each with file and name. */
  failures: string[]
}

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'quizaine-tests-'))

const NOTHING: Tally = { passed: 0, failures: [] }

const run = (args: string[], env: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    // Shared compile cache, because each test file is a process that loads the same modules.
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env, ...env },
  }).status === 0

/** Returns the result of a suite. A suite without a report counts as one failure. */
const tallied = (suite: string, isGreen: boolean, { passed, failures }: Tally): Tally => ({
  passed,
  failures: isGreen || failures.length > 0 ? failures : [`the ${suite} suite did not end well`],
})

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const testServer = (files = 'src/**/*.test.ts'): Tally => {
  const report = join(scratch, 'server.json')
  const isGreen = run([
    '--test',
    '--test-concurrency=2',
    // A test that hangs fails after ten minutes.
    '--test-timeout=600000',
    '--test-global-setup=src/server/testing/global-setup.ts',
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test-tally.ts',
    `--test-reporter-destination=${report}`,
    files,
  ])
  return tallied('server', isGreen, existsSync(report) ? (readJson(report) as Tally) : NOTHING)
}

const testBrowser = (): Tally => {
  if (!findChromiumForJourneys()) {
    console.error(NO_CHROMIUM)
    return tallied('browser', false, NOTHING)
  }
  if (!run(['scripts/build.ts', '--if-stale'])) return tallied('build', false, NOTHING)
  const report = join(scratch, 'browser.json')
  const isGreen = run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    E2E_DATA_DIR: join(scratch, 'data'),
  })
  if (!existsSync(report)) return tallied('browser', false, NOTHING)
  const { stats, suites } = readJson(report) as BrowserReport
  return tallied('browser', isGreen, {
    passed: stats.expected + stats.flaky,
    failures: suites.flatMap(failuresOf),
  })
}

type BrowserSuite = {
  specs: { ok: boolean; file: string; line: number; title: string }[]
  suites?: BrowserSuite[]
}
type BrowserReport = { stats: { expected: number; flaky: number }; suites: BrowserSuite[] }

const failuresOf = ({ specs, suites = [] }: BrowserSuite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `e2e/${file}:${line} ${title}`),
  ...suites.flatMap(failuresOf),
]

const suites: Record<string, (() => Tally)[]> = {
  server: [testServer],
  postgres: [testServer],
  // Folders with the most SQL statements.
  'postgres-statements': [
    () =>
      testServer(
        'src/server/{deliveries/**/*,statistics/**/*,responses/**/*,public-quiz/paths}.test.ts',
      ),
  ],
  pooler: [() => testServer('src/**/*.spec.ts')],
  browser: [testBrowser],
  all: [testServer, testBrowser],
}

const wanted = process.argv[2] ?? 'all'
if (wanted.startsWith('postgres') && !process.env.TEST_DATABASE_URL) {
  console.error('Set TEST_DATABASE_URL to a PostgreSQL server where databases may be created.')
  process.exit(1)
}
const tallies = (suites[wanted] ?? []).map((suite) => suite())
rmSync(scratch, { recursive: true, force: true })
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
const failures = tallies.flatMap((tally) => tally.failures)
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exit(passed > 0 && failures.length === 0 ? 0 : 1)
