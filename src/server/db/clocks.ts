import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

/** Difference in seconds above which times of this machine and of the database no longer fit together. */
const MAX_DIFFERENCE_S = 60

/**
 * Logs a warning if the clock of this machine differs from that of the database, or if the newest event of the audit log
 * is in the future, because sessions, opening dates and deletions after a time depend on these clocks.
 */
export const warnOfClocks = async (
  pool: Pick<pg.Pool, 'query'>,
  log: Pick<FastifyBaseLogger, 'warn'>,
): Promise<void> => {
  const asked_s = Date.now() / 1_000
  const { rows } = await pool.query<{ now_s: number; newest_s: number | null }>(
    `select extract(epoch from clock_timestamp())::float8 as now_s,
      (select extract(epoch from at)::float8 from audit_events order by id desc limit 1) as newest_s`,
  )
  const answered_s = Date.now() / 1_000
  const { now_s, newest_s } = rows[0] ?? { now_s: asked_s, newest_s: null }
  // The clock of the database was read at some moment between question and answer.
  const difference_s = Math.round(now_s - Math.min(Math.max(now_s, asked_s), answered_s))
  if (Math.abs(difference_s) > MAX_DIFFERENCE_S)
    log.warn({ difference_s }, 'the clocks of this machine and of the database differ: set them')
  const ahead_s = newest_s === null ? 0 : Math.round(newest_s - now_s)
  if (ahead_s > MAX_DIFFERENCE_S)
    log.warn({ ahead_s }, 'the newest event is in the future: a clock is or was wrong')
}
