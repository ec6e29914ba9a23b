/** Steps between two lines of the grid, to be multiplied by a power of ten. */
const STEP_SIZES = [1, 2, 5, 10]
const MAX_GRID_STEPS = 4

/**
 * Returns the values of a grid for counts up to `max_count`: two to five whole numbers, from 0 to a round number that
 * is not below `max_count`.
 */
export const gridValues = (max_count: number): number[] => {
  const min_step = Math.max(1, max_count) / MAX_GRID_STEPS
  const power = 10 ** Math.max(0, Math.floor(Math.log10(min_step)))
  const step = (STEP_SIZES.find((size) => size * power >= min_step) ?? 10) * power
  return Array.from(
    { length: Math.ceil(Math.max(1, max_count) / step) + 1 },
    (_, rank) => rank * step,
  )
}

/** Returns the share of a whole in percent, from 0 to 100; 0 if the whole is 0. */
export const percentOf = (value: number, total: number): number =>
  total === 0 ? 0 : Math.min(100, Math.max(0, (value * 100) / total))

/** Least height in percent of a count above 0, so that the count is visible. */
const MIN_HEIGHT_PERCENT = 2

/** Returns the height of a count in percent, in a chart that ends at `top`. */
export const heightPercent = (count: number, top: number): number =>
  count === 0 ? 0 : Math.max(MIN_HEIGHT_PERCENT, percentOf(count, top))

/** Returns the horizontal position of a point of a line in percent; a single point is in the middle. */
export const pointX = (rank: number, length: number): number =>
  length <= 1 ? 50 : (rank * 100) / (length - 1)

const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * Returns the SVG path of a line through counts, in a box of 100 by 100 that ends at `top`; '' without counts. The
 * line ends early if it has fewer counts than the box has places.
 */
export const linePath = (counts: readonly number[], top: number, places = counts.length): string =>
  counts
    .map((count, rank) => {
      const y = 100 - percentOf(count, top)
      return `${rank === 0 ? 'M' : 'L'}${rounded(pointX(rank, places))} ${rounded(y)}`
    })
    .join('')

/** Returns the path of the area below a line. */
export const areaPath = (counts: readonly number[], top: number): string =>
  counts.length < 2 ? '' : `${linePath(counts, top)}L100 100L0 100Z`

/**
 * Returns the indexes of the columns that get a label, if at most `max_labels` of `length` columns have room for one. The
 * indexes are evenly spaced and include the first and the last.
 */
export const labelledIndexes = (length: number, max_labels: number): number[] => {
  if (length <= max_labels) return Array.from({ length }, (_, rank) => rank)
  const gaps = Math.max(1, max_labels - 1)
  return Array.from({ length: gaps + 1 }, (_, index) => Math.round((index * (length - 1)) / gaps))
}
