import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { type Family, writeFamilies } from './exposition.ts'
import type { RawPath } from './raw-path.ts'
import { createTimings } from './timings.ts'

/** Measures of another module, read at each scrape. */
export type Gauge = () => Family[] | Promise<Family[]>

/**
 * Counts this process's requests by route and status, and gives a function that writes the Prometheus
 * text, with the gauges of other modules.
 */
export const createMetrics = (
  app: FastifyInstance,
  { gauges, raw_path }: { gauges: () => readonly Gauge[]; raw_path: RawPath },
): (() => Promise<string>) => {
  const timings = createTimings()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => {
    delay.disable()
  })
  raw_path.onAnswered(({ method, route, status, ms }) =>
    timings.count({ method, route, status }, ms / 1_000),
  )

  return async () => {
    const read = await Promise.all(gauges().map((gauge) => gauge()))
    return writeFamilies([
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

const processFamilies = (): Family[] => {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  const one = (name: string, type: Family['type'], value: number): Family => ({
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
