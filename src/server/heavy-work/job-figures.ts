import type { MetricSource } from '#server/runtime/metric-source.ts'
import type { JobLimitError } from './job-errors.ts'
import { JOB_LIMITS, type JobKind } from './kinds.ts'

/** Weight of the last job in the usual duration of its kind. */
const LAST_WEIGHT = 0.2
/** Duration of a kind that has not run yet, in ms. */
const FIRST_DURATION_MS = 2_000

type Counts = { waiting: number; running: number; refused: number; exceeded: Map<string, number> }

/** Creates the figures of jobs by kind: how many wait and run, and how long they usually take. */
export const createJobFigures = () => {
  const kinds = Object.keys(JOB_LIMITS) as JobKind[]
  const counts = new Map<JobKind, Counts>()
  const durations = new Map<JobKind, number>()
  const countsOfKind = (kind: JobKind): Counts => {
    const known = counts.get(kind) ?? { waiting: 0, running: 0, refused: 0, exceeded: new Map() }
    counts.set(kind, known)
    return known
  }

  const gauge = (name: 'waiting' | 'running', help: string): MetricSource => ({
    name: `heavy_work_${name}`,
    type: 'gauge',
    help,
    labels: ['kind'],
    read: () => kinds.map((kind) => ({ labels: { kind }, value: countsOfKind(kind)[name] })),
  })

  const metrics: MetricSource[] = [
    gauge('waiting', 'Jobs of heavy work in the queue'),
    gauge('running', 'Jobs of heavy work that hold a place'),
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
    metrics,
    /** Counts a waiting job. The result ends its waiting; further calls do nothing. */
    waiting: (kind: JobKind): (() => void) => {
      countsOfKind(kind).waiting++
      let isWaiting = true
      return () => {
        if (isWaiting) countsOfKind(kind).waiting--
        isWaiting = false
      }
    },
    /** Counts a running job. The result ends it. */
    started: (kind: JobKind): (() => void) => {
      countsOfKind(kind).running++
      const began = performance.now()
      return () => {
        countsOfKind(kind).running--
        const ms = performance.now() - began
        const usual = durations.get(kind) ?? ms
        durations.set(kind, usual + LAST_WEIGHT * (ms - usual))
      }
    },
    refused: (kind: JobKind): void => {
      countsOfKind(kind).refused++
    },
    exceeded: ({ kind, limit }: Pick<JobLimitError, 'kind' | 'limit'>): void => {
      const { exceeded } = countsOfKind(kind)
      exceeded.set(limit, (exceeded.get(limit) ?? 0) + 1)
    },
    /** Returns the usual duration of a kind in ms. */
    usualDuration: (kind: JobKind): number => durations.get(kind) ?? FIRST_DURATION_MS,
  }
}

/** Figures of jobs. */
export type JobFigures = ReturnType<typeof createJobFigures>
