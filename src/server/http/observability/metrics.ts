import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { FastPath } from '#server/http/edge/fast-path.ts'
import {
  type MetricFamily,
  type MetricSource,
  writeMetricText,
} from '#server/runtime/metric-families.ts'

/** Upper bounds of the buckets in seconds, from an answer from memory to a call that times out. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5]

type Kind = { method: string; route: string; status: number }
type Timed = Kind & { seconds: number; buckets: number[] }

export type Timings = {
  count: (kind: Kind, seconds: number) => void
  family: () => MetricFamily
}

/** Counts answers, and how long they took, by method, route and status. Counting one is two look-ups and three additions. */
export const createTimings = (): Timings => {
  const routes = new Map<string, Map<string, Timed>>()

  const find = ({ method, route, status }: Kind): Timed => {
    let kinds = routes.get(route)
    if (!kinds) {
      kinds = new Map()
      routes.set(route, kinds)
    }
    const key = `${method}${status}`
    let timed = kinds.get(key)
    if (!timed) {
      timed = { method, route, status, seconds: 0, buckets: Array(BOUNDS.length + 1).fill(0) }
      kinds.set(key, timed)
    }
    return timed
  }

  return {
    count: (kind, seconds) => {
      const timed = find(kind)
      const found = BOUNDS.findIndex((bound) => seconds <= bound)
      const place = found < 0 ? BOUNDS.length : found
      timed.seconds += seconds
      timed.buckets[place] = (timed.buckets[place] ?? 0) + 1
    },
    family: () => ({
      name: 'http_request_duration_seconds',
      type: 'histogram',
      samples: [...routes.values()].flatMap((kinds) => [...kinds.values()].flatMap(samplesOf)),
    }),
  }
}

const samplesOf = ({ method, route, status, seconds, buckets }: Timed): MetricFamily['samples'] => {
  const labels = { method, route, status }
  let count = 0
  const counted = [...BOUNDS, '+Inf'].map((le, place) => {
    count += buckets[place] ?? 0
    return { suffix: '_bucket' as const, labels: { ...labels, le }, value: count }
  })
  return [
    ...counted,
    { suffix: '_sum', labels, value: Number(seconds.toFixed(6)) },
    { suffix: '_count', labels, value: count },
  ]
}

/** The connections of this process, and whether its LISTEN connection is up. */
export const databaseGauge =
  ({ pool, notices }: Pick<Database, 'pool' | 'notices'>) =>
  (): MetricFamily[] => {
    const isListening = notices.isListening()
    return [
      {
        name: 'database_connections',
        type: 'gauge',
        samples: [
          { labels: { state: 'open' }, value: pool.totalCount },
          { labels: { state: 'idle' }, value: pool.idleCount },
          { labels: { state: 'awaited' }, value: pool.waitingCount },
        ],
      },
      {
        name: 'database_notices_up',
        type: 'gauge',
        samples: isListening === undefined ? [] : [{ value: Number(isListening) }],
      },
    ]
  }

type Counted = { provider: string; status: string; count: string }

/** Deliveries by tool and status, and erasures that are not done, counted in the database, so the same from each process. */
export const outboxGauge =
  ({ db }: Pick<Database, 'db'>) =>
  async (): Promise<MetricFamily[]> => {
    const counted = await Promise.all([
      sql<Counted>`
        select provider, status, sum(count) as count from delivery_counts group by 1, 2 order by 1, 2
      `.execute(db),
      sql<Counted>`
        select provider, status, count(*) as count from erasures where status <> 'done'
        group by 1, 2 order by 1, 2
      `.execute(db),
    ]).catch(() => undefined)
    const isUp: MetricFamily = {
      name: 'database_up',
      type: 'gauge',
      samples: [{ value: Number(counted !== undefined) }],
    }
    if (!counted) return [isUp]
    const [deliveries, erasures] = counted
    return [
      isUp,
      { name: 'outbox_deliveries', type: 'gauge', samples: deliveries.rows.map(sampleOf) },
      { name: 'outbox_erasures', type: 'gauge', samples: erasures.rows.map(sampleOf) },
    ]
  }

const sampleOf = ({ count, ...labels }: Counted) => ({ labels, value: Number(count) })

/**
 * Counts this process's requests by route and status, and gives a function that writes the Prometheus
 * text, with the gauges of other modules.
 */
export const createMetrics = (
  app: FastifyInstance,
  { gauges, fast_path }: { gauges: () => readonly MetricSource[]; fast_path: FastPath },
): (() => Promise<string>) => {
  const timings = createTimings()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  fast_path.onAnswered(({ method, route, status, ms }) =>
    timings.count({ method, route, status }, ms / 1_000),
  )

  return async () => {
    const read = await Promise.all(gauges().map((gauge) => gauge()))
    return writeMetricText([
      timings.family(),
      ...read.flat(),
      {
        name: 'event_loop_delay_seconds',
        type: 'gauge',
        samples: [0.5, 0.99, 1].map((quantile) => ({
          labels: { quantile },
          value: delay.percentile(quantile * 100) / 1e9,
        })),
      },
      ...processFamilies(),
    ])
  }
}

const processFamilies = (): MetricFamily[] => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const one = (name: string, type: MetricFamily['type'], value: number): MetricFamily => ({
    name,
    type,
    samples: [{ value }],
  })
  return [
    one('process_cpu_seconds_total', 'counter', (user + system) / 1e6),
    one('process_resident_memory_bytes', 'gauge', rss),
    one('process_heap_bytes', 'gauge', heapUsed),
    one('process_uptime_seconds', 'counter', Math.floor(process.uptime())),
  ]
}
