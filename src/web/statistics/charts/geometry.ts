/** What a line or a column may rise by from one line of the grid to the next, whatever the power of ten. */
const STEPS = [1, 2, 5, 10]
const MAX_FUNNEL_STEPS = 4

/** The lines of a grid for counts up to `most`, from 0 to a round number at or above it: two to five whole numbers. */
export const gridOf = (most: number): number[] => {
  const wanted = Math.max(1, most) / MAX_FUNNEL_STEPS
  const power = 10 ** Math.max(0, Math.floor(Math.log10(wanted)))
  const step = (STEPS.find((one) => one * power >= wanted) ?? 10) * power
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, rank) => rank * step)
}

/** The share of a whole in percent, 0 of nothing, never outside 0 to 100. */
export const shareOf = (value: number, whole: number): number =>
  whole === 0 ? 0 : Math.min(100, Math.max(0, (value * 100) / whole))

/** The least height in percent of what is not 0, so that it can be seen. */
const LEAST_HEIGHT = 2

/** How high a count stands in a chart that ends at `top`, in percent. */
export const heightOf = (count: number, top: number): number =>
  count === 0 ? 0 : Math.max(LEAST_HEIGHT, shareOf(count, top))

/** Where the points of a line stand from left to right, in percent; a single one stands in the middle. */
export const pointAt = (rank: number, length: number): number =>
  length <= 1 ? 50 : (rank * 100) / (length - 1)

const rounded = (value: number): number => Math.round(value * 100) / 100

/**
 * The path of a line through counts, in a box of 100 by 100 whose top is `top`; '' of none. It ends early where it has
 * fewer counts than the box has places.
 */
export const linePath = (counts: readonly number[], top: number, places = counts.length): string =>
  counts
    .map((count, rank) => {
      const y = 100 - shareOf(count, top)
      return `${rank === 0 ? 'M' : 'L'}${rounded(pointAt(rank, places))} ${rounded(y)}`
    })
    .join('')

/** The same, closed along the bottom. */
export const areaPath = (counts: readonly number[], top: number): string =>
  counts.length < 2 ? '' : `${linePath(counts, top)}L100 100L0 100Z`

/** Which of `length` columns carry a label when there is room for `most`: evenly spaced, the first and the last included. */
export const labelledRanks = (length: number, most: number): number[] => {
  if (length <= most) return Array.from({ length }, (_, rank) => rank)
  const gaps = Math.max(1, most - 1)
  return Array.from({ length: gaps + 1 }, (_, index) => Math.round((index * (length - 1)) / gaps))
}
