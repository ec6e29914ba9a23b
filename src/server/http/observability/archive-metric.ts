import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'

/** State of the WAL archive as PostgreSQL reports it. */
type ArchiveState = {
  /** Current WAL position, such as 2/16B374D8; null if the server has no archive or is a replica. */
  wal_position: string | null
  /** Name of the last archived file; null if none was archived since the statistics were reset. */
  last_archived_wal: string | null
  segment_bytes: string
}

/** Name of a WAL segment: timeline, upper half of the position, number of the segment within this half. */
const SEGMENT_NAME = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})/

/**
 * Returns the bytes of WAL that are not archived yet, including the current segment. Returns undefined if the server
 * has no archive.
 */
export const countUnarchivedBytes = ({
  wal_position,
  last_archived_wal,
  segment_bytes,
}: ArchiveState): number | undefined => {
  if (wal_position === null) return undefined
  const [upper = '', lower = ''] = wal_position.split('/')
  const position = joinHalves(upper, BigInt(`0x${lower}`))
  const [, half, rank] = SEGMENT_NAME.exec(last_archived_wal ?? '') ?? []
  if (half === undefined || rank === undefined) return Number(position)
  const archived_until = joinHalves(half, (BigInt(`0x${rank}`) + 1n) * BigInt(segment_bytes))
  // The position lies within the last archived segment if this segment was closed before it was full.
  return Math.max(0, Number(position - archived_until))
}

const joinHalves = (upper: string, lower: bigint): bigint => (BigInt(`0x${upper}`) << 32n) + lower

/** Returns the metric of the WAL archive. The metric has no sample if the server has no archive. */
export const archiveMetric = ({ db }: Pick<Database, 'db'>): MetricSource => ({
  name: 'database_unarchived_wal_bytes',
  type: 'gauge',
  help: 'WAL that is not in the archive yet, if the database has one (ops/pitr)',
  read: async () => {
    const { rows } = await sql<ArchiveState>`
      select last_archived_wal,
        case when current_setting('archive_mode') <> 'off' and not pg_is_in_recovery()
          then pg_current_wal_lsn()::text end as wal_position,
        (select setting from pg_settings where name = 'wal_segment_size') as segment_bytes
      from pg_stat_archiver
    `
      .execute(db)
      // Without the database, `database_up` is 0.
      .catch(() => ({ rows: [] }))
    return rows.flatMap((state) => {
      const value = countUnarchivedBytes(state)
      return value === undefined ? [] : [{ value }]
    })
  },
})
