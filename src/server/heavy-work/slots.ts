import { AsyncLocalStorage } from 'node:async_hooks'
import { createConcurrencyLimit, type Limit, type Turn } from '#server/runtime/concurrency-limit.ts'
import { createQueueRefusal } from './job-errors.ts'
import type { Job, JobKind, JobLimits } from './job-limits.ts'
import type { JobMetrics } from './job-metrics.ts'
import { GROUPS, type Group, RESOURCES, type Resource } from './resources.ts'

/** Slot of a running job. */
export type Slot = {
  group: Group
  /** Runs a task as if it were called inside the job of this slot, for callbacks of other code. */
  runInside: <T>(task: () => T) => T
  /** Runs tasks one after the other in the thread of this slot; waits for a thread if the slot has none. */
  runInThread: <T>(signal: AbortSignal | undefined, task: () => Promise<T>) => Promise<T>
}

/** Slot with its state. The slot is free when its job and all `nested_jobs` have settled. */
type HeldSlot = Slot & { resource: Resource; is_open: boolean; nested_jobs: Set<Promise<unknown>> }

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
 * Resources that a nested job takes in addition to the slot of its outer job, because the machine has no memory for more.
 * Their jobs never wait for another resource, so that no deadlock is possible.
 */
const RESOURCES_OF_NESTED_JOBS: ReadonlySet<Resource> = new Set<Resource>(['decoder'])
/** Resources whose slots include a thread. */
const RESOURCES_WITH_THREAD: ReadonlySet<Resource> = new Set<Resource>(['page', 'thread'])

/** Creates the slots of jobs. Owners take turns in each resource, and each owner has few slots in each group. */
export const createSlots = (limits: Record<JobKind, JobLimits>, metrics: JobMetrics) => {
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
  const resources = mapValues<Resource, (typeof RESOURCES)[Resource], Limit>(
    RESOURCES,
    (resource) =>
      createConcurrencyLimit({
        max_concurrent: resource.max_concurrent,
        max_concurrent_per_key: resource.max_concurrent_per_owner,
        max_queued: Number.POSITIVE_INFINITY,
        refusal: createRefusal,
      }),
  )
  /** Kinds and owners of the jobs that hold a slot of their own. */
  const running_jobs = new Set<Pick<Job, 'kind' | 'owner'>>()

  const createSlot = (owner: string, resource: Resource): HeldSlot => {
    const limitToOne = createConcurrencyLimit({
      max_concurrent: 1,
      max_queued: Number.POSITIVE_INFINITY,
      refusal: createRefusal,
    })
    const slot: HeldSlot = {
      group: RESOURCES[resource].group,
      resource,
      is_open: true,
      nested_jobs: new Set(),
      runInside: (task) => storage.run(slot, task),
      runInThread: (signal, task) =>
        limitToOne({ key: owner, signal }, () =>
          RESOURCES_WITH_THREAD.has(resource)
            ? task()
            : resources.thread({ key: owner, signal, is_admitted: true }, task),
        ),
    }
    return slot
  }

  /** Runs a task in a slot of its own. Holds the slot until the nested jobs have ended too. */
  const runInOwnSlot = async (job: Job, task: (slot: Slot) => Promise<void>): Promise<void> => {
    const slot = createSlot(job.owner, limits[job.kind].resource)
    const entry = { kind: job.kind, owner: job.owner }
    running_jobs.add(entry)
    const endRunning = metrics.countRunning(job.kind)
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
    const { max_concurrent_per_owner } = GROUPS[RESOURCES[limits[kind].resource].group]
    const ms = ((nb_waiting + 1) * metrics.averageDuration(kind)) / max_concurrent_per_owner
    return Math.min(MAX_RETRY_AFTER_S, Math.max(1, Math.ceil(ms / 1_000)))
  }

  const refuse = (kind: JobKind, nb_waiting: number): Error => {
    metrics.countRefused(kind)
    return createQueueRefusal(kind, secondsUntilFree(kind, nb_waiting))
  }

  return {
    /** Runs a task in a slot of its own, or in the slot of the job around it. Waits for the turn of the job. */
    run: async (job: Job, task: (slot: Slot) => Promise<void>): Promise<void> => {
      const { resource } = limits[job.kind]
      const { group } = RESOURCES[resource]
      const current = storage.getStore()
      const outer = current?.is_open && !job.is_detached ? current : undefined
      if (outer && (coversNestedJobs(outer.group) || outer.group === group)) {
        const needsResource = RESOURCES_OF_NESTED_JOBS.has(resource) && outer.resource !== resource
        const nested = needsResource
          ? resources[resource]({ key: job.owner, signal: job.signal, is_admitted: true }, () =>
              task(outer),
            )
          : task(outer)
        outer.nested_jobs.add(nested)
        await nested.finally(() => outer.nested_jobs.delete(nested))
        return
      }
      const turn: Turn = { key: job.owner, signal: job.signal, is_admitted: outer !== undefined }
      const endWaiting = metrics.countWaiting(job.kind)
      try {
        await groups[group]({ ...turn, asker: job.network }, () =>
          resources[resource]({ ...turn, is_admitted: true }, () => {
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
      const { resource } = limits[kind]
      const jobs_of_resource = [...running_jobs].filter(
        (other) => limits[other.kind].resource === resource,
      )
      const jobs_of_owner = jobs_of_resource.filter((other) => other.owner === owner)
      const { max_concurrent, max_concurrent_per_owner } = RESOURCES[resource]
      if (
        jobs_of_resource.length >= max_concurrent ||
        jobs_of_owner.length >= max_concurrent_per_owner
      )
        throw refuse(kind, 0)
    },
  }
}
