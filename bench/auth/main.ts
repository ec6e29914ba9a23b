/**
 * Compares sign-ins with bare password hashing, session renewals with equivalent pgbench transactions, and the
 * throughput of a public page with and without concurrent sign-ins. The values of a ratio are measured alternately.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { clientOf } from '../../scripts/http-client.ts'
import { HASHING_THREADS } from '../../src/server/auth/password/hashing-threads.ts'
import { publishSizedQuiz } from '../../src/server/testing/quizzes/sized-quiz.ts'
import { median, quantile } from '../figures.ts'
import { load } from '../public/load.ts'
import { buildIfStale, startServer } from '../server.ts'
import { measureCommits, measureHashing } from './baselines.ts'
import { measureRefreshes, startSignIns } from './concurrent-callers.ts'
import { createLoopDelayReader } from './event-loop-delay.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = 2
const IN_FLIGHT = 4
const SESSIONS = 8
const GOAL = 0.8

type SignedIn = { access_token: string; refresh_token: string }

const hundredths = (figure: number): string => figure.toFixed(2)

buildIfStale()
const server = await startServer(['--import', join(import.meta.dirname, 'probe.ts')])
const origin = server.origin.replace('localhost', '127.0.0.1')
const account = { email: `mesure-${randomUUID()}@exemple.fr`, password: 'un mot de passe' }

const post = async (path: string): Promise<SignedIn> => {
  const reply = await fetch(`${origin}/auth/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  return (await reply.json()) as SignedIn
}
const signIn = (): Promise<SignedIn> => post('/token?grant_type=password')
const rounds = async <T>(measure: () => Promise<T>): Promise<T[]> => {
  const measured: T[] = []
  for (let round = 0; round < ROUNDS; round += 1) measured.push(await measure())
  return measured
}

try {
  const { access_token } = await post('/signup')
  const id = await publishSizedQuiz(clientOf(origin, access_token), 10)
  const readLoop = createLoopDelayReader(server)
  const signingIn = () => startSignIns(origin, { concurrency: IN_FLIGHT, body: account })

  const signIns = await rounds(async () => {
    const hashes = await measureHashing({ concurrency: HASHING_THREADS, seconds: SECONDS })
    await readLoop()
    const callers = await signingIn()
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000))
    const { per_second, latencies } = await callers.stop()
    return { per_second, latencies, ratio: per_second / hashes, loop: await readLoop() }
  })
  const latencies = signIns.flatMap((round) => round.latencies)
  console.log(
    `Sign-ins, ${IN_FLIGHT} at once: ${median(signIns.map((round) => round.per_second)).toFixed(0)} a second, ` +
      `p50 ${median(latencies).toFixed(0)} ms, p99 ${quantile(latencies, 0.99).toFixed(0)} ms, ` +
      `${hundredths(median(signIns.map(({ ratio }) => ratio)))} of bare hashing`,
  )
  console.log(
    `Event-loop delay meanwhile: ${hundredths(median(signIns.map(({ loop }) => loop.p50)))} ms (p50), ` +
      `${hundredths(median(signIns.map(({ loop }) => loop.p99)))} ms (p99)`,
  )

  const tokens: string[] = []
  for (let session = 0; session < SESSIONS; session += 1)
    tokens.push((await signIn()).refresh_token)
  const renewals = await rounds(async () => {
    const timing = { clients: SESSIONS, seconds: SECONDS }
    const commits = await measureCommits(server.data_dir, timing)
    const calls = await measureRefreshes(origin, { tokens, seconds: SECONDS })
    return { ...calls, ratio: calls.per_second / commits }
  })
  const renewed = renewals.flatMap((round) => round.latencies)
  console.log(
    `Renewals, ${SESSIONS} sessions at once: ${median(renewals.map((round) => round.per_second)).toFixed(0)} a second, ` +
      `p50 ${median(renewed).toFixed(0)} ms, p99 ${quantile(renewed, 0.99).toFixed(0)} ms, ` +
      `${hundredths(median(renewals.map(({ ratio }) => ratio)))} of pgbench’s transactions`,
  )

  const pages = await rounds(async () => {
    const alone = await load(origin, `/q/${id}`, { seconds: SECONDS })
    const callers = await signingIn()
    const beside = await load(origin, `/q/${id}`, { seconds: SECONDS })
    const { per_second } = await callers.stop()
    const ratio = beside.per_second / alone.per_second
    console.log(
      `  page ${alone.per_second.toFixed(0)}/s alone, ${beside.per_second.toFixed(0)}/s during ` +
        `${per_second.toFixed(0)} sign-ins a second: ${hundredths(ratio)}`,
    )
    return ratio
  })
  const throughput_ratio = median(pages)
  console.log(
    `The page keeps ${hundredths(throughput_ratio)} of its throughput (goal ${throughput_ratio >= GOAL ? '' : 'MISSED: '}${GOAL} or more)`,
  )
} finally {
  await server.stop()
}
