import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { stepsIn, type VisitedSteps } from '#domain/run/path.ts'
import { quarterOf } from '#server/db/counter-families.ts'

/** Number of further visits that reached a step of a version. */
type VisitCount = { quiz_id: string; version: number; step: number; count: number }

/**
 * SQL that adds visits to the counters. Quizzes are locked first and rows are written in a fixed order, as for
 * submissions.
 */
const STORE = `
with input as (
  select * from json_to_recordset($1::json)
    as row(quiz_id uuid, version integer, step smallint, count bigint)
), open_quizzes as (
  select id from quizzes where id in (select quiz_id from input) order by id for key share
)
insert into visit_counts (quiz_id, version, quarter, step, count)
select input.quiz_id, version, ${quarterOf('now()')}, step, count
from input join open_quizzes on open_quizzes.id = input.quiz_id
order by 1, 2, 3, 4
on conflict (quiz_id, version, quarter, step) do update set count = visit_counts.count + excluded.count
`

/** Adds counts to those of the current quarter of an hour, atomically. Counts of deleted quizzes are ignored. */
const storeVisits = async (pool: pg.Pool, counts: readonly VisitCount[]): Promise<void> => {
  await pool.query({ name: 'store-visits', text: STORE, values: [JSON.stringify(counts)] })
}

/** Steps that a visit has newly reached, without the pages that its path skipped. */
type CountedVisit = VisitedSteps & { quiz_id: string; version: number }

/** Counter of visits that writes in batches. */
export type Visits = {
  /** Counts steps in memory; they are written later. */
  count: (visited: CountedVisit) => void
  /** Writes all counts so far. */
  flush: () => Promise<void>
  /** Writes the last counts at shutdown. */
  close: () => Promise<void>
}

const BATCH_DELAY_MS = 1_000
/** Maximum number of different steps that wait while the database is unavailable. Further visits are not counted. */
const MAX_WAITING_STEPS = 50_000

/**
 * Creates the counter of visits. Counts are gathered for a second and written in one statement. A crash loses
 * at most one second of counts, and no visitor waits.
 */
export const createVisits = (
  pool: pg.Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
  batch_delay_ms = BATCH_DELAY_MS,
): Visits => {
  let waiting = new Map<string, VisitCount>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  const add = ({ quiz_id, version, step, count }: VisitCount): void => {
    const key = `${quiz_id} ${version} ${step}`
    const known = waiting.get(key)
    if (known) known.count += count
    else if (waiting.size < MAX_WAITING_STEPS) waiting.set(key, { quiz_id, version, step, count })
  }
  const write = async (): Promise<void> => {
    const counts = [...waiting.values()]
    waiting = new Map()
    if (counts.length === 0) return
    try {
      await storeVisits(pool, counts)
    } catch (error) {
      log.warn({ err: error }, 'visit counts could not be written; retrying')
      for (const one of counts) add(one)
      if (!isClosed) plan()
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }
  const plan = (): void => {
    timer ??= setTimeout(flush, batch_delay_ms).unref()
  }

  return {
    count: ({ quiz_id, version, ...steps }) => {
      for (const step of stepsIn(steps)) add({ quiz_id, version, step, count: 1 })
      plan()
    },
    flush,
    close: () => {
      isClosed = true
      return flush()
    },
  }
}
