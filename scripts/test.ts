/**
 * Runs the suites and ends on one line that counts them all: `server` (rules and API, on the embedded
 * database or on TEST_DATABASE_URL), `browser` (journeys on the production build); both by default. `pooler`: through PgBouncer;
 * `postgres` on TEST_DATABASE_URL alone, `postgres-statements` the part of it that queries most.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, NO_CHROMIUM } from './chromium.ts'

type Tally = { passed: number; failed: number }

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'quizaine-tests-'))

const run = (args: string[], env: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status === 0

/** A suite that could not even report counts as one failure, never as none. */
const tallied = (isGreen: boolean, passed: number, failed: number): Tally => ({
  passed,
  failed: isGreen ? failed : Math.max(failed, 1),
})

const testServer = (files = 'src/**/*.test.ts'): Tally => {
  const report = join(scratch, 'server.tap')
  const isGreen = run([
    '--test',
    '--test-concurrency=2',
    // What never ends is a failure, not a run that never ends.
    '--test-timeout=600000',
    '--test-global-setup=src/server/testing/global-setup.ts',
    '--test-reporter=dot',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${report}`,
    files,
  ])
  const tap = readFileSync(report, 'utf8')
  const count = (word: string): number =>
    Number(tap.match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0)
  return tallied(isGreen, count('pass'), count('fail') + count('cancelled'))
}

const testBrowser = (): Tally => {
  if (!findChromium()) {
    console.error(NO_CHROMIUM)
    return { passed: 0, failed: 1 }
  }
  if (!run(['scripts/build.ts', '--if-stale'])) return { passed: 0, failed: 1 }
  const report = join(scratch, 'browser.json')
  const isGreen = run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    E2E_DATA_DIR: join(scratch, 'data'),
  })
  const { stats } = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number }
  }
  return tallied(isGreen, stats.expected + stats.flaky, stats.unexpected)
}

const suites: Record<string, (() => Tally)[]> = {
  server: [testServer],
  postgres: [testServer],
  // Where most of the statements are.
  'postgres-statements': [
    () => testServer('src/server/{deliveries,statistics,taking}/**/*.test.ts'),
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
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(passed > 0 && failed === 0 ? 0 : 1)
