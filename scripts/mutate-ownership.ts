/**
 * Mutation test of access control: removes each ownership condition of the queries, one at a time, and checks that a
 * test fails. `npm run mutate:ownership -- [owner|parent|all] [path pattern]`. Prints the number of detected mutants, and
 * the mutants that no test detects (docs/authorisation.md).
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startTestServer } from '../src/server/testing/app/test-server.ts'
import { type Condition, conditionsOf } from './mutate/conditions.ts'
import { copyRepository } from './mutate/copy-repository.ts'
import { hasFailingTest } from './mutate/has-failing-test.ts'
import { createProofsWith } from './mutate/proofs-with.ts'

const root = join(import.meta.dirname, '..')
const [wanted = 'owner', part = ''] = process.argv.slice(2)
const MIN_DETECTED_SHARE = 0.95

type Mutant = Condition & { file: string }
const mutants: Mutant[] = globSync('src/server/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file) && new RegExp(part).test(file))
  .sort()
  .flatMap((file) =>
    conditionsOf(file, readFileSync(join(root, file), 'utf8')).map((one) => ({ ...one, file })),
  )
  .filter(({ kind }) => wanted === 'all' || kind === wanted)

const scratch = mkdtempSync(join(tmpdir(), 'quizaine-mutants-'))
const copy = copyRepository(join(scratch, 'copy'))

const { server, stop } = await startTestServer()
process.env.QUIZAINE_TEST_SERVER = JSON.stringify(server)
let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})

const proofs = createProofsWith(copy)
/** Errors that a busy machine can also cause. They count as a detection only if they occur twice. */
const BUSY = /indisponible|not available|does not end|timeout/i

const isDetectedByNearbyTests = async ({ file, without }: Mutant): Promise<boolean> => {
  const files = globSync(`${dirname(file)}/*.test.ts`, { cwd: root })
  if (files.length === 0) return false
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, without)
  try {
    return (
      (await hasFailingTest(files, { cwd: copy })) && (await hasFailingTest(files, { cwd: copy }))
    )
  } finally {
    writeFileSync(path, original)
  }
}

type Detection = { test_kind: keyof typeof proofs; message: string }

/** Returns the message of the proof that detects a mutant; undefined if none does. */
const findDetection = async ({ file, without }: Pick<Mutant, 'file' | 'without'>) => {
  for (const test_kind of ['ownership', 'isolation'] as const) {
    const message = await proofs[test_kind](file, without)
    const detection =
      message && BUSY.test(message) ? await proofs[test_kind](file, without) : message
    if (detection) return { test_kind, message: detection.split('\n')[0] ?? '' } satisfies Detection
  }
  return undefined
}

const nameOf = ({ kind, file, line, text }: Mutant): string => `${kind} ${file}:${line} ${text}`

const undetected: Mutant[] = []
const survivors: Mutant[] = []
let nb_done = 0
const nb_detected_by = { ownership: 0, isolation: 0 }
try {
  const unmutated_failure = await findDetection({ file: '', without: '' })
  if (unmutated_failure)
    throw new Error(`A test fails without any mutation: ${unmutated_failure.message}`)
  for (const mutant of mutants) {
    if (isStopped) break
    const detection = await findDetection(mutant)
    nb_done++
    if (!detection) undetected.push(mutant)
    if (detection) nb_detected_by[detection.test_kind]++
    const verdict = detection
      ? `detected by the ${detection.test_kind} test: ${detection.message}`
      : 'not detected by the ownership and isolation tests'
    console.log(`${nb_done}/${mutants.length} ${nameOf(mutant)}\n    ${verdict}`)
  }
  console.log(
    `\nOf ${nb_done}, ${nb_detected_by.ownership} detected by the ownership tests, ${nb_detected_by.isolation} by the isolation test`,
  )
  for (const mutant of undetected) {
    const isDetected = !isStopped && (await isDetectedByNearbyTests(mutant))
    if (!isDetected) survivors.push(mutant)
    console.log(
      `${nameOf(mutant)}: ${isDetected ? 'detected by the tests next to the source' : 'SURVIVED'}`,
    )
  }
} finally {
  await stop()
  rmSync(scratch, { recursive: true, force: true })
}

const nb_detected = nb_done - survivors.length
console.log(`\n${nb_detected}/${nb_done} detected`)
for (const mutant of survivors) console.log(`survived: ${nameOf(mutant)}`)
process.exit(nb_detected < nb_done * MIN_DETECTED_SHARE ? 1 : 0)
