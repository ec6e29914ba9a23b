/**
 * Runs tests and prints a last line with the totals. Without arguments: `server`, `dom` and the main journeys of `browser`.
 * With one suite's name: `server` (rules and API on the embedded database or TEST_DATABASE_URL, without files that say
 * « Runs in test:all »), `all` (a run without arguments, also those files, all cases and all journeys), `dom` (journeys in a
 * DOM without a browser), `browser` (all journeys on the production build, except those of `world`), `world` (every feature in
 * the surroundings of docs/world.md; with `--after-all` without the tests that `all` runs), `engines` (journeys in Firefox and WebKit), `near` (tests that import what changed since
 * the last commit), `watch` (the same at each save), `coverage` (of the server's suite, or of named files), `pooler` (through
 * PgBouncer), `postgres` and `postgres-statements` (all or the query-heavy part on TEST_DATABASE_URL). With files: these alone.
 */
import { chmodSync, existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './imports.ts'
import {
  changedFiles,
  listDailyTestFiles,
  listTestFiles,
  needsServer,
  selectAffected,
  toListed,
} from './test/affected-tests.ts'
import { runBrowserSuite } from './test/browser-suite.ts'
import { listDomJourneys, runDomSuite } from './test/dom-suite.ts'
import { runEngineSuite } from './test/engine-suite.ts'
import { type PartTime, printPartTimes, timePart } from './test/part-times.ts'
import { readDurations, runServerSuite } from './test/server-suite.ts'
import { printTally, sumTallies, type Tally } from './test/tally.ts'
import { watchTests } from './test/watch-suite.ts'
import { listWorldSuite, printWorldTable } from './test/world-suite.ts'

/** Folder in memory on Linux. A database is copied there in a tenth of the time that a disk needs. */
const MEMORY_FOLDER = '/dev/shm'
/** Free bytes that the folder in memory must have. A run fills half a gigabyte. */
const MIN_FREE_BYTES = 2 * 1024 ** 3

/** Returns the folder for temporary files: in memory if there is enough of it, otherwise the system's. */
const findTemporaryFolder = (): string => {
  if (process.env.TMPDIR) return process.env.TMPDIR
  if (!existsSync(MEMORY_FOLDER)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir()
}

const scratch = mkdtempSync(join(findTemporaryFolder(), 'quizaine-'))
// PostgreSQL may run as another account, which must reach its files.
chmodSync(scratch, 0o711)
// Processes of the tests put their temporary files there, which end with the run.
process.env.TMPDIR = scratch
/** Time that `near` may take, without the start of a database. */
const NEAR_BUDGET_MS = 50_000
/** Folders with the most SQL statements. */
const STATEMENTS =
  'src/server/{deliveries/**/*,statistics/**/*,responses/**/*,public-quiz/paths}.test.ts'
/** Long simulations, which repeat the statements of other files. */
const SIMULATIONS =
  'src/server/deliveries/{blocked-mail,contact-faults,labels,random-faults}.test.ts'

const runServer = (files: string[]): Promise<Tally> =>
  runServerSuite(files, { scratch, has_database: needsServer(files) })

const runNear = (commit = 'HEAD'): Promise<Tally> => {
  const changed = changedFiles(commit)
  const options = { durations: readDurations(), budget_ms: NEAR_BUDGET_MS }
  const { files, left_out } = selectAffected(changed, options)
  console.log(`${changed.length} files changed since ${commit}; ${files.length} test files run`)
  if (left_out > 0) console.log(`${left_out} more test files would take longer than a minute`)
  return files.length > 0 ? runServer(files) : Promise.resolve(sumTallies([]))
}

/** Runs affected tests at each save: those of the named files and folders, or all. Begins with what changed since the last commit. */
const runWatch = async (names: string[]): Promise<void> => {
  const only = names.length > 0 ? names.flatMap(listFiles).map(toListed) : undefined
  const changed = only ?? changedFiles('HEAD')
  await watchTests({ changed, only, scratch, budget_ms: NEAR_BUDGET_MS })
}

/** Returns the test files of a folder; a file stands for itself. */
const listFiles = (name: string): string[] =>
  statSync(name).isDirectory()
    ? globSync('**/*.{test,spec,journey}.ts', { cwd: name }).map((file) => join(name, file))
    : [name]

/** Runs tests of the server's suite and prints their coverage by folder. Without names, all of them. */
const runCoverage = (names: string[]): Promise<Tally> => {
  const files = names.length > 0 ? names.flatMap(listFiles).map(toListed) : listTestFiles()
  return runServerSuite(files, { scratch, has_database: needsServer(files), has_coverage: true })
}

/** Runs the named test files and folders: journeys in their browsers, all others in Node. */
const runNamed = async (names: string[]): Promise<Tally> => {
  const files = names.flatMap(listFiles).map(toListed).sort()
  const engine_journeys = files.filter((file) => file.endsWith('.journey.ts'))
  const journeys = files.filter((file) => file.startsWith('e2e/') && file.endsWith('.spec.ts'))
  const others = files.filter((file) => !file.startsWith('e2e/'))
  return sumTallies([
    ...(others.length > 0 ? [await runServer(others)] : []),
    ...(journeys.length > 0 ? [await runBrowserSuite(journeys, { scratch })] : []),
    ...(engine_journeys.length > 0 ? [await runEngineSuite(engine_journeys, scratch)] : []),
  ])
}

/** Returns the journeys in Chromium, except those that `world` runs. */
const listJourneys = (): string[] => {
  const world = listWorldSuite()
  return globSync('e2e/**/*.spec.ts', { cwd: ROOT }).filter((file) => !world.includes(file))
}

/** Runs the tests of the surroundings. After `test:all`, those that it has run are left out. */
const runWorld = async (isAfterAll: boolean): Promise<Tally> => {
  const has_run = new Set(isAfterAll ? listTestFiles() : [])
  const tally = await runNamed(listWorldSuite().filter((file) => !has_run.has(file)))
  printWorldTable(tally)
  return tally
}

const requireDatabase = (): void => {
  if (process.env.TEST_DATABASE_URL) return
  console.error('Set TEST_DATABASE_URL to a PostgreSQL server where databases may be created.')
  process.exit(1)
}

/** Makes the tests of this run try fewer cases (`pickByRun`), and returns the server's files of `npm test`. */
const prepareDaily = (): string[] => {
  process.env.TEST_DAILY = 'on'
  return listDailyTestFiles()
}

/** Runs tests of the server, the journeys in a DOM and those journeys in Chromium that the level needs. Prints their times. */
const runWhole = async (files: string[], level: 'daily' | 'all'): Promise<Tally> => {
  const times: PartTime[] = []
  const tallies = [
    await timePart(times, 'server', () => runServer(files)),
    await timePart(times, 'DOM', () => runDomSuite(listDomJourneys(), scratch)),
    await timePart(times, 'Chromium', () => runBrowserSuite(listJourneys(), { scratch, level })),
  ]
  printPartTimes(times)
  return sumTallies(tallies)
}

const run = async ([suite, ...names]: string[]): Promise<Tally> => {
  if (suite === undefined) return runWhole(prepareDaily(), 'daily')
  if (suite.startsWith('postgres')) requireDatabase()
  switch (suite) {
    case 'all':
      return runWhole(listTestFiles(), 'all')
    case 'server':
      return runServer(prepareDaily())
    case 'postgres':
      return runServer(listTestFiles())
    case 'postgres-statements':
      return runServer(globSync(STATEMENTS, { cwd: ROOT, exclude: [SIMULATIONS] }))
    case 'pooler':
      return runServer(globSync('src/**/*.spec.ts', { cwd: ROOT }))
    case 'dom':
      return runDomSuite(names.length > 0 ? names.map(toListed) : listDomJourneys(), scratch)
    case 'browser':
      return runBrowserSuite(names.length > 0 ? names : listJourneys(), { scratch })
    case 'world':
      return runWorld(names.includes('--after-all'))
    case 'engines':
      return runEngineSuite(names.map(toListed), scratch)
    case 'coverage':
      return runCoverage(names)
    case 'near':
      return runNear(names[0])
    default:
      return runNamed([suite, ...names])
  }
}

const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true })
process.once('exit', removeScratch)
if (process.argv[2] === 'watch') {
  await runWatch(process.argv.slice(3))
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const tally = await run(process.argv.slice(2))
printTally(tally)
const isNear = process.argv[2] === 'near'
process.exit((tally.passed > 0 || isNear) && tally.failures.length === 0 ? 0 : 1)
