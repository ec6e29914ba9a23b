import { median, roundToHundredths } from '../figures.ts'
import type { Cost } from '../submit/call-cost.ts'
import { MAX_PROCESSES, PROCESS_COUNTS } from './installation.ts'
import { type Round, rateOf } from './measure-rates.ts'

const microsOf = (cost: Cost | undefined): number => Math.round(cost?.micros.processes ?? 0)

/** Prints the medians of the rounds: rates, ratios to one process and to pgbench, and CPU time of the processes. */
export const printRateTable = (rounds: readonly Round[]): void => {
  const medianOf = (figure: (round: Round) => number): number => median(rounds.map(figure))
  const ratioOf = (figure: (round: Round) => number): number => roundToHundredths(medianOf(figure))
  const rows = PROCESS_COUNTS.map((count) => [
    `${count} of ${MAX_PROCESSES} processes`,
    {
      'pages, /s': Math.round(medianOf(({ pages }) => rateOf(pages.get(count)))),
      'pages, ratio to one process': ratioOf(
        ({ pages }) => rateOf(pages.get(count)) / rateOf(pages.get(1)),
      ),
      'µs per page': medianOf(({ pages }) => microsOf(pages.get(count))),
      'submissions, /s': Math.round(medianOf(({ submissions }) => rateOf(submissions.get(count)))),
      'submissions, ratio to one process': ratioOf(
        ({ submissions }) => rateOf(submissions.get(count)) / rateOf(submissions.get(1)),
      ),
      'submissions, ratio to pgbench': ratioOf(
        ({ submissions, pgbench }) => rateOf(submissions.get(count)) / rateOf(pgbench),
      ),
      'µs per submission': medianOf(({ submissions }) => microsOf(submissions.get(count))),
    },
  ])
  console.log('Medians of the rounds:')
  console.table(Object.fromEntries(rows))
  console.log(`pgbench: ${Math.round(medianOf(({ pgbench }) => rateOf(pgbench)))}/s`)
}
