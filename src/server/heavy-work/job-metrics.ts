import type { MetricSource } from '#server/runtime/metric-source.ts'
import type { JobLimitError } from './job-errors.ts'
import { JOB_LIMITS, type JobKind } from './job-limits.ts'

/** Weight of the last job in the moving average of the duration of its kind. */
const LAST_JOB_WEIGHT = 0.2
/** Assumed duration of a kind that has not run yet. */
const DEFAULT_DURATION_MS = 2_000

type Counts = { waiting: number; running: number; refused: number; exceeded: Map<string, number> }

/** Creates the metrics of jobs by kind: numbers of waiting, running and refused jobs, and the usual duration. */
export const createJobMetrics = () => {
  const kinds = Object.keys(JOB_LIMITS) as JobKind[]
  const counts = new Map<JobKind, Counts>()
  const durations = new Map<JobKind, number>()
  const countsOfKind = (kind: JobKind): Counts => {
    const current = counts.get(kind) ?? { waiting: 0, running: 0, refused: 0, exceeded: new Map() }
    counts.set(kind, current)
    return current
  }

  const gauge = (name: 'waiting' | 'running', help: string): MetricSource => ({
    name: `heavy_work_${name}`,
    type: 'gauge',
    help,
    labels: ['kind'],
    read: () => kinds.map((kind) => ({ labels: { kind }, value: countsOfKind(kind)[name] })),
  })

  const sources: MetricSource[] = [
    gauge('waiting', 'Jobs of heavy work in the queue'),
    gauge('running', 'Jobs of heavy work that hold a slot'),
    {
      name: 'heavy_work_refused_total',
      type: 'counter',
      labels: ['kind'],
      help: 'Jobs of heavy work that a full queue refused',
      read: () => kinds.map((kind) => ({ labels: { kind }, value: countsOfKind(kind).refused })),
    },
    {
      name: 'heavy_work_limit_exceeded_total',
      type: 'counter',
      labels: ['kind', 'limit'],
      help: 'Jobs of heavy work that exceeded a limit of their kind',
      read: () =>
        kinds.flatMap((kind) =>
          [...countsOfKind(kind).exceeded].map(([limit, value]) => ({
            labels: { kind, limit },
            value,
          })),
        ),
    },
  ]

  return {
    /** Metrics for `/metrics`. */
    sources,
    /** Counts a waiting job, and returns the function that ends its waiting. Further calls of that function do nothing. */
    countWaiting: (kind: JobKind): (() => void) => {
      countsOfKind(kind).waiting++
      let isWaiting = true
      return () => {
        if (isWaiting) countsOfKind(kind).waiting--
        isWaiting = false
      }
    },
    /** Counts a running job, and returns the function that ends it and records its duration. */
    countRunning: (kind: JobKind): (() => void) => {
      countsOfKind(kind).running++
      const started_ms = performance.now()
      return () => {
        countsOfKind(kind).running--
        const ms = performance.now() - started_ms
        const average_ms = durations.get(kind) ?? ms
        durations.set(kind, average_ms + LAST_JOB_WEIGHT * (ms - average_ms))
      }
    },
    /** Counts a job that a full queue refused. */
    countRefused: (kind: JobKind): void => {
      countsOfKind(kind).refused++
    },
    /** Counts a job that exceeded a limit. */
    countExceeded: ({ kind, limit }: Pick<JobLimitError, 'kind' | 'limit'>): void => {
      const { exceeded } = countsOfKind(kind)
      exceeded.set(limit, (exceeded.get(limit) ?? 0) + 1)
    },
    /** Returns the moving average of the durations of a kind, in ms. */
    averageDuration: (kind: JobKind): number => durations.get(kind) ?? DEFAULT_DURATION_MS,
  }
}

/** Metrics of the jobs of a process. */
export type JobMetrics = ReturnType<typeof createJobMetrics>
