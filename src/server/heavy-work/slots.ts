import { AsyncLocalStorage } from 'node:async_hooks'
import { createConcurrencyLimit, type Limit, type Turn } from '#server/runtime/concurrency-limit.ts'
import { createQueueRefusal } from './job-errors.ts'
import type { JobFigures } from './job-figures.ts'
import {
  GROUPS,
  type Group,
  type Job,
  type JobKind,
  type JobLimits,
  LANES,
  type Lane,
} from './kinds.ts'

/** Slot of a running job. */
export type Slot = {
  group: Group
  /** Runs a task as if it were called inside the job of this slot, for callbacks of other code. */
  runInside: <T>(task: () => T) => T
  /** Runs tasks one after the other in the thread of this slot; waits for a thread if the slot has none. */
  runInThread: <T>(signal: AbortSignal | undefined, task: () => Promise<T>) => Promise<T>
}

/** Slot with its state. The slot is free when its job and all `nested_jobs` have settled. */
type HeldSlot = Slot & { lane: Lane; is_open: boolean; nested_jobs: Set<Promise<unknown>> }

/** Error with which the limiter refuses a job while `nb_waiting` jobs of its owner wait. */
class QueueFullError extends Error {
  readonly nb_waiting: number

  constructor(nb_waiting: number) {
    super('The queue of heavy work is full')
    this.nb_waiting = nb_waiting
  }
}

const createRefusal = (nb_waiting: number): Error => new QueueFullError(nb_waiting)

const mapValues = <Key extends string, Value, Mapped>(
  record: Record<Key, Value>,
  map: (value: Value) => Mapped,
): Record<Key, Mapped> =>
  Object.fromEntries(
    Object.entries<Value>(record).map(([key, value]) => [key, map(value)]),
  ) as Record<Key, Mapped>

const MAX_RETRY_AFTER_S = 120

/** Returns true for groups whose slots cover nested jobs of every group. Such jobs may still wait for a thread. */
const coversNestedJobs = (group: Group): boolean => group === 'work' || group === 'visit'

/**
 * Lanes that a nested job takes in addition to the slot of its outer job, because the machine has no memory for more.
 * Their jobs never wait for another lane, so that no deadlock is possible.
 */
const LANES_TAKEN_BY_NESTED_JOBS: ReadonlySet<Lane> = new Set<Lane>(['decoder'])
/** Lanes whose slots include a thread. */
const LANES_WITH_THREAD: ReadonlySet<Lane> = new Set<Lane>(['page', 'thread'])

/** Creates the slots of jobs. Owners take turns in each lane, and each owner has few slots in each group. */
export const createSlots = (limits: Record<JobKind, JobLimits>, figures: JobFigures) => {
  const storage = new AsyncLocalStorage<HeldSlot>()
  const groups = mapValues<Group, (typeof GROUPS)[Group], Limit>(GROUPS, (group) =>
    createConcurrencyLimit({
      max_concurrent: Number.POSITIVE_INFINITY,
      max_concurrent_per_key: group.max_concurrent_per_owner,
      max_concurrent_per_asker: group.max_concurrent_per_network,
      max_queued: group.max_queued,
      max_queued_per_key: group.max_queued_per_owner,
      max_queued_per_asker: group.max_queued_per_network,
      refusal: createRefusal,
    }),
  )
  const lanes = mapValues<Lane, (typeof LANES)[Lane], Limit>(LANES, (lane) =>
    createConcurrencyLimit({
      max_concurrent: lane.max_concurrent,
      max_concurrent_per_key: lane.max_concurrent_per_owner,
      max_queued: Number.POSITIVE_INFINITY,
      refusal: createRefusal,
    }),
  )
  /** Kinds and owners of the jobs that hold a slot of their own. */
  const running_jobs = new Set<Pick<Job, 'kind' | 'owner'>>()

  const createSlot = (owner: string, lane: Lane): HeldSlot => {
    const limitToOne = createConcurrencyLimit({
      max_concurrent: 1,
      max_queued: Number.POSITIVE_INFINITY,
      refusal: createRefusal,
    })
    const slot: HeldSlot = {
      group: LANES[lane].group,
      lane,
      is_open: true,
      nested_jobs: new Set(),
      runInside: (task) => storage.run(slot, task),
      runInThread: (signal, task) =>
        limitToOne({ key: owner, signal }, () =>
          LANES_WITH_THREAD.has(lane)
            ? task()
            : lanes.thread({ key: owner, signal, is_admitted: true }, task),
        ),
    }
    return slot
  }

  /** Runs a task in a slot of its own. Holds the slot until the nested jobs have ended too. */
  const runInOwnSlot = async (job: Job, task: (slot: Slot) => Promise<void>): Promise<void> => {
    const slot = createSlot(job.owner, limits[job.kind].lane)
    const entry = { kind: job.kind, owner: job.owner }
    running_jobs.add(entry)
    const endRunning = figures.countRunning(job.kind)
    try {
      await slot.runInside(() => task(slot))
      while (slot.nested_jobs.size > 0) await Promise.allSettled(slot.nested_jobs)
    } finally {
      slot.is_open = false
      running_jobs.delete(entry)
      endRunning()
    }
  }

  const secondsUntilFree = (kind: JobKind, nb_waiting: number): number => {
    const { max_concurrent_per_owner } = GROUPS[LANES[limits[kind].lane].group]
    const ms = ((nb_waiting + 1) * figures.averageDuration(kind)) / max_concurrent_per_owner
    return Math.min(MAX_RETRY_AFTER_S, Math.max(1, Math.ceil(ms / 1_000)))
  }

  const refuse = (kind: JobKind, nb_waiting: number): Error => {
    figures.countRefused(kind)
    return createQueueRefusal(kind, secondsUntilFree(kind, nb_waiting))
  }

  return {
    /** Runs a task in a slot of its own, or in the slot of the job around it. Waits for the turn of the job. */
    run: async (job: Job, task: (slot: Slot) => Promise<void>): Promise<void> => {
      const { lane } = limits[job.kind]
      const { group } = LANES[lane]
      const current = storage.getStore()
      const outer = current?.is_open && !job.is_apart ? current : undefined
      if (outer && (coversNestedJobs(outer.group) || outer.group === group)) {
        const needsLane = LANES_TAKEN_BY_NESTED_JOBS.has(lane) && outer.lane !== lane
        const nested = needsLane
          ? lanes[lane]({ key: job.owner, signal: job.signal, is_admitted: true }, () =>
              task(outer),
            )
          : task(outer)
        outer.nested_jobs.add(nested)
        await nested.finally(() => outer.nested_jobs.delete(nested))
        return
      }
      const turn: Turn = { key: job.owner, signal: job.signal, is_admitted: outer !== undefined }
      const endWaiting = figures.countWaiting(job.kind)
      try {
        await groups[group]({ ...turn, asker: job.network }, () =>
          lanes[lane]({ ...turn, is_admitted: true }, () => {
            endWaiting()
            return runInOwnSlot(job, task)
          }),
        )
      } catch (error) {
        throw error instanceof QueueFullError ? refuse(job.kind, error.nb_waiting) : error
      } finally {
        endWaiting()
      }
    },

    /** Throws the refusal that a job of this kind would get now, for groups without a queue. */
    check: ({ kind, owner }: Pick<Job, 'kind' | 'owner'>): void => {
      const { lane } = limits[kind]
      const jobs_of_lane = [...running_jobs].filter((other) => limits[other.kind].lane === lane)
      const jobs_of_owner = jobs_of_lane.filter((other) => other.owner === owner)
      const { max_concurrent, max_concurrent_per_owner } = LANES[lane]
      if (jobs_of_lane.length >= max_concurrent || jobs_of_owner.length >= max_concurrent_per_owner)
        throw refuse(kind, 0)
    },
  }
}
