/** Returns the quantile of figures in any order, by nearest rank: `share` is above 0 and at most 1. */
export const quantile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.ceil(figures.length * share) - 1] ?? Number.NaN

/** Returns the median; the lower one of the middle two if the number of figures is even. */
export const median = (figures: readonly number[]): number => quantile(figures, 0.5)

/** Rounds a figure to two decimals. */
export const roundToHundredths = (figure: number): number => Math.round(figure * 100) / 100
