import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import {
  createDedicatedPools,
  type DedicatedPoolOptions,
  type OpenDedicatedPool,
} from './dedicated-pools.ts'

/** Reason why the replica could not answer a read. */
export type ReplicaProblem =
  /** The replica cannot be reached or refuses the connection. */
  | 'unreachable'
  /** The replica did not apply the last commits in time. */
  | 'behind'
  /** The address leads to a primary or to another cluster. */
  | 'not_a_replica'
  /** Since a failover, the replica has not confirmed that it follows the timeline of the primary. */
  | 'other_timeline'
  /** The primary did not report its position in the log, or is a replica now. */
  | 'unknown_position'

/** Error of a read that the replica may not answer. */
export class UnusableReplica extends Error {
  override name = 'UnusableReplica'
  readonly problem: ReplicaProblem

  constructor(problem: ReplicaProblem, cause?: unknown) {
    super(`The read replica is not usable: ${problem}`, { cause })
    this.problem = problem
  }
}

/** Position in the write-ahead log of the primary, after every visible commit. */
type LogPosition = { cluster: string; timeline: string; lsn: string }

/**
 * Query of that position. A commit is visible only after it was flushed to disk, unless `synchronous_commit` is off. A
 * replica receives only flushed log, so a read could wait in vain for the end of the log in memory.
 */
const PRIMARY_POSITION = `
  select (select system_identifier::text from pg_control_system()) as cluster,
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end::text as lsn`

/** Query that compares a replica with that position. Its control file names a new timeline late, never early. */
const REPLICA_STATE = `
  select pg_is_in_recovery() and system_identifier::text = $1 as is_replica,
    upper(lpad(to_hex(greatest(timeline_id, min_recovery_end_timeline)), 8, '0')) = $2 as is_same_timeline,
    coalesce(pg_last_wal_replay_lsn() >= $3::pg_lsn, false) as has_caught_up
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`

type ReplicaState = { is_replica: boolean; is_same_timeline: boolean; has_caught_up: boolean }

const CONNECT_TIMEOUT_MS = 1_000
/** Maximum time of one query of the state of the replica. */
const STATE_TIMEOUT_MS = 1_000
/** Maximum time for which a read waits until the replica has caught up. */
const MAX_REPLAY_WAIT_MS = 500
const FIRST_POLL_MS = 2
const MAX_POLL_MS = 20

const readPosition = async (primary: pg.Pool): Promise<LogPosition> => {
  try {
    const { rows } = await primary.query<LogPosition>(PRIMARY_POSITION)
    if (rows[0]) return rows[0]
  } catch (error) {
    throw new UnusableReplica('unknown_position', error)
  }
  throw new UnusableReplica('unknown_position')
}

/** Waits until a replica has replayed the log up to a position. Throws UnusableReplica if it does not in time. */
const waitUntilReplayed = async (
  client: pg.PoolClient,
  { cluster, timeline, lsn }: LogPosition,
): Promise<void> => {
  const until = performance.now() + MAX_REPLAY_WAIT_MS
  const query = {
    text: REPLICA_STATE,
    values: [cluster, timeline, lsn],
    query_timeout: STATE_TIMEOUT_MS,
  }
  for (let poll_ms = FIRST_POLL_MS; ; poll_ms = Math.min(poll_ms * 2, MAX_POLL_MS)) {
    const { rows } = await client.query<ReplicaState>(query)
    const [state] = rows
    if (!state?.is_replica) throw new UnusableReplica('not_a_replica')
    if (!state.is_same_timeline) throw new UnusableReplica('other_timeline')
    if (state.has_caught_up) return
    if (performance.now() > until) throw new UnusableReplica('behind')
    await pause(poll_ms)
  }
}

/**
 * Returns a connection to a replica that shows every commit that was visible on the primary at the call. Throws
 * UnusableReplica if there is none.
 */
const connectAfterCatchUp = async (replica: pg.Pool, primary: pg.Pool): Promise<pg.PoolClient> => {
  const position = await readPosition(primary)
  let client: pg.PoolClient | undefined
  try {
    client = await replica.connect()
    await waitUntilReplayed(client, position)
    return client
  } catch (error) {
    const problem = error instanceof UnusableReplica ? error.problem : 'unreachable'
    // A replica that is only behind keeps its connection. Otherwise a new connection may lead to another server.
    client?.release(problem !== 'behind')
    throw error instanceof UnusableReplica ? error : new UnusableReplica('unreachable', error)
  }
}

/**
 * Creates a function that opens pools on a replica. `connect` of such a pool waits until the replica has caught up with
 * the primary. Throws UnusableReplica within a few seconds if it does not.
 */
export const createReplicaPools = (
  connection: pg.PoolConfig,
  { createDb, primary }: Pick<DedicatedPoolOptions, 'createDb'> & { primary: pg.Pool },
): OpenDedicatedPool =>
  createDedicatedPools(connection, {
    createDb,
    connect_timeout_ms: CONNECT_TIMEOUT_MS,
    checkOut: (replica) => connectAfterCatchUp(replica, primary),
  })
