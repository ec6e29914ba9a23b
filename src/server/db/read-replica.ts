import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import {
  createDedicatedPools,
  type DedicatedPoolOptions,
  type OpenDedicatedPool,
} from './dedicated-pools.ts'

/** Reason why the replica could not answer a read. */
export type ReplicaProblem =
  /** It cannot be reached or refuses the connection. */
  | 'unreachable'
  /** It did not receive the last commits in time. */
  | 'behind'
  /** The address leads to a primary or to another cluster. */
  | 'not_a_replica'
  /** It follows another history than the primary since a failover, or did not confirm that it follows the same. */
  | 'other_timeline'
  /** The primary did not tell its position, or is a replica now. */
  | 'unknown_position'

/** The replica may not answer a read. */
export class UnusableReplica extends Error {
  override name = 'UnusableReplica'
  readonly problem: ReplicaProblem

  constructor(problem: ReplicaProblem, cause?: unknown) {
    super(`The read replica is not usable: ${problem}`, { cause })
    this.problem = problem
  }
}

/** Position in the log of the primary, after every commit that anybody has seen. */
type Position = { cluster: string; timeline: string; lsn: string }

/**
 * A commit is visible after it was written to disk, unless `synchronous_commit` is off. A replica receives only what
 * was written to disk, so that the end of the log would often make reads wait for a commit that never comes.
 */
const PRIMARY_POSITION = `
  select (select system_identifier::text from pg_control_system()) as cluster,
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline,
    case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end::text as lsn`

/** The control file names a new timeline some seconds after the replica follows it, never before. */
const REPLICA_STATE = `
  select pg_is_in_recovery() and system_identifier::text = $1 as is_replica,
    upper(lpad(to_hex(greatest(timeline_id, min_recovery_end_timeline)), 8, '0')) = $2 as is_same_timeline,
    coalesce(pg_last_wal_replay_lsn() >= $3::pg_lsn, false) as has_caught_up
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`

type State = { is_replica: boolean; is_same_timeline: boolean; has_caught_up: boolean }

const CONNECT_TIMEOUT_MS = 1_000
/** Maximum time of the two queries, which read a few bytes. */
const ASK_TIMEOUT_MS = 1_000
/** Maximum time for which a read waits for the replica. */
const MAX_WAIT_MS = 500
const FIRST_POLL_MS = 2
const MAX_POLL_MS = 20

const readPosition = async (primary: pg.Pool): Promise<Position> => {
  try {
    const { rows } = await primary.query<Position>(PRIMARY_POSITION)
    if (rows[0]) return rows[0]
  } catch (error) {
    throw new UnusableReplica('unknown_position', error)
  }
  throw new UnusableReplica('unknown_position')
}

/** Waits until the server of a connection has replayed the log up to a position. Throws UnusableReplica. */
const waitUntilReplayed = async (
  client: pg.PoolClient,
  { cluster, timeline, lsn }: Position,
): Promise<void> => {
  const until = performance.now() + MAX_WAIT_MS
  const query = {
    text: REPLICA_STATE,
    values: [cluster, timeline, lsn],
    query_timeout: ASK_TIMEOUT_MS,
  }
  for (let poll_ms = FIRST_POLL_MS; ; poll_ms = Math.min(poll_ms * 2, MAX_POLL_MS)) {
    const { rows } = await client.query<State>(query)
    const [state] = rows
    if (!state?.is_replica) throw new UnusableReplica('not_a_replica')
    if (!state.is_same_timeline) throw new UnusableReplica('other_timeline')
    if (state.has_caught_up) return
    if (performance.now() > until) throw new UnusableReplica('behind')
    await pause(poll_ms)
  }
}

/**
 * Returns a connection to a replica that shows every commit that anybody has seen on the primary. The next snapshot of
 * the connection is therefore never older than the call.
 */
const checkOutCaughtUp = async (replica: pg.Pool, primary: pg.Pool): Promise<pg.PoolClient> => {
  const position = await readPosition(primary)
  let client: pg.PoolClient | undefined
  try {
    client = await replica.connect()
    await waitUntilReplayed(client, position)
    return client
  } catch (error) {
    const problem = error instanceof UnusableReplica ? error.problem : 'unreachable'
    // The next connection may lead to another server.
    client?.release(problem !== 'behind')
    throw error instanceof UnusableReplica ? error : new UnusableReplica('unreachable', error)
  }
}

/**
 * Creates pools on a replica whose connections have caught up with the primary when they are taken. A connection that
 * cannot be used throws UnusableReplica within a few seconds.
 */
export const createReplicaPools = (
  connection: pg.PoolConfig,
  { createDb, primary }: Pick<DedicatedPoolOptions, 'createDb'> & { primary: pg.Pool },
): OpenDedicatedPool =>
  createDedicatedPools(connection, {
    createDb,
    connect_timeout_ms: CONNECT_TIMEOUT_MS,
    checkOut: (replica) => checkOutCaughtUp(replica, primary),
  })
