import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import {
  codeOf,
  isCollision,
  isDatabaseSilent,
  isDatabaseUnavailable,
  isTimeOut,
} from './database-error.ts'
import type { DedicatedPoolSettings, OpenDedicatedPool, ReadSource } from './dedicated-pools.ts'
import { isRefusedByPooler } from './pooler.ts'
import { type ReplicaProblem, UnusableReplica } from './read-replica.ts'

/** Runs a read. A read that fails on the replica is run a second time, on the primary. */
type RunRead = <T>(read: (source: ReadSource) => Promise<T>) => Promise<T>

/** Functions for reads that take much time: filtered statistics, exports, replays. */
export type HeavyReads = {
  run: RunRead
  /** Opens connections for reads that take longer than a call may. */
  openDedicated: (settings: DedicatedPoolSettings) => { run: RunRead; close: () => Promise<void> }
  /** Returns the number of reads by the server that answered them; an empty list without a replica. */
  countReads: () => ReadCount[]
  /** Returns a one-line problem if the address of the replica can never work. Logs other problems of the replica. */
  findProblem: () => Promise<string | undefined>
  close: () => Promise<void>
}

/** Reason why the primary answered a read. */
type Reason =
  | ReplicaProblem
  /** The replica had to apply a change to rows that the read was using. */
  | 'conflict'
  /** Any other error of the database. */
  | 'failed'

type ReadCount = { labels: { server: 'replica' | 'primary'; reason: Reason | '' }; value: number }

/** Pool of the replica. The limits of statistics, analyses and exports together allow seven reads at once. */
const REPLICA_POOL = { name: 'reads', max_connections: 8, timeout_ms: 5_000 }
/** Time for which reads use the primary after the replica was unusable, so that not every read waits for it. */
const REPLICA_PAUSE_MS = 5_000

/** SQLSTATE classes of a server that starts, stops or has no resources left. */
const OUT_OF_SERVICE = /^(?:53|57P)/

/** Returns why a failed read should be run on the primary; undefined if the primary would fail in the same way. */
const reasonOf = (error: unknown): Reason | undefined => {
  if (error instanceof UnusableReplica) return error.problem
  if (isTimeOut(error)) return undefined
  if (isCollision(error)) return 'conflict'
  if (isDatabaseSilent(error)) return 'unreachable'
  if (!(error instanceof pg.DatabaseError)) return undefined
  return OUT_OF_SERVICE.test(codeOf(error)) ? 'unreachable' : 'failed'
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

/** Reasons after which the next read may try the replica, because they concern one read or the primary. */
const REASONS_WITHOUT_PAUSE: readonly Reason[] = ['conflict', 'failed', 'unknown_position']

/**
 * Creates the heavy reads of a process. Only this function decides which server answers (docs/decisions/066). Without a
 * replica, every read uses the primary without a further query.
 */
export const createHeavyReads = (
  primary: { source: ReadSource; openDedicatedPool: OpenDedicatedPool },
  openReplicaPool: OpenDedicatedPool | undefined,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): HeavyReads => {
  if (!openReplicaPool)
    return {
      run: (read) => read(primary.source),
      openDedicated: (settings) => {
        const { close, ...source } = primary.openDedicatedPool(settings)
        return { run: (read) => read(source), close }
      },
      countReads: () => [],
      findProblem: async () => undefined,
      close: async () => undefined,
    }

  const counts = new Map<Reason | '', number>()
  const count = (reason: Reason | ''): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  /** Reason for which reads use the primary until a time; undefined while they use the replica. */
  let paused: { reason: Reason; until: number } | undefined

  const isPaused = (): boolean => paused !== undefined && performance.now() < paused.until
  const onSuccess = (): void => {
    // A read that began before the pause says nothing about the replica now.
    if (!paused || isPaused()) return
    log.info('heavy reads use the replica again')
    paused = undefined
  }
  const onProblem = (reason: Reason, error: unknown): void => {
    if (REASONS_WITHOUT_PAUSE.includes(reason)) {
      log.info({ reason, err: error }, 'a heavy read is run again on the primary')
      return
    }
    if (paused?.reason !== reason)
      log.warn({ reason, err: error }, 'heavy reads use the primary, not the replica')
    paused = { reason, until: performance.now() + REPLICA_PAUSE_MS }
  }

  const runOn =
    (on_replica: ReadSource, on_primary: ReadSource): RunRead =>
    async (read) => {
      if (paused && isPaused()) {
        count(paused.reason)
        return read(on_primary)
      }
      try {
        const value = await read(on_replica)
        count('')
        onSuccess()
        return value
      } catch (error) {
        const reason = reasonOf(error)
        if (reason === undefined) throw error
        if (reason === 'unknown_position' && isDatabaseUnavailable(causeOf(error)))
          throw causeOf(error)
        count(reason)
        onProblem(reason, error)
      }
      return read(on_primary)
    }

  const replica = openReplicaPool(REPLICA_POOL)
  return {
    run: runOn(replica, primary.source),
    openDedicated: (settings) => {
      const replica_pool = openReplicaPool(settings)
      const primary_pool = primary.openDedicatedPool(settings)
      return {
        run: runOn(replica_pool, primary_pool),
        close: async () => {
          await Promise.all([replica_pool.close(), primary_pool.close()])
        },
      }
    },
    countReads: () =>
      [...counts].map(([reason, value]) => ({
        labels: { server: reason === '' ? 'replica' : 'primary', reason },
        value,
      })),
    findProblem: async () => {
      try {
        const client = await replica.pool.connect()
        client.release()
      } catch (error) {
        if (isRefusedByPooler(causeOf(error)))
          return 'DATABASE_READ_URL: must be the address of the replica itself, not of a pooler'
        onProblem(reasonOf(error) ?? 'unreachable', error)
      }
      return undefined
    },
    close: () => replica.close(),
  }
}
