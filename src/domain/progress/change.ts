import type { createTQuantiles } from './student-t.ts'

/**
 * Least number of people of whom a mean is shown. Below it, an interval would be so wide that it says nothing, and a mean
 * could name a person (docs/decisions/087).
 */
export const MIN_COMPARED_PEOPLE = 5

/** Maximum change of a percentage, in points. */
const MAX_CHANGE = 100

/** Means of two campaigns in percent, and the mean change in points with its 95 % interval. */
export type Change = {
  before_mean: number
  after_mean: number
  mean: number
  low: number
  high: number
}

/** Returns the quantile of the distribution for an interval. */
type Quantile = ReturnType<typeof createTQuantiles>

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the estimated variance of the mean of values, of which there are at least two. */
const varianceOfMean = (values: readonly number[], mean: number): number => {
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return squares / (values.length - 1) / values.length
}

/** Returns the interval around a mean. It never exceeds the possible changes, because the true mean lies within them. */
const intervalOf = (mean: number, half: number): Pick<Change, 'low' | 'high'> => ({
  low: Math.max(-MAX_CHANGE, mean - half),
  high: Math.min(MAX_CHANGE, mean + half),
})

/** Returns the change of people who replied twice; null if they are too few. Both lists are in the same order of people. */
export const pairedChange = (
  before: readonly number[],
  after: readonly number[],
  quantileOf: Quantile,
): Change | null => {
  if (before.length < MIN_COMPARED_PEOPLE) return null
  const changes = after.map((value, index) => value - (before[index] ?? 0))
  const mean = meanOf(changes)
  const half = quantileOf(changes.length - 1) * Math.sqrt(varianceOfMean(changes, mean))
  return {
    before_mean: meanOf(before),
    after_mean: meanOf(after),
    mean,
    ...intervalOf(mean, half),
  }
}

/** Returns the difference of the means of two campaigns whose people are not known (Welch); null if one has too few. */
export const unpairedChange = (
  before: readonly number[],
  after: readonly number[],
  quantileOf: Quantile,
): Change | null => {
  if (Math.min(before.length, after.length) < MIN_COMPARED_PEOPLE) return null
  const [before_mean, after_mean] = [meanOf(before), meanOf(after)]
  const [first, second] = [varianceOfMean(before, before_mean), varianceOfMean(after, after_mean)]
  const variance = first + second
  const mean = after_mean - before_mean
  if (variance === 0) return { before_mean, after_mean, mean, low: mean, high: mean }
  const degrees =
    variance ** 2 / (first ** 2 / (before.length - 1) + second ** 2 / (after.length - 1))
  const half = quantileOf(degrees) * Math.sqrt(variance)
  return { before_mean, after_mean, mean, ...intervalOf(mean, half) }
}
