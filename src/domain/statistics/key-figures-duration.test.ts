import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { durationSummary, MAX_DURATION_S } from './key-figures.ts'

test('the median of counts equals the median of the durations', () =>
  fc.assert(
    fc.property(fc.array(fc.nat(MAX_DURATION_S), { minLength: 1, maxLength: 60 }), (times) => {
      const counts = [...Map.groupBy(times, Number)].map(([seconds, all]) => ({
        seconds,
        count: all.length,
      }))
      const sorted = times.toSorted((a, b) => a - b)
      const middle = sorted.length / 2
      const two = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0]
      const [lower = 0, upper = 0] = sorted.length % 2 ? [two[1], two[1]] : two
      assert.deepEqual(durationSummary(counts), {
        count: times.length,
        median_seconds: (lower + upper) / 2,
        is_more: upper >= MAX_DURATION_S,
      })
    }),
  ))

test('there is no median without participants, and deleted participants do not count', () => {
  assert.equal(durationSummary([]), null)
  assert.equal(durationSummary([{ seconds: 3, count: 0 }]), null)
})
