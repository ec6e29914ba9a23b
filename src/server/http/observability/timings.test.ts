import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { registerMetric } from '#server/runtime/metric-source.ts'
import { createTimings } from './metrics.ts'

test('durations are counted in cumulative buckets', async () => {
  const timings = createTimings()
  const page = { method: 'GET', route: '/q/:id', status: 200 }
  timings.count(page, 0.0005)
  timings.count(page, 0.001)
  timings.count(page, 0.2)
  timings.count(page, 7)
  timings.count({ ...page, status: 503 }, 0.01)
  const registry = new Registry()
  timings.register(registry)
  const text = await registry.metrics()
  const values = [...text.matchAll(/_bucket\{.*status="200",le="([^"]+)"\} (\d+)/g)]
  assert.deepEqual(
    values.map(([, le, value]) => [le, Number(value)]),
    [
      ['0.001', 2],
      ['0.005', 2],
      ['0.025', 2],
      ['0.1', 2],
      ['0.25', 3],
      ['0.5', 3],
      ['1', 3],
      ['2.5', 3],
      ['5', 3],
      ['+Inf', 4],
    ],
  )
  assert.match(text, /^http_request_duration_seconds_sum\{.*status="200"\} 7\.2015$/m)
  assert.match(text, /^http_request_duration_seconds_count\{.*status="503"\} 1$/m)
})

test('a label of a metric cannot break its line', async () => {
  const registry = new Registry()
  registerMetric(registry, {
    name: 'a',
    type: 'gauge',
    help: 'A',
    labels: ['b'],
    read: () => [{ labels: { b: 'x"\\\n' }, value: 1 }],
  })
  const text = await registry.metrics()
  assert.equal(text, '# HELP a A\n# TYPE a gauge\na{b="x\\"\\\\\\n"} 1\n')
})

test('a metric without a value has no line, and a metric with the value 0 has a line', async () => {
  const registry = new Registry()
  const empty = { name: 'empty', type: 'gauge', help: 'Empty', read: () => [] } as const
  registerMetric(registry, empty)
  const none = { name: 'none_total', type: 'counter', help: 'None' } as const
  registerMetric(registry, { ...none, read: () => [{ value: 0 }] })
  for (const text of [await registry.metrics(), await registry.metrics()])
    assert.deepEqual(text.match(/^[^#\n].*$/gm), ['none_total 0'])
})
