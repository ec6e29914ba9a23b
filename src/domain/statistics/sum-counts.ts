/** Returns the sum of the counts of these lines. */
export const sumCounts = (lines: readonly { count: number }[]): number =>
  lines.reduce((sum, { count }) => sum + count, 0)
