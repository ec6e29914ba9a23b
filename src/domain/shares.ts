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
 * Returns the percentages, with one decimal, of the answers to one question. They add up to 100 if one answer can be
 * chosen; several choices are rounded separately and may exceed 100 together.
 */
export const answerShares = (
  counts: readonly number[],
  { total, takes_several }: { total: number; takes_several: boolean },
): number[] =>
  takes_several ? counts.map((count) => percentageOf(count, total)) : sharesOf(counts, { total })
