import { type Cost, createCostMeter, formatCost } from '../submit/call-cost.ts'
import {
  endedChildrenCpuSeconds,
  processCpuSeconds,
  processTreeCpuSeconds,
} from '../submit/cpu-time.ts'
import { type Load, measureMaxRate } from '../submit/load.ts'
import { measurePgbench } from '../submit/pgbench.ts'
import type { Quiz } from '../submit/quiz.ts'
import { createRequests } from '../submit/requests.ts'
import { type Installation, PROCESS_COUNTS } from './installation.ts'

/** Loads of a benchmark, each through a number of processes, and what became of the submissions. */
export type Loads = {
  pagesOf: (process_count: number) => Load
  submissionsTo: (process_count: number) => Load
  /** Submissions that were made, and answers that asked to try again later. */
  counts: { nb_sent: number; nb_refused: number }
}

/** Creates the loads: the page of the first quiz, and submissions to all quizzes in turn. */
export const createLoads = (
  { frontOf }: Installation,
  quizzes: readonly Quiz[],
  connections: number,
): Loads => {
  const counts = { nb_sent: 0, nb_refused: 0 }
  const makers = quizzes.map((quiz) => createRequests(quiz))
  const page = Buffer.from(
    `GET /q/${quizzes[0]?.id} HTTP/1.1\r\nhost: x\r\naccept-encoding: br\r\n\r\n`,
  )
  return {
    counts,
    pagesOf: (process_count) => ({
      origin: frontOf(process_count),
      connections,
      makeRequest: () => page,
      status: 200,
    }),
    submissionsTo: (process_count) => ({
      origin: frontOf(process_count),
      connections,
      onRefusal: () => counts.nb_refused++,
      makeRequest: () => {
        const makeRequest = makers[counts.nb_sent++ % makers.length]
        if (!makeRequest) throw new Error('There is no quiz')
        return makeRequest()
      },
    }),
  }
}

/** Costs of one round: of pgbench, and of pages and submissions by number of processes. */
export type Round = { pgbench: Cost; pages: Map<number, Cost>; submissions: Map<number, Cost> }

type Options = {
  loads: Loads
  rounds: number
  seconds: number
  /** Parameters of pgbench, which inserts rows like those of submissions. */
  baseline: Parameters<typeof measurePgbench>[1]
}

const createInstallationMeter = (
  { servers, nginx, cluster }: Installation,
  seconds: number,
): ReturnType<typeof createCostMeter> =>
  createCostMeter(
    {
      processes: () => servers.reduce((sum, { pid }) => sum + processCpuSeconds(pid), 0),
      nginx: () => processTreeCpuSeconds(nginx.pid),
      database: () => processTreeCpuSeconds(cluster.pid()),
      client: () => processCpuSeconds(process.pid) + endedChildrenCpuSeconds(process.pid),
    },
    seconds,
  )

/** Measures the maximum rates in several rounds, and prints each round. Warms up all processes first. */
export const measureRates = async (
  installation: Installation,
  { loads: { pagesOf, submissionsTo }, rounds, seconds, baseline }: Options,
): Promise<Round[]> => {
  const measureCost = createInstallationMeter(installation, seconds)
  for (const process_count of PROCESS_COUNTS) {
    await measureMaxRate(pagesOf(process_count), 1)
    await measureMaxRate(submissionsTo(process_count), 1)
  }
  const measured: Round[] = []
  for (let nr = 0; nr < rounds; nr++) {
    const round: Round = {
      pgbench: await measureCost(() => measurePgbench(installation.cluster.connection, baseline)),
      pages: new Map(),
      submissions: new Map(),
    }
    console.log(`Round ${nr + 1}: pgbench ${formatCost(round.pgbench)}`)
    // Each round starts with a different number of processes.
    for (let turn = 0; turn < PROCESS_COUNTS.length; turn++) {
      const process_count = PROCESS_COUNTS[(nr + turn) % PROCESS_COUNTS.length] ?? 1
      const pages = await measureCost(() => measureMaxRate(pagesOf(process_count), seconds))
      const submissions = await measureCost(() =>
        measureMaxRate(submissionsTo(process_count), seconds),
      )
      round.pages.set(process_count, pages)
      round.submissions.set(process_count, submissions)
      console.log(`  ${process_count}: pages ${formatCost(pages)}`)
      console.log(`     submissions ${formatCost(submissions)}`)
    }
    measured.push(round)
  }
  return measured
}

/** Returns the calls per second of a cost; NaN if nothing was measured. */
export const rateOf = (cost: Cost | undefined): number => cost?.per_second ?? Number.NaN
