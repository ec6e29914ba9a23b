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
import { median, quantile, roundToHundredths } from '../figures.ts'
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
  const submissionsTo = (process_count: number): Load => ({
    origin: frontOf(process_count),
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
  const pagesOf = (process_count: number): Load => ({
    origin: frontOf(process_count),
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
  for (const process_count of PROCESS_COUNTS) {
    await measureMaxRate(pagesOf(process_count), 1)
    await measureMaxRate(submissionsTo(process_count), 1)
  }
  // PostgreSQL 15 generates only version 4 UUIDs.
  const baseline = { quiz_id: randomUUID(), seconds, new_id: 'gen_random_uuid()' }
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) {
    const figures: Round = {
      pgbench: await cost(() => measurePgbench(cluster.connection, baseline)),
      pages: new Map(),
      submissions: new Map(),
    }
    console.log(`Round ${round + 1}: pgbench ${formatCost(figures.pgbench)}`)
    // Each round starts with a different number of processes.
    for (let turn = 0; turn < PROCESS_COUNTS.length; turn++) {
      const process_count = PROCESS_COUNTS[(round + turn) % PROCESS_COUNTS.length] ?? 1
      const pages = await cost(() => measureMaxRate(pagesOf(process_count), seconds))
      const submissions = await cost(() => measureMaxRate(submissionsTo(process_count), seconds))
      figures.pages.set(process_count, pages)
      figures.submissions.set(process_count, submissions)
      console.log(`  ${process_count}: pages ${formatCost(pages)}`)
      console.log(`     submissions ${formatCost(submissions)}`)
    }
    measured.push(figures)
  }
  const rate = (cost: Cost | undefined): number => cost?.per_second ?? Number.NaN
  const micros = (cost: Cost | undefined): number => Math.round(cost?.micros.processes ?? 0)
  console.log('Medians of the rounds:')
  console.table(
    Object.fromEntries(
      PROCESS_COUNTS.map((process_count) => {
        const medianOf = (figure: (round: Round) => number): number => median(measured.map(figure))
        return [
          `${process_count} of ${Math.max(...PROCESS_COUNTS)} processes`,
          {
            'pages, /s': Math.round(medianOf(({ pages }) => rate(pages.get(process_count)))),
            'to one process': roundToHundredths(
              medianOf(({ pages }) => rate(pages.get(process_count)) / rate(pages.get(1))),
            ),
            'µs each': medianOf(({ pages }) => micros(pages.get(process_count))),
            'submissions, /s': Math.round(
              medianOf(({ submissions }) => rate(submissions.get(process_count))),
            ),
            'to one': roundToHundredths(
              medianOf(
                ({ submissions }) =>
                  rate(submissions.get(process_count)) / rate(submissions.get(1)),
              ),
            ),
            'to pgbench': roundToHundredths(
              medianOf(
                ({ submissions, pgbench }) => rate(submissions.get(process_count)) / rate(pgbench),
              ),
            ),
            'µs of each': medianOf(({ submissions }) => micros(submissions.get(process_count))),
          },
        ]
      }),
    ),
  )
  const max_process_count = Math.max(...PROCESS_COUNTS)
  console.log(`pgbench: ${Math.round(median(measured.map(({ pgbench }) => rate(pgbench))))}/s`)

  const per_second = Math.round(
    median(measured.map(({ submissions }) => rate(submissions.get(max_process_count)))) / 2,
  )
  let isOver = false
  const latencies: number[] = []
  const loading = (async () => {
    while (!isOver)
      latencies.push(
        ...(await measureLatencies(submissionsTo(max_process_count), { per_second, seconds: 1 })),
      )
  })()
  // Failures are reported after all processes are stopped.
  loading.catch(() => undefined)
  const changes = await measureInvalidation(installation, client, Number(values.changes))
  const deliveries = await measureDeliveries(installation, client, database)
  isOver = true
  await loading
  console.log(`Meanwhile ${per_second} submissions/s through ${max_process_count} processes:`)
  console.log(
    `  answered within: p50 ${roundToHundredths(median(latencies))} ms, p99 ${roundToHundredths(quantile(latencies, 0.99))} ms`,
  )
  for (const [change, { since_sent, since_answered }] of Object.entries(changes))
    console.log(
      `  a quiz ${change} is shown so by each process: since the call ${msOf(since_sent)}; since its answer ${msOf(since_answered)}`,
    )
  const { participants, once, sent } = deliveries
  console.log(
    `  ${participants} participants, each sent twice at once: ${once} came to the tool exactly once, in ${sent} calls, within ${roundToHundredths(deliveries.seconds)} s`,
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
