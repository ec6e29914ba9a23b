import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { type Steps, stepsIn } from '#domain/run/path.ts'
import { quarterOf } from '#server/db/counter-families.ts'

/** How many more visits came to a step of a version. */
type VisitCount = { quiz_id: string; version: number; step: number; count: number }

/** Quizzes are locked before anything is written, and rows taken in a fixed order, as submissions do. */
const STORE = `
with input as (
  select * from json_to_recordset($1::json)
    as row(quiz_id uuid, version integer, step smallint, count bigint)
), open as (
  select id from quizzes where id in (select quiz_id from input) order by id for key share
)
insert into visit_counts (quiz_id, version, quarter, step, count)
select input.quiz_id, version, ${quarterOf('now()')}, step, count
from input join open on open.id = input.quiz_id
order by 1, 2, 3, 4
on conflict (quiz_id, version, quarter, step) do update set count = visit_counts.count + excluded.count
`

/** Adds these counts to those of this quarter of an hour, all or nothing. Counts of deleted quizzes are ignored. */
const storeVisits = async (pool: pg.Pool, counts: readonly VisitCount[]): Promise<void> => {
  await pool.query({ name: 'store-visits', text: STORE, values: [JSON.stringify(counts)] })
}

/** Steps that one visit newly came to; pages that its path left out are none of them. */
type Visited = Steps & { quiz_id: string; version: number }

export type Visits = {
  /** Counts in memory; writes later. */
  count: (visited: Visited) => void
  /** Writes what was counted until now. */
  flush: () => Promise<void>
  /** Writes it a last time. */
  close: () => Promise<void>
}

const GATHER_MS = 1_000
/** The most different steps kept while the database is unreachable; beyond it visits are not counted. */
const MOST_WAITING = 50_000

/**
 * Counts how far visits come, batched for a second and written in one statement: a kill loses at most a
 * second of counts, and no visitor waits.
 */
export const createVisits = (
  pool: pg.Pool,
  log: Pick<FastifyBaseLogger, 'warn'>,
  gather_ms = GATHER_MS,
): Visits => {
  let waiting = new Map<string, VisitCount>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isClosed = false

  const add = ({ quiz_id, version, step, count }: VisitCount): void => {
    const key = `${quiz_id} ${version} ${step}`
    const known = waiting.get(key)
    if (known) known.count += count
    else if (waiting.size < MOST_WAITING) waiting.set(key, { quiz_id, version, step, count })
  }
  const write = async (): Promise<void> => {
    const counts = [...waiting.values()]
    waiting = new Map()
    if (counts.length === 0) return
    try {
      await storeVisits(pool, counts)
    } catch (error) {
      log.warn({ err: error }, 'visits were not written yet')
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
    timer ??= setTimeout(flush, gather_ms).unref()
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
