import { Counter, Gauge, type Registry } from 'prom-client'

/** Value of a metric for one combination of its labels. */
type MetricSample = { labels?: Record<string, string | number>; value: number }

/** A metric whose values are read at each scrape, so that the measured code pays nothing between scrapes. */
export type MetricSource = {
  name: string
  type: 'counter' | 'gauge'
  /** Help text for operators. */
  help: string
  labels?: readonly string[]
  read: () => readonly MetricSample[] | Promise<readonly MetricSample[]>
}

/** Adds a metric to the registry. A source that returns no samples has no line at that scrape. */
export const registerMetric = (
  registry: Registry,
  { name, type, help, labels = [], read }: MetricSource,
): void => {
  const config = { name, help, labelNames: [...labels], registers: [registry] }
  if (type === 'counter') {
    const counter = new Counter({
      ...config,
      collect: async () => {
        const samples = await read()
        counter.reset()
        for (const sample of samples) counter.inc(sample.labels ?? {}, sample.value)
      },
    })
    return
  }
  const gauge = new Gauge({
    ...config,
    collect: async () => {
      const samples = await read()
      gauge.reset()
      // A gauge without labels has the value 0 after `reset`.
      if (samples.length === 0) gauge.remove({})
      for (const sample of samples) gauge.set(sample.labels ?? {}, sample.value)
    },
  })
}
