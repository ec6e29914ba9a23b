import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { FastLane } from './fast-lane.ts'

type Requests = { count: number; seconds: number }

/** Counts this process's requests by route and status, and gives a function that writes the Prometheus text. */
export const createMetrics = (
  app: FastifyInstance,
  { pool, lane }: { pool: pg.Pool; lane?: FastLane },
): (() => string) => {
  const requests = new Map<string, Requests>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const route = routeOptions.url ?? 'unknown'
    const labels = `method="${method}",route="${route}",status="${reply.statusCode}"`
    const { count, seconds } = requests.get(labels) ?? { count: 0, seconds: 0 }
    requests.set(labels, { count: count + 1, seconds: seconds + reply.elapsedTime / 1_000 })
    done()
  })
  /** What went through the routes, with what the fast lane answered. */
  const allRequests = (): [string, Requests][] => {
    const all = new Map(requests)
    for (const { route, status, count, seconds } of lane?.sent() ?? []) {
      const labels = `method="GET",route="${route}",status="${status}"`
      const routed = all.get(labels) ?? { count: 0, seconds: 0 }
      all.set(labels, { count: routed.count + count, seconds: routed.seconds + seconds })
    }
    return [...all]
  }

  return () => {
    const answered = allRequests()
    return [
      '# TYPE http_requests_total counter',
      ...answered.map(([labels, { count }]) => `http_requests_total{${labels}} ${count}`),
      '# TYPE http_request_seconds_total counter',
      ...answered.map(
        ([labels, { seconds }]) => `http_request_seconds_total{${labels}} ${seconds.toFixed(6)}`,
      ),
      '# TYPE database_connections gauge',
      `database_connections{state="open"} ${pool.totalCount}`,
      `database_connections{state="idle"} ${pool.idleCount}`,
      `database_connections{state="awaited"} ${pool.waitingCount}`,
      '# TYPE event_loop_delay_seconds gauge',
      `event_loop_delay_seconds{quantile="0.99"} ${delay.percentile(99) / 1e9}`,
      '# TYPE process_cpu_seconds_total counter',
      `process_cpu_seconds_total ${cpuSeconds().toFixed(6)}`,
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      '# TYPE process_uptime_seconds counter',
      `process_uptime_seconds ${process.uptime().toFixed(0)}`,
      '',
    ].join('\n')
  }
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
