import { sql } from 'kysely'
import { collectDefaultMetrics, type Histogram, Registry } from 'prom-client'
import type { Database } from '#server/db/database.ts'
import type { FastPath } from '#server/http/edge/fast-path.ts'
import { type MetricSource, registerMetric } from '#server/runtime/metric-source.ts'

/**
 * Upper bounds of the histogram buckets in seconds: the first fits cached responses, the last fits calls that time
 * out.
 */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5]

type ResponseKind = { method: string; route: string; status: number }
type TimedResponses = ResponseKind & { seconds: number; buckets: number[] }

/** A histogram of response times. */
export type Timings = {
  count: (kind: ResponseKind, seconds: number) => void
  /** Adds the histogram of the counts to the registry. */
  register: (registry: Registry) => void
}

/**
 * Creates a histogram of response times by method, route and status. Counting one response costs two look-ups and
 * three additions.
 */
export const createTimings = (): Timings => {
  const routes = new Map<string, Map<string, TimedResponses>>()

  const find = ({ method, route, status }: ResponseKind): TimedResponses => {
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
    register: (registry) => {
      const histogram = {
        name: METRIC_NAME,
        type: 'histogram',
        aggregator: 'sum',
        help: 'Time until the answer was sent, by method, route and status',
        get: async () => ({
          ...histogram,
          values: [...routes.values()].flatMap((kinds) => [...kinds.values()].flatMap(samplesOf)),
        }),
      }
      // The registry reads `get` alone. The library's own histogram costs an answer eight times as much.
      registry.registerMetric(histogram as unknown as Histogram)
    },
  }
}

const METRIC_NAME = 'http_request_duration_seconds'

const samplesOf = ({ method, route, status, seconds, buckets }: TimedResponses) => {
  const labels = { method, route, status }
  let count = 0
  const counted = [...BOUNDS, '+Inf'].map((le, place) => {
    count += buckets[place] ?? 0
    return { metricName: `${METRIC_NAME}_bucket`, labels: { ...labels, le }, value: count }
  })
  return [
    ...counted,
    { metricName: `${METRIC_NAME}_sum`, labels, value: Number(seconds.toFixed(6)) },
    { metricName: `${METRIC_NAME}_count`, labels, value: count },
  ]
}

/** Returns the metrics of this process's database connections and of its LISTEN connection. */
export const connectionMetrics = ({
  pool,
  notifications,
  heavyReads,
}: Pick<Database, 'pool' | 'notifications' | 'heavyReads'>): MetricSource[] => [
  {
    name: 'database_connections',
    type: 'gauge',
    help: 'Connections of the pool, and calls that wait for one',
    labels: ['state'],
    read: () => [
      { labels: { state: 'open' }, value: pool.totalCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'awaited' }, value: pool.waitingCount },
    ],
  },
  {
    name: 'database_notices_up',
    type: 'gauge',
    help: '1 if the connection that listens to notices is up',
    read: () => {
      const isListening = notifications.isListening()
      return isListening === undefined ? [] : [{ value: Number(isListening) }]
    },
  },
  {
    name: 'database_heavy_reads_total',
    type: 'counter',
    help: 'Heavy reads by the server that answered; the reason says why the replica did not',
    labels: ['server', 'reason'],
    read: heavyReads.countReads,
  },
]

type OutboxCount = { provider: string; status: string; count: string }

/**
 * Returns the metrics of deliveries and unfinished erasures by tool and status. The database counts both, so that
 * every process reports the same numbers.
 */
export const outboxMetrics = ({ db }: Pick<Database, 'db'>): MetricSource[] => {
  const countOutbox = () =>
    Promise.all([
      sql<OutboxCount>`
        select provider, status, sum(count) as count from delivery_counts group by 1, 2 order by 1, 2
      `.execute(db),
      sql<OutboxCount>`
        select provider, status, count(*) as count from erasures where status <> 'done'
        group by 1, 2 order by 1, 2
      `.execute(db),
    ]).catch(() => undefined)
  let counting: ReturnType<typeof countOutbox> | undefined
  /** Returns the counts that the metrics of one scrape share; undefined if the database does not answer. */
  const readOutbox = (): ReturnType<typeof countOutbox> => {
    counting ??= countOutbox().finally(() => {
      counting = undefined
    })
    return counting
  }
  const labels = ['provider', 'status']
  return [
    {
      name: 'database_up',
      type: 'gauge',
      help: '1 if the database answered this scrape',
      read: async () => [{ value: Number((await readOutbox()) !== undefined) }],
    },
    {
      name: 'outbox_deliveries',
      type: 'gauge',
      help: 'Deliveries in the outbox',
      labels,
      read: async () => (await readOutbox())?.[0].rows.map(sampleOf) ?? [],
    },
    {
      name: 'outbox_erasures',
      type: 'gauge',
      help: 'Erasures that are not done',
      labels,
      read: async () => (await readOutbox())?.[1].rows.map(sampleOf) ?? [],
    },
  ]
}

const sampleOf = ({ count, ...labels }: OutboxCount) => ({ labels, value: Number(count) })

/** Time in ms between two measurements of the delay of the event loop. */
const LOOP_PRECISION_MS = 20

/**
 * Counts the requests of this process by route and status, and returns a function that writes all metrics in the text
 * format of Prometheus. `sources` is called at the first scrape, when every feature has added its metrics.
 */
export const createMetrics = ({
  sources,
  fast_path,
}: {
  sources: () => readonly MetricSource[]
  fast_path: FastPath
}): (() => Promise<string>) => {
  const timings = createTimings()
  fast_path.onAnswered(({ method, route, status, ms }) =>
    timings.count({ method, route, status }, ms / 1_000),
  )
  let registry: Registry | undefined
  const createRegistry = (): Registry => {
    const created = new Registry()
    timings.register(created)
    for (const source of sources()) registerMetric(created, source)
    collectDefaultMetrics({ register: created, eventLoopMonitoringPrecision: LOOP_PRECISION_MS })
    return created
  }

  return () => {
    registry ??= createRegistry()
    return registry.metrics()
  }
}
