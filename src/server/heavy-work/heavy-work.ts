import type { ServerResponse } from 'node:http'
import { AbandonedCall, unavailable } from '#server/http/edge/errors.ts'
import type { TaskRunner } from '#server/runtime/concurrency-limit.ts'
import { settleWithin } from '#server/runtime/lifecycle.ts'
import type { MetricSource } from '#server/runtime/metric-source.ts'
import { JobLimitError } from './job-errors.ts'
import { JOB_LIMITS, type Job, type JobKind, type JobLimits } from './job-limits.ts'
import { createJobMetrics } from './job-metrics.ts'
import { createSlots, type Slot } from './slots.ts'
import { createThreadPool, ThreadOutOfMemory } from './thread-pool.ts'
import type { TaskInput, TaskOutput, ThreadTasks } from './thread-tasks.ts'

/** Scheduler of heavy work. A job called inside the task of another job uses the slot of the outer job. */
export type HeavyWork = {
  /**
   * Runs a task in its turn. The slot is held until the task settles, even if the caller has left. The task must
   * observe its signal, which aborts when the caller leaves, the time is over or the process stops. Throws a refusal
   * with Retry-After if the queue is full, and a JobLimitError if the job exceeds a limit.
   */
  run: <T>(job: Job, task: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Runs a function of `thread-tasks.ts` in a thread, in its turn. The thread ends with the signal or a limit. */
  runInThread: <Name extends keyof ThreadTasks>(
    job: Job,
    name: Name,
    input: TaskInput<Name>,
  ) => Promise<TaskOutput<Name>>
  /**
   * Runs a task that creates the body of a response, such as a stream. The slot is held until the last byte is sent
   * or the client leaves. `inTurn` runs a piece of the body as a job inside this one.
   */
  stream: <T>(
    job: Omit<Job, 'signal'>,
    response: ServerResponse,
    task: (signal: AbortSignal, inTurn: TaskRunner) => Promise<T>,
  ) => Promise<T>
  /** Throws the refusal that a job of this kind would get now. Only for kinds without a queue. */
  check: (job: Pick<Job, 'kind' | 'owner'>) => void
  metrics: MetricSource[]
  /** Ends all jobs and their threads. */
  close: () => Promise<void>
}

type Options = {
  /** Program of the threads; tests replace it. */
  program?: URL
  limits?: Record<JobKind, JobLimits>
}

/** Runs the task of a job with the limits of its kind. */
type RunWithLimits = <T>(task: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Priority of threads, so that submissions come first. Pages that visitors wait for come before other threads, and so do
 * publications, because a transaction waits for them.
 */
const NICE_VALUES = { urgent: 5, other: 15 }
/** Maximum time in which jobs settle when the process stops. */
const MAX_CLOSE_MS = 2_000

/** Signals and maximum time that end a task, and a callback for the reason. */
type AbortSources = {
  signals: readonly AbortSignal[]
  max_ms: number
  createTimeoutError: () => Error
  onAbort: (reason: unknown) => void
}

/** Runs a task until it settles. Aborts the signal of the task with the first of `signals`, or after `max_ms`. */
const runAbortable = async <T>(
  { signals, max_ms, createTimeoutError, onAbort }: AbortSources,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController()
  const forward = (): void => abort.abort(signals.find(({ aborted }) => aborted)?.reason)
  const timer = setTimeout(() => abort.abort(createTimeoutError()), max_ms)
  abort.signal.addEventListener('abort', () => onAbort(abort.signal.reason), { once: true })
  // Listeners instead of AbortSignal.any, so that the signal of the process keeps no ended task in memory.
  for (const signal of signals) signal.addEventListener('abort', forward, { once: true })
  if (signals.some(({ aborted }) => aborted)) forward()
  try {
    abort.signal.throwIfAborted()
    return await task(abort.signal)
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', forward)
  }
}

/** Returns the signal that aborts when the client of a response has left or has read its last byte. */
const watchClient = (response: ServerResponse): { signal: AbortSignal; left: Promise<void> } => {
  const abort = new AbortController()
  const left = Promise.withResolvers<void>()
  const onClose = (): void => {
    left.resolve()
    abort.abort(new AbandonedCall())
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  return { signal: abort.signal, left: left.promise }
}

/** Creates the scheduler of a process (docs/decisions/068). */
export const createHeavyWork = ({ program, limits = JOB_LIMITS }: Options = {}): HeavyWork => {
  const metrics = createJobMetrics()
  const slots = createSlots(limits, metrics)
  const pool = createThreadPool({ program })
  const closing = new AbortController()
  const unsettled_jobs = new Set<Promise<unknown>>()

  /** Starts a job in its turn. Settles for the caller as soon as the job is aborted, before `runTask` has settled. */
  const start = <T>(
    job: Job,
    runTask: (slot: Slot, runWithLimits: RunWithLimits) => Promise<T>,
  ): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let has_failed = false
    const fail = (error: unknown): void => {
      const isOverLimit = error instanceof JobLimitError && error.kind === job.kind
      if (isOverLimit && !has_failed) metrics.countExceeded(error)
      has_failed = true
      reject(error)
    }
    const begin = async (): Promise<void> => {
      if (closing.signal.aborted) throw unavailable()
      if (job.size > limits[job.kind].max_size) throw new JobLimitError(job.kind, 'size')
      const sources: AbortSources = {
        signals: [closing.signal, ...(job.signal ? [job.signal] : [])],
        max_ms: limits[job.kind].max_ms,
        createTimeoutError: () => new JobLimitError(job.kind, 'time'),
        onAbort: fail,
      }
      const runWithLimits: RunWithLimits = (task) => runAbortable(sources, task)
      await slots.run(job, (slot) => runTask(slot, runWithLimits).then(resolve, fail))
    }
    const settled = begin().catch(fail)
    unsettled_jobs.add(settled)
    void settled.then(() => unsettled_jobs.delete(settled))
    return promise
  }

  const run: HeavyWork['run'] = (job, task) =>
    start(job, (_slot, runWithLimits) => runWithLimits(task))

  return {
    run,
    runInThread: (job, name, input) =>
      start(job, (slot, runWithLimits) =>
        slot.runInThread(job.signal, () =>
          runWithLimits((signal) => {
            const { max_heap_mb } = limits[job.kind]
            const isUrgent = slot.group === 'visit' || job.kind === 'publication'
            const nice_value = isUrgent ? NICE_VALUES.urgent : NICE_VALUES.other
            const answer = pool.run(name, input, { max_heap_mb, nice_value, signal })
            return answer.catch((error: unknown) => {
              throw error instanceof ThreadOutOfMemory
                ? new JobLimitError(job.kind, 'memory')
                : error
            })
          }),
        ),
      ),
    stream: (job, response, task) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof task>>>()
      const client = watchClient(response)
      start({ ...job, signal: client.signal }, (slot, runWithLimits) =>
        runWithLimits(async (signal) => {
          const piece = { kind: 'piece', owner: job.owner, size: 1, signal } as const
          resolve(await task(signal, (part) => slot.runInside(() => run(piece, part))))
          if (signal.aborted) response.destroy()
          else signal.addEventListener('abort', () => response.destroy(), { once: true })
          await client.left
        }),
      ).catch(reject)
      return promise
    },
    check: slots.check,
    metrics: metrics.sources,
    close: async () => {
      closing.abort(unavailable())
      await settleWithin(MAX_CLOSE_MS, ...unsettled_jobs)
      await pool.close()
    },
  }
}
