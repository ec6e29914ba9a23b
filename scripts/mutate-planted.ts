/**
 * Plants realistic faults (`mutate/planted`) in a copy of the repository, one at a time, and runs the test file that the
 * fault names and the tests that import the file: those of its folder, then the nearest. Then runs the journey of the fault
 * in a DOM. `npm run mutate:planted -- [pattern of area, name and file]`. Prints which test finds each fault; the last line
 * is `N of 59 found`.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startTestServer } from '../src/server/testing/app/test-server.ts'
import { ROOT } from './imports.ts'
import { copyRepository } from './mutate/copy-repository.ts'
import { hasFailed, hasFailingTest } from './mutate/has-failing-test.ts'
import { PLANTED_FAULTS } from './mutate/planted/all-faults.ts'
import type { PlantedFault } from './mutate/planted/planted-fault.ts'
import { listAffected, listTestFiles, needsPlayer } from './test/affected-tests.ts'
import { estimateMs } from './test/file-queue.ts'
import { readDurations } from './test/server-suite.ts'

/** Time after which no further test file starts for a fault. */
const BUDGET_MS = 90_000
/** Test files that run at the same time. */
const PROCESSES = 2

const countOccurrences = ({ file, from }: PlantedFault): number =>
  readFileSync(join(ROOT, file), 'utf8').split(from).length - 1
const stale = PLANTED_FAULTS.filter((fault) => countOccurrences(fault) !== 1)
for (const { name, file } of stale)
  console.error(`${file} does not contain the text of « ${name} » exactly once`)
if (stale.length > 0) process.exit(1)

const pattern = new RegExp(process.argv[2] ?? '', 'i')
const faults = PLANTED_FAULTS.filter(({ area, name, file }) =>
  pattern.test(`${area} ${name} ${file}`),
)

const scratch = mkdtempSync(join(tmpdir(), 'quizaine-planted-'))
// PostgreSQL may run as another account, which must reach its files.
chmodSync(scratch, 0o711)
const faulty = copyRepository(join(scratch, 'faulty'))
const original = copyRepository(join(scratch, 'original'))
const { server, stop } = await startTestServer()
Object.assign(process.env, {
  QUIZAINE_TEST_SERVER: JSON.stringify(server),
  HTTP_LOOP_DELAY_MS: '600000',
  NODE_COMPILE_CACHE: join(scratch, 'compiled'),
})
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort())
process.once('SIGINT', () => stopping.abort())

const durations = readDurations()
/** Returns the ring and the feature of a file, such as `src/server/auth/`. */
const featureOf = (file: string): string => `${file.split('/').slice(0, 3).join('/')}/`

/** Returns the first word of a file name, such as `merge` for `merge-rows.ts`. */
const firstWordOf = (file: string): string => basename(file).split(/[-.]/)[0] ?? ''

/** Returns a low number for a test file that is likely to find a fault of a source file; `rank` is its place by imports. */
const farnessOf = (test: string, { file, rank }: { file: string; rank: number }): number => {
  if (test === file.replace(/\.tsx?$/, '.test.ts')) return -3
  if (dirname(test) === dirname(file) && firstWordOf(test) === firstWordOf(file)) return -2
  // A hundred neighbours in the list have about the same distance.
  return test.startsWith(featureOf(file)) ? -1 : Math.floor(rank / 100)
}

/**
 * Returns the affected test files: the named one, those of the file, of its feature, then the nearest, short ones before
 * long ones.
 */
const listNearest = ({ file, test: named }: PlantedFault): string[] => {
  const ranks = listAffected([file], listTestFiles()).map((test, rank) => ({
    test,
    farness: farnessOf(test, { file, rank }),
    ms: estimateMs(test, durations),
  }))
  const nearest = ranks.toSorted((a, b) => a.farness - b.farness || a.ms - b.ms)
  return [...new Set([...(named ? [named] : []), ...nearest.map(({ test }) => test)])]
}

/** Folder of the built public page by copy of the repository. */
const players = new Map<string, Promise<string>>()
const VITE = ['node_modules/vite/bin/vite.js', 'build', '--logLevel=silent']

/** Builds the public page of a copy once. If the build fails, so do the tests that need the page. */
const buildPlayer = (cwd: string): Promise<string> => {
  const folder = join(cwd, 'dist/player')
  const args = [...VITE, '--config', 'vite.player.config.ts', '--outDir', folder, '--emptyOutDir']
  const built = players.get(cwd) ?? hasFailed({ cwd, args }).then(() => folder)
  players.set(cwd, built)
  return built
}
/** Files that are part of the public page. */
const IS_OF_PLAYER = /^src\/(?:web|domain|contract)\//

/** Returns the environment of a test file, with the address of the public page that the test file needs. */
const environmentOf = async (test: string, cwd: string): Promise<NodeJS.ProcessEnv> => {
  if (!needsPlayer(test)) return {}
  const folder = await buildPlayer(isPlayerFaulty ? cwd : original)
  return { QUIZAINE_TEST_PLAYER: pathToFileURL(`${folder}/`).href }
}
let isPlayerFaulty = false
/** Number of test files that were started for the current fault. */
let nb_started = 0

const isJourney = (test: string): boolean => test.startsWith('e2e/')
const fails = async (test: string, cwd: string, signal = stopping.signal): Promise<boolean> =>
  isJourney(test)
    ? hasFailed({ cwd, args: ['scripts/test.ts', 'dom', test], signal })
    : hasFailingTest([test], { cwd, env: await environmentOf(test, cwd), signal })

/** Outcome of each test file without a fault, because a test that always fails finds nothing. */
const outcomes = new Map<string, Promise<boolean>>()
const failsWithoutFault = (test: string): Promise<boolean> => {
  const known = outcomes.get(test) ?? fails(test, original)
  outcomes.set(test, known)
  return known
}

/** Returns true if a test file fails twice with the fault, which a busy machine hardly causes, and passes without the fault. */
const finds = async (test: string, signal?: AbortSignal): Promise<boolean> =>
  (await fails(test, faulty, signal)) &&
  (await fails(test, faulty, signal)) &&
  !signal?.aborted &&
  !(await failsWithoutFault(test))

/**
 * Returns the first of these test files that finds the planted fault, several at a time, and ends the others then. Starts
 * none after BUDGET_MS. Returns undefined if none finds the fault.
 */
const findFirst = async (tests: readonly string[]): Promise<string | undefined> => {
  const until = performance.now() + BUDGET_MS
  const ending = new AbortController()
  const signal = AbortSignal.any([stopping.signal, ending.signal])
  const waiting = tests.values()
  let found: string | undefined
  const takeTests = async (): Promise<void> => {
    for (const test of waiting) {
      if (signal.aborted || performance.now() > until) return
      nb_started++
      if (!(await finds(test, signal)) || signal.aborted) continue
      found = test
      ending.abort()
    }
  }
  await Promise.all(Array.from({ length: PROCESSES }, takeTests))
  return found
}

/** Returns the test file that finds a fault; undefined if none does. */
const findTest = async (fault: PlantedFault): Promise<string | undefined> => {
  const path = join(faulty, fault.file)
  const source = readFileSync(path, 'utf8')
  isPlayerFaulty = IS_OF_PLAYER.test(fault.file)
  players.delete(faulty)
  nb_started = 0
  writeFileSync(
    path,
    source.replace(fault.from, () => fault.to),
  )
  try {
    const test = await findFirst(listNearest(fault))
    if (test || !fault.journey || stopping.signal.aborted) return test
    return (await finds(fault.journey)) ? fault.journey : undefined
  } finally {
    writeFileSync(path, source)
  }
}

let nb_found = 0
let nb_tried = 0
try {
  for (const fault of faults) {
    const started = performance.now()
    const test = await findTest(fault)
    if (stopping.signal.aborted) break
    nb_tried++
    if (test) nb_found++
    const seconds = Math.round((performance.now() - started) / 1_000)
    const verdict = test ? `found by ${test}` : `not found by ${nb_started} test files`
    console.log(`${fault.area}: ${fault.name} (${fault.file})\n    ${verdict} (${seconds} s)`)
  }
} finally {
  await stop()
  rmSync(scratch, { recursive: true, force: true })
}
console.log(`${nb_found} of ${nb_tried} found`)
process.exit(0)
