import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Client, RefusedCall } from '#contract/client/client.ts'
import { startCluster } from '#server/testing/network/cluster.ts'
import { databaseUrl } from '#server/testing/server-process.ts'
import { clientOf } from '../../scripts/http-client.ts'
import { signUp } from '../creator.ts'
import { type RunningServer, startServer } from '../server.ts'
import { fill, makeQuiz as makeReadQuiz } from '../statistics/participants.ts'
import { processTreeCpuSeconds } from './cpu-time.ts'
import { measureLatencies, measureMaxRate } from './load.ts'
import { makeQuiz } from './quiz.ts'
import { createInAdvance, createRequests } from './requests.ts'

/** Fixed rate of the submissions whose latencies are measured. */
const SUBMISSIONS_PER_SECOND = 200
const NB_CREATORS = 5
/** Participants of each quiz that is read: the maximum number that a replay reads. */
const NB_PARTICIPANTS = 20_000
/** Range of the random first day of a filter, in days. */
const RANDOM_DAYS = 80
/** Minimum age of that day. */
const MIN_AGE_DAYS = 10
const DAY_MS = 86_400_000
const REFUSED_PAUSE_MS = 100

/** Conditions under which submissions are measured: no readers, ten readers, or ten readers that use a replica. */
export const CONDITIONS = ['alone', 'without a replica', 'with a replica'] as const
type Condition = (typeof CONDITIONS)[number]

/** Figures of one round, which has a part at the fixed rate and a part at the maximum rate. */
export type Round = {
  /** Latencies at the fixed rate. */
  latencies_ms: number[]
  /** Processors that the primary used at the fixed rate. Other work on the machine hardly changes this number. */
  primary_load: number
  /** Maximum rate of submissions. */
  per_second: number
  /** Heavy reads that were completed in both parts. */
  nb_reads: number
  /** Queries of heavy reads that the replica answered. */
  nb_on_replica: number
}

type Settings = { connections: number; rounds: number; seconds: number; max_per_second: number }
type Reader = () => Promise<unknown>
type ReadQuiz = { id: string; access_token: string; answer_ids: string[] }

/**
 * Measures submissions under each condition, in turns. Two processes use one database, and the second process also uses a
 * replica. Five readers filter statistics, three export and two replay.
 */
export const measureReaders = async (settings: Settings): Promise<Map<Condition, Round[]>> => {
  const cluster = await startCluster()
  const servers: RunningServer[] = []
  try {
    const replica = await cluster.addReplica({ hot_standby_feedback: 'on' })
    const env = { DATABASE_URL: databaseUrl(cluster.connection), SECRET_KEY, WORKER: 'off' }
    const without_replica = await startServer([], env)
    servers.push(without_replica)
    const with_replica = await startServer([], {
      ...env,
      DATABASE_READ_URL: databaseUrl(replica.connection),
      PUBLIC_URL: without_replica.origin,
    })
    servers.push(with_replica)
    const quizzes = await makeReadQuizzes(without_replica.origin, cluster.connection)
    const makeRequest = createRequests(await makeQuiz(without_replica.origin))
    const rounds = new Map(CONDITIONS.map((condition) => [condition, [] as Round[]]))
    const common = { quizzes, makeRequest, settings, primary_pid: cluster.pid() }
    // The first round is not counted, because it opens connections and fills caches.
    await measureRound('alone', { ...common, origin: without_replica.origin })
    for (let round = 0; round < settings.rounds; round++)
      for (const condition of CONDITIONS) {
        const { origin } = condition === 'with a replica' ? with_replica : without_replica
        rounds.get(condition)?.push(await measureRound(condition, { ...common, origin }))
      }
    return rounds
  } finally {
    for (const server of servers) await server.stop()
    await cluster.cleanUp()
  }
}

const SECRET_KEY = 'a secret key for benchmarks only'

/** Signs up the creators whose quizzes are read, each with one quiz and its participants. */
const makeReadQuizzes = async (
  origin: string,
  connection: pg.ClientConfig,
): Promise<ReadQuiz[]> => {
  const session = new pg.Client(connection)
  await session.connect()
  const quizzes: ReadQuiz[] = []
  for (let creator = 0; creator < NB_CREATORS; creator++) {
    const { client, access_token } = await signUp(origin)
    const id = await makeReadQuiz(client)
    await fill(session, { quiz_id: id, size: NB_PARTICIPANTS })
    const { questions } = await client.questions.list({ id })
    const answer_ids = questions.flatMap(({ answers }) => answers.map((answer) => answer.id))
    quizzes.push({ id, access_token, answer_ids })
  }
  await session.query('vacuum analyze')
  await session.end()
  return quizzes
}

type RoundSettings = {
  origin: string
  primary_pid: number
  quizzes: ReadQuiz[]
  makeRequest: () => Buffer
  settings: Settings
}

const measureRound = async (
  condition: Condition,
  { origin, primary_pid, quizzes, makeRequest, settings }: RoundSettings,
): Promise<Round> => {
  const { connections, seconds, max_per_second } = settings
  const load = (count: number) => ({
    origin,
    connections,
    makeRequest: createInAdvance(makeRequest, count),
    onRefusal: () => undefined,
  })
  const on_replica = await countReplicaReads(origin)
  const readers = startReaders(condition === 'alone' ? [] : createReaders(origin, quizzes))
  const [began, cpu_s] = [performance.now(), processTreeCpuSeconds(primary_pid)]
  const latencies_ms = await measureLatencies(load(SUBMISSIONS_PER_SECOND * seconds), {
    per_second: SUBMISSIONS_PER_SECOND,
    seconds,
  })
  const elapsed_s = (performance.now() - began) / 1_000
  const primary_load = (processTreeCpuSeconds(primary_pid) - cpu_s) / elapsed_s
  const per_second = await measureMaxRate(load(max_per_second * seconds), seconds)
  const nb_reads = await readers.stop()
  const nb_on_replica = (await countReplicaReads(origin)) - on_replica
  return { latencies_ms, primary_load, per_second, nb_reads, nb_on_replica }
}

const countReplicaReads = async (origin: string): Promise<number> => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^database_heavy_reads_total\{server="replica".*\} (\d+)/m.exec(text)?.[1] ?? 0)
}

const randomBelow = (count: number): number => Math.floor(Math.random() * count)

/** Creates ten readers. Their filters are random, because the server caches counts of equal filters. */
const createReaders = (origin: string, quizzes: ReadQuiz[]): Reader[] => {
  const createReader = (quiz: ReadQuiz, kind: 'statistics' | 'export' | 'replay'): Reader => {
    const client: Client = clientOf(origin, quiz.access_token)
    const { id, answer_ids } = quiz
    if (kind === 'replay') return () => client.replay.get({ id })
    if (kind === 'export')
      return async () => {
        const { url } = await client.exports.link({ id, body: { format: 'csv' } })
        await (await fetch(origin + url)).arrayBuffer()
      }
    return () => {
      const day = new Date(Date.now() - (MIN_AGE_DAYS + randomBelow(RANDOM_DAYS)) * DAY_MS)
      return client.statistics.responses({
        id,
        limit: 10,
        figures: '1',
        from: day.toISOString().slice(0, 10),
        answer: answer_ids[randomBelow(answer_ids.length)],
      })
    }
  }
  const [first, second, third, fourth, fifth] = quizzes
  if (!first || !second || !third || !fourth || !fifth) throw new Error('Five quizzes are read')
  return [
    ...quizzes.map((quiz) => createReader(quiz, 'statistics')),
    ...[first, second, third].map((quiz) => createReader(quiz, 'export')),
    ...[fourth, fifth].map((quiz) => createReader(quiz, 'replay')),
  ]
}

/** Starts readers that read without pauses. `stop` returns the number of completed reads. */
const startReaders = (readers: Reader[]): { stop: () => Promise<number> } => {
  let isOver = false
  let nb_reads = 0
  const loops = readers.map(async (read) => {
    while (!isOver)
      try {
        await read()
        nb_reads++
      } catch (error) {
        // A server under load answers 503, or closes connections whose request arrives too slowly.
        const isRefused = error instanceof RefusedCall && error.status === 503
        if (!isRefused && !(error instanceof TypeError)) throw error
        await pause(REFUSED_PAUSE_MS)
      }
  })
  const running = Promise.all(loops)
  // `stop` throws the error of a reader. An unhandled rejection would end this process and leave the servers running.
  running.catch(() => undefined)
  return {
    stop: async () => {
      isOver = true
      await running
      return nb_reads
    },
  }
}
