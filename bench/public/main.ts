/**
 * Measures the size of a public page, and pages per second of one process against a bare node:http server that sends
 * the same bytes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addPictures, publishFullQuiz } from '../../src/server/testing/quizzes/full-quiz.ts'
import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { signUpCreator } from '../creator.ts'
import { median } from '../figures.ts'
import { buildIfStale, startServer } from '../server.ts'
import { type LoadResult, load, measureMemory } from './load.ts'
import { type Recorded, record } from './recorded-response.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    /** Number of views for the memory measurement. */
    views: { type: 'string', default: '1000000' },
  },
})
const { ROUNDS, SECONDS, VIEWS } = {
  ROUNDS: Number(values.rounds),
  SECONDS: Number(values.seconds),
  VIEWS: Number(values.views),
}
const GOAL = 0.85
const KB = 1_024
/** Maximum size for a visitor in KB, without images and fonts. */
const BUDGETS = { 'ten questions': 14, 'ten, with every part': 14, 'a hundred questions': 26 }

const startBare = async (
  recorded: Recorded[],
): Promise<{ origin: string; child: ChildProcess; folder: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'quizaine-bare-'))
  const file = join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify(recorded))
  const child = fork(join(import.meta.dirname, 'bare-server.ts'), [file])
  const [port] = (await once(child, 'message')) as [number]
  return { origin: `http://127.0.0.1:${port}`, child, folder }
}

type Pair = { ours: LoadResult; bare: LoadResult }

/** Measures both servers alternately, so that other programs affect both equally. */
const compare = async (
  origins: { ours: string; bare: string },
  { path, headers }: Recorded,
  etag?: string,
): Promise<Pair[]> => {
  const options = { seconds: SECONDS, etag: etag ? headers.etag : undefined }
  const pairs: Pair[] = []
  for (let round = 0; round < ROUNDS; round++)
    pairs.push({
      bare: await load(origins.bare, path, options),
      ours: await load(origins.ours, path, options),
    })
  return pairs
}

const rowOf = (pairs: Pair[]) => {
  const rate = median(pairs.map(({ ours, bare }) => ours.per_second / bare.per_second))
  // CPU time is not affected by other processes.
  const cpu = median(pairs.map(({ ours, bare }) => bare.cpu_us / ours.cpu_us))
  return {
    'ours, /s': Math.round(median(pairs.map(({ ours }) => ours.per_second))),
    'bare, /s': Math.round(median(pairs.map(({ bare }) => bare.per_second))),
    ratio: Math.round(rate * 100) / 100,
    'ours, µs': Math.round(median(pairs.map(({ ours }) => ours.cpu_us))),
    'bare, µs': Math.round(median(pairs.map(({ bare }) => bare.cpu_us))),
    'ratio of µs': Math.round(cpu * 100) / 100,
    goal: rate >= GOAL ? `≥ ${GOAL}` : `MISSED ${GOAL}`,
  }
}

buildIfStale()
const server = await startServer()
const ours = server.origin.replace('localhost', '127.0.0.1')
try {
  const client = await signUpCreator(ours)
  const id = await publishSizedQuiz(client, 10)
  const full_quiz = await publishSizedQuiz(client, 10)
  await publishFullQuiz(client, full_quiz, await addPictures(client))
  const pages = {
    'ten questions': await record(ours, `/q/${id}`),
    'ten, with every part': await record(ours, `/q/${full_quiz}`),
    'a hundred questions': await record(ours, `/q/${await publishSizedQuiz(client, 100)}`),
  }
  const page = pages['ten questions']
  console.log('Transferred size with headers, in brotli, without images and fonts:')
  for (const [name, { bytes }] of Object.entries(pages)) {
    const [weight, budget] = [bytes / KB, BUDGETS[name as keyof typeof BUDGETS]]
    const verdict = weight <= budget ? 'of' : 'OVER'
    console.log(`  ${name}: ${weight.toFixed(2)} KB, ${verdict} ${budget} KB`)
  }
  const snapshot = await record(ours, `/api/v1/quizzes/${id}/snapshot`)
  const bare = await startBare([page, snapshot])
  try {
    const origins = { ours, bare: bare.origin }
    const figures: Record<string, ReturnType<typeof rowOf>> = {}
    for (const [name, recorded] of Object.entries({ page, snapshot })) {
      figures[name] = rowOf(await compare(origins, recorded))
      figures[`${name}, 304`] = rowOf(await compare(origins, recorded, recorded.headers.etag))
    }
    console.table(figures)
    const memory = await measureMemory(ours, page.path, VIEWS)
    console.log(`Memory over ${VIEWS} views: ${memory.join(', ')} MB (start, middle, end)`)
  } finally {
    bare.child.kill()
    rmSync(bare.folder, { recursive: true, force: true })
  }
} finally {
  await server.stop()
}
