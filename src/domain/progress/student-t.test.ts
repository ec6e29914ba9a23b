import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTQuantiles } from './student-t.ts'

const quantileOf = createTQuantiles()

/** 97.5 % quantiles as printed in tables of Student's distribution. */
const PRINTED: readonly [degrees: number, quantile: number][] = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [9, 2.262],
  [10, 2.228],
  [19, 2.093],
  [29, 2.045],
  [60, 2.0],
  [120, 1.98],
  [1_000, 1.962],
  [4_999, 1.96],
]

/**
 * Returns the share of the distribution below t by numeric integration: with t = √ν tan θ, the density is a power of
 * cos θ, and the whole integral is the unit.
 */
const integrate = (t: number, degrees: number): number => {
  const areaUpTo = (end: number): number => {
    const steps = 20_000
    const width = (end + Math.PI / 2) / steps
    let area = 0
    for (let step = 0; step < steps; step++)
      area += Math.cos(-Math.PI / 2 + (step + 0.5) * width) ** (degrees - 1) * width
    return area
  }
  return areaUpTo(Math.atan(t / Math.sqrt(degrees))) / areaUpTo(Math.PI / 2)
}

describe('the quantile of Student’s t distribution', () => {
  for (const [degrees, printed] of PRINTED)
    test(`equals the printed value for ${degrees} degrees of freedom`, () =>
      assert.equal(quantileOf(degrees).toFixed(3), printed.toFixed(3)))

  test('leaves 2.5 % above it, also for degrees that are not whole', () => {
    for (const degrees of [1.5, 2.25, 4, 7.9, 12.34, 50.5, 333.3])
      assert.ok(Math.abs(integrate(quantileOf(degrees), degrees) - 0.975) < 1e-6, `${degrees}`)
  })

  test('falls as the degrees rise, towards that of the normal distribution', () => {
    let last = Number.POSITIVE_INFINITY
    for (let degrees = 1; degrees < 10_000; degrees += 37) {
      assert.ok(quantileOf(degrees) < last)
      last = quantileOf(degrees)
    }
    assert.ok(Math.abs(last - 1.96) < 0.001)
  })
})
