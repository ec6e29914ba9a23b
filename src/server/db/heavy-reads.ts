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
import { type ReplicaProblem, UnusableReplica } from './read-replica.ts'

/** Runs a read, perhaps twice: a read that fails on the replica begins again on the primary. */
type RunRead = <T>(read: (source: ReadSource) => Promise<T>) => Promise<T>

/** Reads that take much time: filtered statistics, exports, replays. They never write. */
export type HeavyReads = {
  run: RunRead
  /** Opens connections for reads that take longer than a call may. */
  openDedicated: (settings: DedicatedPoolSettings) => { run: RunRead; close: () => Promise<void> }
  /** Returns the number of reads by the server that answered them; empty without a replica. */
  countReads: () => ReadCount[]
  /** Returns a one-line problem if the address of the replica can never work. An unusable replica is logged. */
  findProblem: () => Promise<string | undefined>
  close: () => Promise<void>
}

type Reason =
  | ReplicaProblem
  /** The replica had to apply a change to rows that the read was using. */
  | 'conflict'
  /** Any other error of the database. */
  | 'failed'

type ReadCount = { labels: { server: 'replica' | 'primary'; reason: Reason | '' }; value: number }

/** Connections to the replica: the limits of statistics, analyses and exports together allow seven reads at once. */
const POOL = { name: 'reads', max_connections: 8, timeout_ms: 5_000 }
/** Time for which reads use the primary after the replica was unusable, so that not every read waits for it. */
const PAUSE_MS = 5_000
/** Error of a pooler for settings that belong to a session. */
const REFUSED_SETTING = /unsupported startup parameter/

/** SQLSTATE classes of a server that has no resources left, starts or stops. */
const OUT_OF_SERVICE = /^(?:53|57P)/

/** Returns why a read should begin again on the primary; undefined if it would end equally there. */
const reasonOf = (error: unknown): Reason | undefined => {
  if (error instanceof UnusableReplica) return error.problem
  if (isTimeOut(error)) return undefined
  if (isCollision(error)) return 'conflict'
  if (isDatabaseSilent(error)) return 'unreachable'
  if (!(error instanceof pg.DatabaseError)) return undefined
  return OUT_OF_SERVICE.test(codeOf(error)) ? 'unreachable' : 'failed'
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

/** Reasons that concern one read alone or the primary, so that the next read may try the replica. */
const PASSING: readonly Reason[] = ['conflict', 'failed', 'unknown_position']

/**
 * Creates the reads of a process that take much time. This is the only place that decides which server answers
 * (docs/decisions/066). Without a replica, every read uses the primary and costs no further query.
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
    if (PASSING.includes(reason)) {
      log.info({ reason, err: error }, 'a heavy read begins again on the primary')
      return
    }
    if (paused?.reason !== reason)
      log.warn({ reason, err: error }, 'heavy reads use the primary, not the replica')
    paused = { reason, until: performance.now() + PAUSE_MS }
  }

  const runOn =
    (replica: ReadSource, source: ReadSource): RunRead =>
    async (read) => {
      if (paused && isPaused()) {
        count(paused.reason)
        return read(source)
      }
      try {
        const value = await read(replica)
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
      return read(source)
    }

  const replica = openReplicaPool(POOL)
  return {
    run: runOn(replica, primary.source),
    openDedicated: (settings) => {
      const [own, source] = [openReplicaPool(settings), primary.openDedicatedPool(settings)]
      return {
        run: runOn(own, source),
        close: async () => {
          await Promise.all([own.close(), source.close()])
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
        if (REFUSED_SETTING.test(String(causeOf(error))))
          return 'DATABASE_READ_URL: must be the address of the replica itself, not of a pooler'
        onProblem(reasonOf(error) ?? 'unreachable', error)
      }
      return undefined
    },
    close: () => replica.close(),
  }
}
