import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { type Steps, stepsIn } from '#domain/left-out-steps.ts'
import { storeVisits, type VisitCount } from './visits.store.ts'

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
