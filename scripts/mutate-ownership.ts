/**
 * Removes each ownership condition of the server's queries, one at a time, and checks that a test fails: `npm run
 * mutate:ownership -- [owner|parent|all] [path pattern]`. The tests are store-ownership.test.ts, isolation.test.ts,
 * then the tests next to the source. Prints the number of detected mutants and the undetected ones
 * (docs/authorisation.md).
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startTestServer } from '../src/server/testing/app/test-server.ts'
import { type Condition, conditionsOf } from './mutate/conditions.ts'
import { createProofsWith } from './mutate/proofs-with.ts'

const root = join(import.meta.dirname, '..')
const [wanted = 'owner', part = ''] = process.argv.slice(2)
const MIN_NOTICED = 0.95

type Mutant = Condition & { file: string }
const mutants: Mutant[] = globSync('src/server/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file) && new RegExp(part).test(file))
  .sort()
  .flatMap((file) =>
    conditionsOf(file, readFileSync(join(root, file), 'utf8')).map((one) => ({ ...one, file })),
  )
  .filter(({ kind }) => wanted === 'all' || kind === wanted)

const scratch = mkdtempSync(join(tmpdir(), 'quizaine-mutants-'))
for (const name of ['src', 'package.json', 'tsconfig.base.json', 'docs', 'vite.player.config.ts'])
  cpSync(join(root, name), join(scratch, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))

const { server, stop } = await startTestServer()
process.env.QUIZAINE_TEST_SERVER = JSON.stringify(server)
let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})

const proofs = createProofsWith(scratch)
/** Messages of a busy machine; they count as a detection only if they occur twice. */
const BUSY = /indisponible|not available|does not end|timeout/i

const MAX_DURATION_MS = 300_000

/** Returns true if a test of these files fails in the copy. */
const fails = (files: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const args = ['--test', '--test-concurrency=2', '--test-reporter=tap', ...files]
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    const child = spawn(process.execPath, args, { cwd: scratch, detached: true, stdio: [...stdio] })
    const end = (): void => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, MAX_DURATION_MS)
    child.stdout.on('data', (bytes: Buffer) => {
      if (/^\s*not ok /m.test(bytes.toString())) end()
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(code !== 0)
    })
  })

const noticedBeside = async ({ file, without }: Mutant): Promise<boolean> => {
  const files = globSync(`${dirname(file)}/*.test.ts`, { cwd: root })
  if (files.length === 0) return false
  const path = join(scratch, file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, without)
  try {
    return (await fails(files)) && (await fails(files))
  } finally {
    writeFileSync(path, original)
  }
}

type Told = { by: keyof typeof proofs; said: string }

/** Returns the message of the proof that detects a mutant; undefined if none does. */
const noticeOf = async ({ file, without }: Pick<Mutant, 'file' | 'without'>) => {
  for (const by of ['ownership', 'isolation'] as const) {
    const said = await proofs[by](file, without)
    const notice = said && BUSY.test(said) ? await proofs[by](file, without) : said
    if (notice) return { by, said: notice.split('\n')[0] ?? '' } satisfies Told
  }
  return undefined
}

const nameOf = ({ kind, file, line, text }: Mutant): string => `${kind} ${file}:${line} ${text}`

const unnoticed: Mutant[] = []
const survivors: Mutant[] = []
let nb_done = 0
const nb_by = { ownership: 0, isolation: 0 }
try {
  const calm = await noticeOf({ file: '', without: '' })
  if (calm) throw new Error(`Without any change: ${calm.said}`)
  for (const mutant of mutants) {
    if (isStopped) break
    const notice = await noticeOf(mutant)
    nb_done++
    if (!notice) unnoticed.push(mutant)
    if (notice) nb_by[notice.by]++
    const verdict = notice ? `noticed by ${notice.by}: ${notice.said}` : 'not noticed by the proofs'
    console.log(`${nb_done}/${mutants.length} ${nameOf(mutant)}\n    ${verdict}`)
  }
  console.log(
    `\nOf ${nb_done}, ${nb_by.ownership} noticed by the proofs of the stores, ${nb_by.isolation} by that of isolation`,
  )
  for (const mutant of unnoticed) {
    const isNoticed = !isStopped && (await noticedBeside(mutant))
    if (!isNoticed) survivors.push(mutant)
    console.log(`${nameOf(mutant)}: ${isNoticed ? 'noticed by the tests beside it' : 'SURVIVED'}`)
  }
} finally {
  await stop()
  rmSync(scratch, { recursive: true, force: true })
}

const nb_noticed = nb_done - survivors.length
console.log(`\n${nb_noticed}/${nb_done} noticed`)
for (const mutant of survivors) console.log(`survived: ${nameOf(mutant)}`)
process.exit(nb_noticed < nb_done * MIN_NOTICED ? 1 : 0)
