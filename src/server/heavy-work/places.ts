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

/** Place of a running job. */
export type Place = {
  group: Group
  /** Runs a task as if it were called inside the job of this place, for callbacks of other code. */
  inside: <T>(task: () => T) => T
  /** Runs a task in the thread of this place, one after the other; waits for a thread if the place has none. */
  inThread: <T>(signal: AbortSignal | undefined, task: () => Promise<T>) => Promise<T>
}

/** Place with its state. Parts are jobs inside the job, whose end the place awaits. */
type HeldPlace = Place & { lane: Lane; is_open: boolean; parts: Set<Promise<unknown>> }

/** Error with which the limiter refuses a job while `nb_waiting` jobs of its owner wait. */
class QueueFull extends Error {
  readonly nb_waiting: number

  constructor(nb_waiting: number) {
    super('The queue of heavy work is full')
    this.nb_waiting = nb_waiting
  }
}

const refusal = (nb_waiting: number): Error => new QueueFull(nb_waiting)

const mapValues = <Key extends string, Value, Mapped>(
  record: Record<Key, Value>,
  map: (value: Value) => Mapped,
): Record<Key, Mapped> =>
  Object.fromEntries(
    Object.entries<Value>(record).map(([key, value]) => [key, map(value)]),
  ) as Record<Key, Mapped>

/** Returns true for groups whose places include everything that a job inside needs, except a thread. */
const isWorking = (group: Group): boolean => group === 'work' || group === 'visit'

/** Lanes that a job inside another takes too, because the machine has no memory for more. Its holders wait for nothing. */
const SCARCE: ReadonlySet<Lane> = new Set<Lane>(['decoder'])
const HAS_THREAD: ReadonlySet<Lane> = new Set<Lane>(['page', 'thread'])

/** Creates the places of jobs. Owners take turns in each lane, and each owner has few places in each group. */
export const createPlaces = (limits: Record<JobKind, JobLimits>, figures: JobFigures) => {
  const storage = new AsyncLocalStorage<HeldPlace>()
  const groups = mapValues<Group, (typeof GROUPS)[Group], Limit>(GROUPS, (group) =>
    createConcurrencyLimit({
      maxConcurrent: Number.POSITIVE_INFINITY,
      maxConcurrentPerKey: group.maxConcurrentPerOwner,
      maxConcurrentPerAsker: group.at_once_per_network,
      maxQueued: group.waiting,
      maxQueuedPerKey: group.waiting_per_owner,
      maxQueuedPerAsker: group.waiting_per_network,
      refusal,
    }),
  )
  const lanes = mapValues<Lane, (typeof LANES)[Lane], Limit>(LANES, (lane) =>
    createConcurrencyLimit({
      maxConcurrent: lane.maxConcurrent,
      maxConcurrentPerKey: lane.maxConcurrentPerOwner,
      maxQueued: Number.POSITIVE_INFINITY,
      refusal,
    }),
  )
  /** Kinds and owners of the jobs that hold a place of their own. */
  const held = new Set<Pick<Job, 'kind' | 'owner'>>()

  const createPlace = (owner: string, lane: Lane): HeldPlace => {
    const oneThread = createConcurrencyLimit({
      maxConcurrent: 1,
      maxQueued: Number.POSITIVE_INFINITY,
      refusal,
    })
    const place: HeldPlace = {
      group: LANES[lane].group,
      lane,
      is_open: true,
      parts: new Set(),
      inside: (task) => storage.run(place, task),
      inThread: (signal, task) =>
        oneThread({ key: owner, signal }, () =>
          HAS_THREAD.has(lane)
            ? task()
            : lanes.thread({ key: owner, signal, is_admitted: true }, task),
        ),
    }
    return place
  }

  /** Runs a task in a place, and holds the place until the jobs inside have ended too. */
  const hold = async (job: Job, task: (place: Place) => Promise<void>): Promise<void> => {
    const place = createPlace(job.owner, limits[job.kind].lane)
    const entry = { kind: job.kind, owner: job.owner }
    held.add(entry)
    const end = figures.started(job.kind)
    try {
      await place.inside(() => task(place))
      while (place.parts.size > 0) await Promise.allSettled(place.parts)
    } finally {
      place.is_open = false
      held.delete(entry)
      end()
    }
  }

  const secondsUntilFree = (kind: JobKind, nb_waiting: number): number => {
    const { maxConcurrentPerOwner } = GROUPS[LANES[limits[kind].lane].group]
    const ms = ((nb_waiting + 1) * figures.usualDuration(kind)) / maxConcurrentPerOwner
    return Math.min(MAX_RETRY_AFTER_S, Math.max(1, Math.ceil(ms / 1_000)))
  }

  const refuse = (kind: JobKind, nb_waiting: number): Error => {
    figures.refused(kind)
    return createQueueRefusal(kind, secondsUntilFree(kind, nb_waiting))
  }

  return {
    /** Runs a task in the place of its job, or in the place of the job around it. */
    take: async (job: Job, task: (place: Place) => Promise<void>): Promise<void> => {
      const { lane } = limits[job.kind]
      const { group } = LANES[lane]
      const current = storage.getStore()
      const outer = current?.is_open && !job.is_apart ? current : undefined
      if (outer && (isWorking(outer.group) || outer.group === group)) {
        const needsLane = SCARCE.has(lane) && outer.lane !== lane
        const part = needsLane
          ? lanes[lane]({ key: job.owner, signal: job.signal, is_admitted: true }, () =>
              task(outer),
            )
          : task(outer)
        outer.parts.add(part)
        await part.finally(() => outer.parts.delete(part))
        return
      }
      const turn: Turn = { key: job.owner, signal: job.signal, is_admitted: outer !== undefined }
      const start = figures.waiting(job.kind)
      try {
        await groups[group]({ ...turn, asker: job.network }, () =>
          lanes[lane]({ ...turn, is_admitted: true }, () => {
            start()
            return hold(job, task)
          }),
        )
      } catch (error) {
        throw error instanceof QueueFull ? refuse(job.kind, error.nb_waiting) : error
      } finally {
        start()
      }
    },

    /** Throws the refusal that a job of this kind would get now, for groups without a queue. */
    check: ({ kind, owner }: Pick<Job, 'kind' | 'owner'>): void => {
      const { lane } = limits[kind]
      const of_lane = [...held].filter((other) => limits[other.kind].lane === lane)
      const own = of_lane.filter((other) => other.owner === owner)
      const { maxConcurrent, maxConcurrentPerOwner } = LANES[lane]
      if (of_lane.length >= maxConcurrent || own.length >= maxConcurrentPerOwner)
        throw refuse(kind, 0)
    },
  }
}

const MAX_RETRY_AFTER_S = 120
