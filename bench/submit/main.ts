/**
 * Compares HTTP submissions with pgbench, which inserts equal rows without counters. Also measures latency at half of the
 * maximum rate, and memory.
 *
 * `--parts` instead compares a plain quiz with a quiz that has all optional parts. `--automations` compares with a quiz
 * that has tools, webhooks and mails. `--parameters` adds page parameters to `--automations` and has no effect alone.
 * `--reports` compares the latency at 500 submissions a second with and without 60 PDF reports a minute.
 * `--contact` compares questions with and without roles and mapped fields. `--confirmation` compares quizzes that ask to
 * confirm addresses with others. `--readers` measures submissions while ten
 * readers load the database, without and with a read replica.
 */
import { globSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { embeddedConnection } from '#server/db/embedded/postgres-access.ts'
import { startExternalServices } from '#server/testing/quizzes/external-services.ts'
import { median, quantile, roundToHundredths } from '../figures.ts'
import { buildIfStale, type RunningServer, startServer } from '../server.ts'
import {
  measureAutomations,
  measureConfirmations,
  measureContact,
  measureOptionalParts,
} from './automations.ts'
import { type Cost, createCostMeter, formatCost } from './call-cost.ts'
import { endedChildrenCpuSeconds, processCpuSeconds, processTreeCpuSeconds } from './cpu-time.ts'
import { measureLatencies, measureMaxRate, sendMany } from './load.ts'
import { measurePgbench } from './pgbench.ts'
import { makeQuiz } from './quiz.ts'
import { CONDITIONS, measureReaders } from './readers.ts'
import { measureReports } from './reports.ts'
import { createInAdvance, createRequests } from './requests.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '6' },
    connections: { type: 'string', default: '512' },
    submissions: { type: 'string', default: '200000' },
    /** Folder for a CPU profile of the server. */
    profile: { type: 'string' },
    parts: { type: 'boolean', default: false },
    automations: { type: 'boolean', default: false },
    parameters: { type: 'boolean', default: false },
    contact: { type: 'boolean', default: false },
    confirmation: { type: 'boolean', default: false },
    reports: { type: 'boolean', default: false },
    readers: { type: 'boolean', default: false },
  },
})
const { rounds, seconds, connections, submissions } = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
  submissions: Number(values.submissions),
}

/** Upper bound of the submissions per second on a machine with two cores. */
const MAX_PER_SECOND = 20_000

const megabytes = async (origin: string): Promise<number> => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]) / 1_048_576
}

const findPidFile = (data_dir: string): string =>
  globSync(join(data_dir, '*/postmaster.pid'))[0] ?? ''

const compareWithPgbench = async (
  { origin, data_dir }: RunningServer,
  cost: (measure: () => Promise<number>) => Promise<Cost>,
): Promise<void> => {
  const quiz = await makeQuiz(origin)
  const load = { origin, makeRequest: createRequests(quiz), connections }
  const baseline = { quiz_id: quiz.id, seconds }
  await measureMaxRate(load, 2)
  const before = await megabytes(origin)

  const pairs: { ours: Cost; pgbench: Cost }[] = []
  for (let round = 0; round < rounds; round++) {
    const pgbench = await cost(() => measurePgbench(embeddedConnection(data_dir), baseline))
    const prepared_load = {
      ...load,
      makeRequest: createInAdvance(load.makeRequest, MAX_PER_SECOND * seconds),
    }
    const ours = await cost(() => measureMaxRate(prepared_load, seconds))
    pairs.push({ ours, pgbench })
    const ratio = roundToHundredths(ours.per_second / pgbench.per_second)
    console.log(`submissions ${formatCost(ours)}; pgbench ${formatCost(pgbench)}: ${ratio}`)
  }
  const ratios = pairs.map(({ ours, pgbench }) => ours.per_second / pgbench.per_second)
  console.log(`Throughput ratio, median: ${roundToHundredths(median(ratios))} (goal 1 or more)`)

  const per_second = Math.round(median(pairs.map(({ ours }) => ours.per_second)) / 2)
  const tails: number[] = []
  for (let round = 0; round < rounds; round++) {
    const prepared_load = {
      ...load,
      makeRequest: createInAdvance(load.makeRequest, per_second * seconds),
    }
    const latencies = await measureLatencies(prepared_load, { per_second, seconds })
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
    tails.push(p99 / p50)
    console.log(
      `At ${per_second}/s: p50 ${roundToHundredths(p50)} ms, p99 ${roundToHundredths(p99)} ms`,
    )
  }
  console.log(`p99 / p50, median: ${roundToHundredths(median(tails))} (goal 5 or less)`)

  const start = await megabytes(origin)
  const parts = []
  for (let half = 0; half < 2; half++) {
    await sendMany(load, Math.round(submissions / 2))
    parts.push(await megabytes(origin))
  }
  const [middle = 0, end = 0] = parts
  console.log(
    `Memory over ${submissions} submissions: ${start.toFixed(0)}, ${middle.toFixed(0)}, ${end.toFixed(0)} MB (start, middle, end; ${before.toFixed(0)} MB when warm)`,
  )
}

/** Prints latency and rate of submissions under each condition, with ratios to submissions alone in the same run. */
const compareWithReaders = async (): Promise<void> => {
  console.log(`Load averages at the start: ${loadavg().map(roundToHundredths).join(', ')}`)
  const settings = { connections: 64, rounds, seconds, max_per_second: MAX_PER_SECOND }
  const rounds_by_condition = await measureReaders(settings)
  const figures = CONDITIONS.map((name) => {
    const measured = rounds_by_condition.get(name) ?? []
    const p99 = median(measured.map(({ latencies_ms }) => quantile(latencies_ms, 0.99)))
    const per_second = median(measured.map((round) => round.per_second))
    const nb_reads = median(measured.map((round) => round.nb_reads))
    const nb_on_replica = median(measured.map((round) => round.nb_on_replica))
    const primary_load = median(measured.map((round) => round.primary_load))
    return { name, p99, primary_load, per_second, nb_reads, nb_on_replica }
  })
  const [alone] = figures
  for (const { name, p99, primary_load, per_second, nb_reads, nb_on_replica } of figures) {
    const ratios = [p99 / (alone?.p99 ?? 0), per_second / (alone?.per_second ?? 0)].map(
      roundToHundredths,
    )
    console.log(
      `${name}: p99 ${roundToHundredths(p99)} ms (${ratios[0]} of alone), ${roundToHundredths(primary_load)} processors of the primary; at most ${Math.round(per_second)}/s (${ratios[1]}); ${nb_reads} heavy reads, ${nb_on_replica} queries of them on the replica`,
    )
  }
}

buildIfStale()
if (values.readers) {
  await compareWithReaders()
  process.exit(0)
}
const profiling = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const external_services =
  values.automations || values.contact || values.confirmation
    ? await startExternalServices()
    : undefined
const server = await startServer(profiling, external_services?.env)
try {
  const { origin, data_dir } = server
  const database_pid = Number(readFileSync(findPidFile(data_dir), 'utf8').split('\n')[0])
  const cost = createCostMeter(
    {
      product: () => processCpuSeconds(server.pid),
      database: () => processTreeCpuSeconds(database_pid),
      client: () => processCpuSeconds(process.pid) + endedChildrenCpuSeconds(process.pid),
    },
    seconds,
  )
  const comparison_settings = {
    origin,
    connections,
    rounds,
    seconds,
    cost,
    max_per_second: MAX_PER_SECOND,
  }
  if (external_services && values.contact) {
    const connection = embeddedConnection(data_dir)
    const ratios = await measureContact(comparison_settings, { external_services, connection })
    console.log(
      `Submission rate with contact data and mapped fields relative to none, median: ${roundToHundredths(median(ratios))} (goal 0.95 or more)`,
    )
  } else if (external_services && values.confirmation) {
    const connection = embeddedConnection(data_dir)
    const ratios = await measureConfirmations(comparison_settings, {
      external_services,
      connection,
    })
    console.log(
      `Submission rate with confirmation relative to none, median: ${roundToHundredths(median(ratios))} (goal 0.95 or more)`,
    )
  } else if (external_services) {
    const connection = embeddedConnection(data_dir)
    const has_parameters = values.parameters
    const ratios = await measureAutomations(comparison_settings, {
      external_services,
      connection,
      has_parameters,
    })
    console.log(
      `Submission rate with automations relative to a plain quiz, median: ${roundToHundredths(median(ratios))} (goal 0.75 or more)`,
    )
  } else if (values.reports) {
    const settings = { origin, connections: 64, rounds, seconds, per_second: 500 }
    const { without, with_reports, nb_reports } = await measureReports(settings)
    const p99Of = (rounds: number[][]): number =>
      median(rounds.map((latencies) => quantile(latencies, 0.99)))
    const [before, after] = [p99Of(without), p99Of(with_reports)]
    console.log(
      `${nb_reports} reports: p99 ${roundToHundredths(before)} ms without, ${roundToHundredths(after)} ms with: ${roundToHundredths(after / before)} (goal below 1.1)`,
    )
  } else if (values.parts) {
    const ratios = await measureOptionalParts(comparison_settings)
    console.log(
      `Submission rate with all optional parts relative to a plain quiz, median: ${roundToHundredths(median(ratios))} (goal 0.95 or more)`,
    )
  } else await compareWithPgbench(server, cost)
} finally {
  await server.stop()
  await external_services?.close()
}
