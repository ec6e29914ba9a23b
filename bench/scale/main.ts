/**
 * Measures 1, 2 and 4 processes behind nginx on one PostgreSQL: pages and submissions per second, against one process
 * and against pgbench. At half of that load, it then checks counts, single deliveries and the time until all
 * processes show a change.
 */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { signUpCreator } from '../creator.ts'
import { buildIfStale } from '../server.ts'
import { type Cost, createCostMeter, formatCost } from '../submit/call-cost.ts'
import {
  endedChildrenCpuSeconds,
  processCpuSeconds,
  processTreeCpuSeconds,
} from '../submit/cpu-time.ts'
import { type Load, measureLatencies, measureMaxRate } from '../submit/load.ts'
import { measurePgbench } from '../submit/pgbench.ts'
import { makeQuiz, type Quiz } from '../submit/quiz.ts'
import { createRequests } from '../submit/requests.ts'
import { compareCounters, measureDeliveries, measureInvalidation } from './consistency.ts'
import { PROCESS_COUNTS, startInstallation } from './processes.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '128' },
    /** Number of quizzes that receive submissions in turn. */
    quizzes: { type: 'string', default: '1' },
    changes: { type: 'string', default: '20' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = Number(values.connections)

const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * share) - 1] ?? Number.NaN
const median = (figures: readonly number[]): number => quantile(figures, 0.5)
const hundredths = (figure: number): number => Math.round(figure * 100) / 100
const msOf = (figures: readonly number[]): string =>
  `p50 ${Math.round(median(figures))} ms, max ${Math.round(Math.max(...figures))} ms`

const makeQuizzes = async (origin: string, count: number): Promise<Quiz[]> => {
  const quizzes: Quiz[] = []
  while (quizzes.length < count) quizzes.push(await makeQuiz(origin))
  return quizzes
}

type Round = { pgbench: Cost; pages: Map<number, Cost>; submissions: Map<number, Cost> }

buildIfStale()
const installation = await startInstallation()
const { cluster, nginx, servers, frontOf } = installation
const database = new pg.Client(cluster.connection)
try {
  await database.connect()
  console.log(
    `${cluster.version}, durable (${(await database.query('show fsync')).rows[0].fsync} fsync, ${(await database.query('show synchronous_commit')).rows[0].synchronous_commit} synchronous_commit); ` +
      `${availableParallelism()} processors for the database, nginx, the processes and what loads them`,
  )
  const client = await signUpCreator(frontOf(1))
  const quizzes = await makeQuizzes(frontOf(1), Number(values.quizzes))
  const makers = quizzes.map((quiz) => createRequests(quiz))
  console.log(`${connections} connections at a time; submissions for ${values.quizzes} quizzes`)
  let nb_sent = 0
  let nb_refused = 0
  const submissionsTo = (processes: number): Load => ({
    origin: frontOf(processes),
    connections,
    onRefusal: () => nb_refused++,
    makeRequest: () => {
      const make = makers[nb_sent++ % makers.length]
      if (!make) throw new Error('There is a quiz')
      return make()
    },
  })
  const page = Buffer.from(
    `GET /q/${quizzes[0]?.id} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n`,
  )
  const pagesOf = (processes: number): Load => ({
    origin: frontOf(processes),
    connections,
    makeRequest: () => page,
    status: 200,
  })
  const cost = createCostMeter(
    {
      processes: () => servers.reduce((sum, { pid }) => sum + processCpuSeconds(pid), 0),
      nginx: () => processTreeCpuSeconds(nginx.pid),
      database: () => processTreeCpuSeconds(cluster.pid()),
      client: () => processCpuSeconds(process.pid) + endedChildrenCpuSeconds(process.pid),
    },
    seconds,
  )
  for (const arm of PROCESS_COUNTS) {
    await measureMaxRate(pagesOf(arm), 1)
    await measureMaxRate(submissionsTo(arm), 1)
  }
  // PostgreSQL 15 generates only version 4 UUIDs.
  const baseline = { quiz_id: randomUUID(), seconds, new_id: 'gen_random_uuid()' }
  const all: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const one: Round = {
      pgbench: await cost(() => measurePgbench(cluster.connection, baseline)),
      pages: new Map(),
      submissions: new Map(),
    }
    console.log(`Round ${round + 1}: pgbench ${formatCost(one.pgbench)}`)
    // Each round starts with a different number of processes.
    for (let turn = 0; turn < PROCESS_COUNTS.length; turn++) {
      const arm = PROCESS_COUNTS[(round + turn) % PROCESS_COUNTS.length] ?? 1
      const pages = await cost(() => measureMaxRate(pagesOf(arm), seconds))
      const submissions = await cost(() => measureMaxRate(submissionsTo(arm), seconds))
      one.pages.set(arm, pages)
      one.submissions.set(arm, submissions)
      console.log(`  ${arm}: pages ${formatCost(pages)}`)
      console.log(`     submissions ${formatCost(submissions)}`)
    }
    all.push(one)
  }
  const rate = (cost: Cost | undefined): number => cost?.per_second ?? Number.NaN
  const micros = (cost: Cost | undefined): number => Math.round(cost?.micros.processes ?? 0)
  console.log('Medians of the rounds:')
  console.table(
    Object.fromEntries(
      PROCESS_COUNTS.map((arm) => {
        const of = (figure: (round: Round) => number): number => median(all.map(figure))
        return [
          `${arm} of ${Math.max(...PROCESS_COUNTS)} processes`,
          {
            'pages, /s': Math.round(of(({ pages }) => rate(pages.get(arm)))),
            'to one process': hundredths(
              of(({ pages }) => rate(pages.get(arm)) / rate(pages.get(1))),
            ),
            'µs each': of(({ pages }) => micros(pages.get(arm))),
            'submissions, /s': Math.round(of((one) => rate(one.submissions.get(arm)))),
            'to one': hundredths(
              of(({ submissions }) => rate(submissions.get(arm)) / rate(submissions.get(1))),
            ),
            'to pgbench': hundredths(
              of((one) => rate(one.submissions.get(arm)) / rate(one.pgbench)),
            ),
            'µs of each': of((one) => micros(one.submissions.get(arm))),
          },
        ]
      }),
    ),
  )
  const most = Math.max(...PROCESS_COUNTS)
  console.log(`pgbench: ${Math.round(median(all.map(({ pgbench }) => rate(pgbench))))}/s`)

  const per_second = Math.round(median(all.map((one) => rate(one.submissions.get(most)))) / 2)
  let isOver = false
  const latencies: number[] = []
  const loading = (async () => {
    while (!isOver)
      latencies.push(...(await measureLatencies(submissionsTo(most), { per_second, seconds: 1 })))
  })()
  // Failures are reported after all processes are stopped.
  loading.catch(() => undefined)
  const changes = await measureInvalidation(installation, client, Number(values.changes))
  const deliveries = await measureDeliveries(installation, client, database)
  isOver = true
  await loading
  console.log(`Meanwhile ${per_second} submissions/s through ${most} processes:`)
  console.log(
    `  answered within: p50 ${hundredths(median(latencies))} ms, p99 ${hundredths(quantile(latencies, 0.99))} ms`,
  )
  for (const [change, { since_sent, since_answered }] of Object.entries(changes))
    console.log(
      `  a quiz ${change} is shown so by each process: since the call ${msOf(since_sent)}; since its answer ${msOf(since_answered)}`,
    )
  const { participants, once, sent } = deliveries
  console.log(
    `  ${participants} participants, each sent twice at once: ${once} came to the tool exactly once, in ${sent} calls, within ${hundredths(deliveries.seconds)} s`,
  )
  await database.query('delete from responses where quiz_id = $1', [baseline.quiz_id])
  const { stored, counted, differences } = await compareCounters(
    database,
    quizzes.map(({ id }) => id),
  )
  console.log(
    `${nb_sent} acknowledged (${nb_refused} times told to come back), ${stored} stored, ${counted} counted; ${differences} figures differ from a recount`,
  )
  const isExact = nb_sent === stored && stored === counted && differences === 0
  if (!isExact || once !== participants || sent !== participants) process.exitCode = 1
} finally {
  await database.end()
  await installation.stop()
}
