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
import { makeQuiz, type Quiz } from '../submit/quiz.ts'
import {
  compareCounters,
  measureDeliveries,
  measureInvalidation,
  runUnderLoad,
} from './consistency.ts'
import { MAX_PROCESSES, startInstallation } from './installation.ts'
import { createLoads, measureRates, rateOf } from './measure-rates.ts'
import { printRateTable } from './rate-table.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** Seconds of each measurement. */
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '128' },
    /** Number of quizzes that receive submissions in turn. */
    quizzes: { type: 'string', default: '1' },
    /** Number of times that a quiz is withdrawn and published. */
    changes: { type: 'string', default: '20' },
  },
})
const seconds = Number(values.seconds)

const describeDelays = (delays_ms: readonly number[]): string =>
  `p50 ${Math.round(median(delays_ms))} ms, max ${Math.round(Math.max(...delays_ms))} ms`

buildIfStale()
const installation = await startInstallation()
const { cluster, frontOf } = installation
const database = new pg.Client(cluster.connection)

/** Returns the value of a setting of PostgreSQL. */
const readSetting = async (name: 'fsync' | 'synchronous_commit'): Promise<string> =>
  (await database.query(`show ${name}`)).rows[0][name]

try {
  await database.connect()
  console.log(
    `${cluster.version}, durable (${await readSetting('fsync')} fsync, ${await readSetting('synchronous_commit')} synchronous_commit); ` +
      `${availableParallelism()} processors for the database, nginx, the processes and the benchmark`,
  )
  console.log(`${values.connections} connections at a time; ${values.quizzes} quizzes`)
  const client = await signUpCreator(frontOf(1))
  const quizzes: Quiz[] = []
  while (quizzes.length < Number(values.quizzes)) quizzes.push(await makeQuiz(frontOf(1)))

  const loads = createLoads(installation, quizzes, Number(values.connections))
  // PostgreSQL 15 generates only version 4 UUIDs.
  const baseline = { quiz_id: randomUUID(), seconds, new_id: 'gen_random_uuid()' }
  const rounds = await measureRates(installation, {
    loads,
    rounds: Number(values.rounds),
    seconds,
    baseline,
  })
  printRateTable(rounds)

  const max_rates = rounds.map(({ submissions }) => rateOf(submissions.get(MAX_PROCESSES)))
  const per_second = Math.round(median(max_rates) / 2)
  const { value, latencies_ms } = await runUnderLoad(
    loads.submissionsTo(MAX_PROCESSES),
    per_second,
    async () => ({
      delays: await measureInvalidation(installation, client, Number(values.changes)),
      deliveries: await measureDeliveries(installation, client, database),
    }),
  )
  console.log(`Meanwhile ${per_second} submissions/s through ${MAX_PROCESSES} processes:`)
  console.log(
    `  answered within: p50 ${roundToHundredths(median(latencies_ms))} ms, p99 ${roundToHundredths(quantile(latencies_ms, 0.99))} ms`,
  )
  for (const [change, { from_request_ms, from_response_ms }] of Object.entries(value.delays))
    console.log(
      `  each process shows a ${change} quiz: ${describeDelays(from_request_ms)} after the request; ${describeDelays(from_response_ms)} after the response`,
    )
  const { nb_participants, nb_delivered_once, nb_calls, duration_s } = value.deliveries
  console.log(
    `  ${nb_participants} participants, each sent twice at once: ${nb_delivered_once} reached the tool exactly once, in ${nb_calls} calls, within ${roundToHundredths(duration_s)} s`,
  )

  await database.query('delete from responses where quiz_id = $1', [baseline.quiz_id])
  const { nb_sent, nb_refused } = loads.counts
  const { stored, counted, differences } = await compareCounters(
    database,
    quizzes.map(({ id }) => id),
  )
  console.log(
    `${nb_sent} acknowledged (${nb_refused} told to try again), ${stored} stored, ${counted} counted; ${differences} figures differ from a recount`,
  )
  const isCounted = nb_sent === stored && stored === counted && differences === 0
  const isDelivered = nb_delivered_once === nb_participants && nb_calls === nb_participants
  if (!isCounted || !isDelivered) process.exitCode = 1
} finally {
  await database.end()
  await installation.stop()
}
