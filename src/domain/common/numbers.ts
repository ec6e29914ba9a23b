/** Returns a single share as a percentage with one decimal; 0 if the total is 0. */
export const percentageOf = (count: number, total: number): number =>
  // Multiplies first, because 201 / 400 * 1000 falls just short of 502.5 and would be rounded down.
  total === 0 ? 0 : Math.round((count * 1_000) / total) / 10

/**
 * Returns the percentages of counts by the largest remainder method, so that they add up to exactly 100. The first of
 * equal remainders is rounded up. If `total` exceeds the sum, the rest has a share that is not returned; all shares are
 * 0 if the total is 0.
 */
export const sharesOf = (
  counts: readonly number[],
  { decimals = 1, total }: { decimals?: 0 | 1; total?: number } = {},
): number[] => {
  const sum = counts.reduce((all, count) => all + count, 0)
  const whole = Math.max(sum, total ?? 0)
  if (whole === 0) return counts.map(() => 0)
  const scale = decimals === 1 ? 10 : 1
  const units = 100 * scale
  // Integers give equal shares for equal counts on every machine.
  const parts = [...counts, whole - sum].map((count, index) => ({
    index,
    share: Math.floor((count * units) / whole),
    remainder: (count * units) % whole,
  }))
  const missing = units - parts.reduce((all, { share }) => all + share, 0)
  const byRemainder = [...parts].sort((a, b) => b.remainder - a.remainder)
  for (const part of byRemainder.slice(0, missing)) part.share += 1
  return parts.slice(0, counts.length).map(({ share }) => share / scale)
}

/**
 * Returns the percentages, with one decimal, of the answers to one question. The percentages add up to 100 if one
 * answer can be chosen; several choices are rounded separately and may exceed 100 together.
 */
export const answerShares = (
  counts: readonly number[],
  { total, takes_several }: { total: number; takes_several: boolean },
): number[] =>
  takes_several ? counts.map((count) => percentageOf(count, total)) : sharesOf(counts, { total })

/** Number with its count. */
export type NumberCount = { value: number; count: number }
/** Column of a histogram, for numbers from `from` and below `to`. */
type Column = { from: number; to: number; count: number }
/** Statistics and histogram of the numbers that participants typed. */
export type NumberSummary = {
  count: number
  mean: number
  median: number
  min: number
  max: number
  histogram: Column[]
}

/** Pattern of a number field: accepts the numbers of `readNumber` (read-number.ts), with spaces between digits. */
export const NUMBER_PATTERN = '\\s*[+\\-−]?\\s*(?:\\d[\\d\\s]*(?:[.,][\\d\\s]*)?|[.,]\\d+)\\s*'
const MAX_COLUMNS = 16
/** Smallest distance of two numbers that get separate columns. */
const MIN_SPAN = 1e-300
/** Possible column widths, apart from the power of ten. */
const STEPS = [1, 2, 5, 10]

/** Returns mean, median and histogram of counted numbers; null if there are none. */
export const summariseNumbers = (number_counts: readonly NumberCount[]): NumberSummary | null => {
  const counts = number_counts.filter(({ count }) => count > 0).sort((a, b) => a.value - b.value)
  const [first] = counts
  const last = counts.at(-1)
  if (!first || !last) return null
  const count = counts.reduce((sum, entry) => sum + entry.count, 0)
  // Each term is a share of the mean, because the sum of very large numbers would overflow.
  const mean = counts.reduce((sum, entry) => sum + entry.value * (entry.count / count), 0)
  return {
    count,
    mean,
    median: (valueAtRank(counts, (count - 1) >> 1) + valueAtRank(counts, count >> 1)) / 2,
    min: first.value,
    max: last.value,
    histogram: histogramOf(counts, first.value, last.value),
  }
}

/** Returns the value at this rank, from 0, among all numbers. `counts` must be sorted by value. */
export const valueAtRank = (counts: readonly NumberCount[], rank: number): number => {
  let passed = 0
  for (const { value, count } of counts) {
    passed += count
    if (rank < passed) return value
  }
  return Number.NaN
}

const histogramOf = (counts: readonly NumberCount[], min: number, max: number): Column[] => {
  const width = widthOf(
    max - min,
    counts.every(({ value }) => Number.isInteger(value)),
  )
  const start = Math.floor(min / width)
  const columns = Array.from({ length: Math.floor(max / width) - start + 1 }, (_, index) => ({
    from: rounded((start + index) * width),
    to: rounded((start + index + 1) * width),
    count: 0,
  }))
  for (const { value, count } of counts) {
    const column = columns[Math.min(Math.floor(value / width) - start, columns.length - 1)]
    if (column) column.count += count
  }
  return columns
}

/** Returns the smallest round width with which at most MAX_COLUMNS columns cover the span. */
const widthOf = (span: number, isWhole: boolean): number => {
  if (span < MIN_SPAN) return 1
  const power = 10 ** Math.floor(Math.log10(span / MAX_COLUMNS))
  const step = STEPS.find((factor) => span / (factor * power) < MAX_COLUMNS) ?? 10
  return isWhole ? Math.max(1, step * power) : step * power
}

/** Rounds away floating-point errors: 0.30000000000000004 becomes 0.3. */
const rounded = (value: number): number => Number(value.toPrecision(12))
