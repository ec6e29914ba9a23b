import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { globalSetup, globalTeardown } from '../../src/server/testing/global-setup.ts'
import { ROOT } from '../imports.ts'
import { COVERAGE_OPTIONS, printCoverage } from './coverage.ts'
import { createQueue, type Durations, isAlone } from './file-queue.ts'
import { tallyTests } from './node-tests.ts'
import type { QueueShare } from './run-files.ts'
import type { Tally } from './tally.ts'

/** Processes at the same time: one more than cores, because tests often wait. */
export const PROCESSES = availableParallelism() + 1
/**
 * Processes of a whole run. They are enough for a machine that is five times slower than a quiet one. On a quiet machine
 * the last ones find no file and end in a fifth of a second.
 */
const MAX_SERVER_PROCESSES = 36
/**
 * Milliseconds after which a process takes no more files. The next process then starts with an empty memory, and a busy
 * machine does not reach the timeout of a process.
 */
const PROCESS_LIMIT_MS = 180_000
/** A test that hangs fails after twenty minutes, and so does a process with several files. */
const TEST_TIMEOUT_MS = 1_200_000
const DURATIONS = join(ROOT, 'node_modules/.cache/test-durations.json')
const DURATIONS_LOG = 'durations.jsonl'
const COMPILED = join(ROOT, 'node_modules/.cache/node')

/** Returns the durations of the last runs on this machine; empty before the first. */
export const readDurations = (): Durations =>
  existsSync(DURATIONS) ? (JSON.parse(readFileSync(DURATIONS, 'utf8')) as Durations) : {}

/**
 * Runs test files of `src` and `world` in a few processes and returns their tally. `scratch` is a folder for temporary files.
 * `has_database` false skips the build and the database, which rules do not need. `keeps_database` leaves the database running
 * for the next call. `has_coverage` prints which lines, branches and functions ran, by folder.
 */
export const runServerSuite = async (
  files: string[],
  {
    scratch,
    has_database,
    keeps_database = false,
    has_coverage = false,
  }: {
    scratch: string
    has_database: boolean
    keeps_database?: boolean
    has_coverage?: boolean
  },
): Promise<Tally> => {
  // Processes of a run inherit the environment, which the set-up fills.
  if (has_database) await globalSetup()
  const running = runShares(shareFiles(files, scratch), { files, scratch, has_coverage })
  return keeps_database ? running : running.finally(globalTeardown)
}

/** Runs the shares of a queue in processes, as many at once as the machine can use. Returns the tally of all files. */
export const runShares = async (
  shares: QueueShare[],
  {
    files,
    scratch,
    has_coverage = false,
  }: { files: string[]; scratch: string; has_coverage?: boolean },
): Promise<Tally> => {
  // V8 counts functions inexactly if their code comes from the cache.
  if (!has_coverage) process.env.NODE_COMPILE_CACHE ??= COMPILED
  const log = join(scratch, DURATIONS_LOG)
  writeFileSync(log, '')
  const modules = shares.map((share, place) =>
    writeProcess(share, join(scratch, `process-${place}.mjs`)),
  )
  const events = run({
    files: modules,
    concurrency: PROCESSES,
    timeout: TEST_TIMEOUT_MS,
    cwd: ROOT,
    ...(has_coverage && COVERAGE_OPTIONS),
  })
  events.once('test:coverage', ({ summary }) => {
    console.log()
    printCoverage(summary.files)
  })
  const tally = await tallyTests(events, TESTS_PER_DOT)
  const measured = storeDurations(log)
  const unfinished = files
    .filter((file) => !(file in measured))
    .map((file) => `${file} did not run to its end`)
  return { ...tally, failures: [...tally.failures, ...unfinished] }
}

const TESTS_PER_DOT = 25

/**
 * Returns the share of each process, in the order of their starts. Tests of the server (`src/server`, `world`) and all others are in
 * different processes, because the timers of an earlier `fetch` disturb tests that mock timers.
 */
const shareFiles = (files: string[], scratch: string): QueueShare[] => {
  const shareAmong = (name: string, queued: string[], processes: number): QueueShare[] =>
    shareQueue(queued, { queue: join(scratch, name), scratch, processes })
  const isServer = (file: string): boolean => /^(?:src\/server|world)\//.test(file)
  const shared = files.filter((file) => !isAlone(file))
  return [
    ...files.filter(isAlone).flatMap((file, place) => shareAmong(`alone-${place}`, [file], 1)),
    ...shareAmong(
      'others',
      shared.filter((file) => !isServer(file)),
      1,
    ),
    ...shareAmong('server', shared.filter(isServer), MAX_SERVER_PROCESSES),
  ]
}

/** Creates a queue of files in the folder `queue`, and returns the shares of its processes. */
export const shareQueue = (
  files: string[],
  {
    queue,
    scratch,
    processes,
    preload = null,
  }: { queue: string; scratch: string; processes: number; preload?: string | null },
): QueueShare[] => {
  createQueue(queue, files, readDurations())
  return Array.from({ length: Math.min(processes, files.length) }, (_, place) => ({
    queue,
    preload,
    log_path: join(scratch, DURATIONS_LOG),
    limit_ms: place < processes - PROCESSES ? PROCESS_LIMIT_MS : null,
  }))
}

/** Writes the module of one process. Returns its path. */
const writeProcess = (share: QueueShare, path: string): string => {
  writeFileSync(
    path,
    `import { runFiles } from ${JSON.stringify(join(import.meta.dirname, 'run-files.ts'))}\n` +
      `await runFiles(${JSON.stringify(share)})\n`,
  )
  return path
}

/** Keeps the durations of this run for the next one. Returns the duration of each file that ran to its end. */
const storeDurations = (log_path: string): Durations => {
  const lines = readFileSync(log_path, 'utf8').trim().split('\n').filter(Boolean)
  const measured = lines.map((line) => JSON.parse(line) as { name: string; ms: number })
  const now = Object.fromEntries(measured.map(({ name, ms }) => [name, ms]))
  mkdirSync(dirname(DURATIONS), { recursive: true })
  writeFileSync(DURATIONS, JSON.stringify({ ...readDurations(), ...now }, null, 1))
  return now
}
