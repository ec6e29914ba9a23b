import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Result of reading the time of the database. */
type ClockReading = {
  /** Milliseconds by which the clock jumped since the last reading: negative if back, 0 for small differences. */
  jump_ms: number
  /** False if leases of running work may look expired: at the first reading, after a jump, after an outage. */
  is_continuous: boolean
}

/** Clock of the database, which all workers share. The clock of a process may differ, and both may jump. */
export type DatabaseClock = {
  /** Returns the time of the last reading plus the time elapsed since. */
  now: () => Date
  /** Returns milliseconds since an arbitrary moment. Corrections of wall clocks do not affect them. */
  elapsed: () => number
  /** Reads the time of the database. */
  read: () => Promise<ClockReading>
  /**
   * Returns the current time, with which the ends of leases of other workers are compared. Returns 1970 for
   * RENEWAL_TIME_MS after a reading that was not continuous, so that living workers renew their leases first.
   */
  leaseCutoff: () => Date
}

/** Smallest difference that counts as a jump. Slow statements cause smaller differences. */
const MIN_JUMP_MS = 5_000
/** Longest time between two readings that are continuous, because leases last longer. */
const MAX_GAP_MS = 20_000
/** Time in which living workers renew their leases after a jump or an outage. */
export const RENEWAL_TIME_MS = 15_000
const LONG_AGO = new Date(0)

const readTimeOf = (db: Db) => async (): Promise<number> => {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  return Date.parse(rows[0]?.now ?? '')
}

/** Creates the clock of a worker. */
export const createDatabaseClock = (
  db: Db,
  { readTime = readTimeOf(db), elapsed = () => performance.now() } = {},
): DatabaseClock => {
  /** Difference between the wall clock of the database and `elapsed`. */
  let offset_ms = Date.now() - elapsed()
  let read_at: number | undefined
  /** Time of `elapsed` from which expired leases of other workers may be claimed. */
  let takeover_at = Number.POSITIVE_INFINITY
  const now = (): Date => new Date(offset_ms + elapsed())
  return {
    now,
    elapsed,
    read: async () => {
      const asked_at = elapsed()
      const time_ms = await readTime()
      const answered_at = elapsed()
      const previous = { offset_ms, read_at }
      offset_ms = time_ms - (asked_at + answered_at) / 2
      read_at = answered_at
      const difference_ms = offset_ms - previous.offset_ms
      const has_jumped = previous.read_at !== undefined && Math.abs(difference_ms) >= MIN_JUMP_MS
      const is_continuous =
        previous.read_at !== undefined &&
        !has_jumped &&
        answered_at - previous.read_at <= MAX_GAP_MS
      if (!is_continuous) takeover_at = answered_at + RENEWAL_TIME_MS
      return { jump_ms: has_jumped ? difference_ms : 0, is_continuous }
    },
    leaseCutoff: () => (elapsed() >= takeover_at ? now() : LONG_AGO),
  }
}
