import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../imports.ts'

/** First words of the comment of a test file that changes its process: memory limits, timers, signals. */
const OWN_PROCESS = '// Runs in its own process'
/** First words of the comment of a test file that takes more than fifteen seconds on a quiet machine. */
const SLOW = '// Starts early'
/** First words of the comment of a test file that only `npm run test:all` runs: a long simulation or proof. */
const ONLY_IN_TEST_ALL = '// Runs in test:all'

/** Estimated speed of files that never ran here, in bytes of source per millisecond. */
const BYTES_PER_MS = 4
const SLOW_MS = 30_000

/** Milliseconds that a test file took at its last run, by path. */
export type Durations = Record<string, number>

const readTest = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Returns true if a test file asks for a process of its own. */
export const isAlone = (file: string): boolean => readTest(file).includes(OWN_PROCESS)

/** Returns true if `npm test` leaves a test file out and `npm run test:all` runs it. */
export const isOnlyInTestAll = (file: string): boolean => readTest(file).includes(ONLY_IN_TEST_ALL)

/** Returns the expected duration of a test file: its last duration, or an estimate from its comment and size. */
export const estimateMs = (file: string, durations: Durations): number => {
  const size_ms = statSync(join(ROOT, file)).size / BYTES_PER_MS
  return durations[file] ?? (readTest(file).includes(SLOW) ? SLOW_MS : 0) + size_ms
}

/**
 * Creates a queue of test files in a new folder. Several processes take files from it, longest first, so that they end
 * at about the same time.
 */
export const createQueue = (folder: string, files: string[], durations: Durations): void => {
  mkdirSync(folder)
  const sorted = files
    .map((file) => ({ file, ms: estimateMs(file, durations) }))
    .toSorted((left, right) => right.ms - left.ms || left.file.localeCompare(right.file))
    .map(({ file }) => file)
  writeFileSync(join(folder, LIST), JSON.stringify(sorted))
}

const LIST = 'files.json'

/** Yields the next files that no other process has taken from the queue. */
export function* takeFiles(folder: string): Generator<string> {
  const files = JSON.parse(readFileSync(join(folder, LIST), 'utf8')) as string[]
  for (const [place, file] of files.entries()) if (isFirst(join(folder, `${place}`))) yield file
}

/** Creates an empty file. Returns false if another process has created it. */
const isFirst = (path: string): boolean => {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
