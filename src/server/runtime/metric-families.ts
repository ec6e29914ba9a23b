type Labels = Record<string, string | number>

/** One measure, with its values by label. */
export type MetricFamily = {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: { labels?: Labels; suffix?: '_bucket' | '_sum' | '_count'; value: number }[]
}

/** Reads metrics of one subject at each scrape. */
export type MetricSource = () => MetricFamily[] | Promise<MetricFamily[]>

const escaped = (value: string | number): string =>
  String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const writeLabels = (labels: Labels): string => {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return entries.length === 0 ? '' : `{${entries.join(',')}}`
}

/** The text that Prometheus reads (exposition format 0.0.4). */
export const writeMetricText = (families: readonly MetricFamily[]): string =>
  families
    .flatMap(({ name, type, samples }) => [
      `# TYPE ${name} ${type}`,
      ...samples.map(
        ({ labels = {}, suffix = '', value }) => `${name}${suffix}${writeLabels(labels)} ${value}`,
      ),
    ])
    .concat('')
    .join('\n')
