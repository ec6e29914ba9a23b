import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeMetricText } from '#server/runtime/metric-families.ts'
import { createTimings } from './metrics.ts'

test('durations fall into buckets that add up', () => {
  const timings = createTimings()
  const page = { method: 'GET', route: '/q/:id', status: 200 }
  timings.count(page, 0.0005)
  timings.count(page, 0.001)
  timings.count(page, 0.2)
  timings.count(page, 7)
  timings.count({ ...page, status: 503 }, 0.01)
  const text = writeMetricText([timings.family()])
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

test('what a label says never ends its line', () => {
  const text = writeMetricText([
    { name: 'a', type: 'gauge', samples: [{ labels: { b: 'x"\\\n' }, value: 1 }] },
  ])
  assert.equal(text, '# TYPE a gauge\na{b="x\\"\\\\\\n"} 1\n')
})
