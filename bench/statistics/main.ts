/**
 * Measures statistics with many participants: a large quiz relative to a small one, filtered first pages relative to a
 * read by key, exports relative to COPY. Prints ratios, because times depend on the machine. `npm run bench:statistics --
 * --participants N --data FOLDER --only call|pages|tables|dry-runs|exports|recount|replay`; `--data` keeps the participants
 * for the next run.
 */
import { parseArgs } from 'node:util'
import { findDifferences } from '#server/statistics/counters/verify-counters.store.ts'
import { quantile } from '../figures.ts'
import { measureExports } from './export.ts'
import { measureFirstPages } from './first-pages.ts'
import { type MeasuredServer, quizOf, startMeasuredServer } from './measured-server.ts'
import { measureReplay } from './replay.ts'
import { measureDryRuns, measureTables } from './tables.ts'
import { formatMs, ratio, timeOf } from './timing.ts'

const SMALL = 1_000
const RUNS = 100

const { values } = parseArgs({
  options: {
    participants: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    only: { type: 'string' },
  },
})
const size = Number(values.participants)
const isAsked = (part: string): boolean => values.only === undefined || values.only === part

/** Makes the call of the screen for both quizzes alternately, so that other programs affect both equally. */
const measureCall = async (
  { client }: MeasuredServer,
  quizzes: { small: string; large: string },
) => {
  const call = (id: string) => timeOf(() => client.statistics.responses({ id, figures: '1' }))
  const [few, many]: [number[], number[]] = [[], []]
  for (let run = -RUNS / 10; run < RUNS; run++) {
    const [one, other] = [await call(quizzes.small), await call(quizzes.large)]
    if (run < 0) continue
    few.push(one)
    many.push(other)
  }
  for (const share of [0.5, 0.99]) {
    const [at, to] = [many, few].map((all) => quantile(all, share))
    console.log(
      `statistics call, p${share * 100}: ${formatMs(at ?? 0)} at ${size}, ${formatMs(to ?? 0)} at ${SMALL}: ${ratio(at ?? 0, to ?? 0)}`,
    )
  }
}

/** SQL for the disk size of participants and of their counters. */
const TABLES = `
select relname as name, pg_table_size(relid)::float as bytes, pg_indexes_size(relid)::float as indexes
from pg_statio_user_tables
where pg_total_relation_size(relid) > 10 * $1::float order by pg_total_relation_size(relid) desc`

const measureDisk = async ({ session }: MeasuredServer): Promise<void> => {
  const { rows } = await session.query<{ name: string; bytes: number; indexes: number }>(TABLES, [
    size,
  ])
  for (const { name, bytes, indexes } of rows)
    console.log(
      `disk for each participant, ${name}: ${(bytes / (size + SMALL)).toFixed(0)} bytes and ${(indexes / (size + SMALL)).toFixed(0)} of indexes`,
    )
}

const measured = await startMeasuredServer(values.data)
try {
  const small = await quizOf(measured, SMALL)
  const large = await quizOf(measured, size)
  if (isAsked('recount'))
    console.log(`a recount finds ${(await findDifferences(measured.session)).length} differences`)
  if (isAsked('call')) await measureCall(measured, { small, large })
  await measureDisk(measured)
  if (isAsked('pages')) await measureFirstPages({ ...measured, quiz_id: large, size })
  if (isAsked('tables')) await measureTables(measured, large)
  if (isAsked('dry-runs')) await measureDryRuns(measured, large)
  if (isAsked('exports')) await measureExports(measured, large)
  if (isAsked('replay')) await measureReplay(measured)
} finally {
  await measured.close()
}
