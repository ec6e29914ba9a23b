/**
 * Removes each condition by which the server's queries ask whose something is, one at a time, and runs
 * the tests that should notice: `npm run mutate:ownership -- [owner|parent|all] [part of a path]`. It works
 * on a copy of the sources and ends with how many were noticed and which were not (docs/authorisation.md).
 */
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startTestServer } from '../src/server/testing/test-server.ts'
import { type Condition, conditionsOf } from './mutate/conditions.ts'

const root = join(import.meta.dirname, '..')
const [wanted = 'owner', part = ''] = process.argv.slice(2)

type Mutant = Condition & { file: string }
const mutants: Mutant[] = globSync('src/server/**/*.ts', { cwd: root })
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file) && file.includes(part))
  .sort()
  .flatMap((file) =>
    conditionsOf(file, readFileSync(join(root, file), 'utf8')).map((one) => ({ ...one, file })),
  )
  .filter(({ kind }) => wanted === 'all' || kind === wanted)

const scratch = mkdtempSync(join(tmpdir(), 'quizaine-mutants-'))
for (const name of ['src', 'package.json', 'tsconfig.base.json', 'docs', 'vite.player.config.ts'])
  cpSync(join(root, name), join(scratch, name), { recursive: true })
for (const name of ['node_modules', 'dist'])
  if (existsSync(join(root, name))) symlinkSync(join(root, name), join(scratch, name))

const { server, stop } = await startTestServer()
let isStopped = false
process.once('SIGTERM', () => {
  isStopped = true
})
const LONGEST_MS = 180_000

/** The first test that fails; undefined when none does. */
const failing = (files: string[], only?: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    let failed: string | undefined
    const args = ['--test', '--test-concurrency=2', '--test-reporter=tap']
    if (only) args.push(`--test-name-pattern=${only}`)
    const child = spawn(process.execPath, [...args, ...files], {
      cwd: scratch,
      detached: true,
      env: { ...process.env, QUIZAINE_TEST_SERVER: JSON.stringify(server) },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const end = (): void => {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = setTimeout(end, LONGEST_MS)
    child.stdout.on('data', (bytes: Buffer) => {
      failed ??= /^\s*not ok \d+ - (.*)$/m.exec(bytes.toString())?.[1]
      if (failed) end()
    })
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve(failed ?? (code === 0 ? undefined : 'the whole run'))
    })
  })

/** The tests that a change of a file is shown to, the nearest first. */
const stagesOf = (file: string): { files: string[]; only?: string }[] => {
  const own = globSync(`${dirname(file)}/*.test.ts`, { cwd: root })
  const stages = [
    {
      files: [
        'src/server/confusion.test.ts',
        'src/server/quizzes/ownership.test.ts',
        'src/server/mass-assignment.test.ts',
      ],
    },
    ...(own.length > 0 ? [{ files: own }] : []),
    { files: ['src/server/access.test.ts'], only: 'other user' },
  ]
  return file.includes('/auth/') ? [...stages.slice(1), ...stages.slice(0, 1)] : stages
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A test that fails twice: what a busy machine alone makes fail is no notice. */
const noticedBy = async (file: string): Promise<string | undefined> => {
  for (const { files, only } of stagesOf(file)) {
    const test = await failing(files, only)
    if (test && (await failing(files, only ?? `^${escaped(test)}$`))) return test
  }
  return undefined
}

const survivors: Mutant[] = []
try {
  for (const [index, mutant] of mutants.entries()) {
    if (isStopped) break
    const { file, line, text, without, kind } = mutant
    const path = join(scratch, file)
    const original = readFileSync(path, 'utf8')
    writeFileSync(path, without)
    const test = await noticedBy(file)
    writeFileSync(path, original)
    if (!test) survivors.push(mutant)
    const verdict = test ? `noticed by « ${test} »` : 'SURVIVED'
    console.log(`${index + 1}/${mutants.length} ${kind} ${file}:${line} ${text}: ${verdict}`)
  }
} finally {
  await stop()
  rmSync(scratch, { recursive: true, force: true })
}

const killed = mutants.length - survivors.length
console.log(`\n${killed}/${mutants.length} noticed`)
for (const { file, line, text } of survivors) console.log(`survived: ${file}:${line} ${text}`)
process.exit(survivors.length > mutants.length * 0.05 ? 1 : 0)
