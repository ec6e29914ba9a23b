import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from 'node:test'
import { globalSetup, globalTeardown } from '../../src/server/testing/global-setup.ts'
import { ROOT } from '../imports.ts'
import { type Durations, groupFiles } from './groups.ts'
import { tallyTests } from './node-tests.ts'
import type { Tally } from './tally.ts'

/** Processes at the same time: one more than cores, because tests often wait. */
const PROCESSES = availableParallelism() + 1
/** Processes of a whole run for tests of the server. Fewer load modules less often; more need less memory each. */
const MAX_SERVER_GROUPS = 14
/**
 * Processes of a whole run for the other tests. They are apart, because the timers of an earlier `fetch` disturb tests
 * that mock timers.
 */
const MAX_OTHER_GROUPS = 2
/** A test that hangs fails after twenty minutes, and so does a process with several files. */
const TEST_TIMEOUT_MS = 1_200_000
const DURATIONS = join(ROOT, 'node_modules/.cache/test-durations.json')
const COMPILED = join(ROOT, 'node_modules/.cache/node')

/** Returns the durations of the last runs on this machine; empty before the first. */
export const readDurations = (): Durations =>
  existsSync(DURATIONS) ? (JSON.parse(readFileSync(DURATIONS, 'utf8')) as Durations) : {}

/**
 * Runs test files of `src` in a few processes and returns their tally. `scratch` is a folder for temporary files.
 * `has_database` false skips the build and the database, which rules do not need.
 */
export const runServerSuite = async (
  files: string[],
  { scratch, has_database }: { scratch: string; has_database: boolean },
): Promise<Tally> => {
  process.env.NODE_COMPILE_CACHE ??= COMPILED
  const log = join(scratch, 'durations.jsonl')
  writeFileSync(log, '')
  const isServer = (file: string): boolean => file.startsWith('src/server/')
  const durations = readDurations()
  const groups = [
    ...groupFiles(files.filter(isServer), durations, MAX_SERVER_GROUPS),
    ...groupFiles(
      files.filter((file) => !isServer(file)),
      durations,
      MAX_OTHER_GROUPS,
    ),
  ]
  // Processes of a run inherit the environment, which the set-up fills.
  if (has_database) await globalSetup()
  const events = run({
    files: groups.map((group, place) =>
      writeGroup(group, join(scratch, `group-${place}.mjs`), log),
    ),
    concurrency: PROCESSES,
    timeout: TEST_TIMEOUT_MS,
    cwd: ROOT,
  })
  const tally = await tallyTests(events, TESTS_PER_DOT).finally(globalTeardown)
  storeDurations(log)
  return tally.passed > 0 || tally.failures.length > 0
    ? tally
    : { ...tally, failures: ['the server suite ran no test'] }
}

const TESTS_PER_DOT = 25

/** Writes the module of one process, which runs a group of files. Returns its path. */
const writeGroup = (files: string[], path: string, log_path: string): string => {
  const named = files.map((file) => ({ name: file, path: join(ROOT, file) }))
  writeFileSync(
    path,
    `import { runFiles } from ${JSON.stringify(join(import.meta.dirname, 'run-files.ts'))}\n` +
      `await runFiles(${JSON.stringify(named)}, ${JSON.stringify(log_path)})\n`,
  )
  return path
}

/** Keeps the durations of this run for the next one. */
const storeDurations = (log_path: string): void => {
  const lines = readFileSync(log_path, 'utf8').trim().split('\n').filter(Boolean)
  const measured = lines.map((line) => JSON.parse(line) as { name: string; ms: number })
  const now = Object.fromEntries(measured.map(({ name, ms }) => [name, ms]))
  mkdirSync(dirname(DURATIONS), { recursive: true })
  writeFileSync(DURATIONS, JSON.stringify({ ...readDurations(), ...now }, null, 1))
}
