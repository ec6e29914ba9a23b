/** Percent of the whole with one decimal, of a share that stands alone; 0 when the whole is 0. */
export const percentageOf = (count: number, total: number): number =>
  // Multiplied first: 201 / 400 * 1000 falls just short of 502.5 and would lose its half.
  total === 0 ? 0 : Math.round((count * 1_000) / total) / 10

/**
 * Returns the percents of counts that stand side by side, by largest remainder: they add up to exactly 100, each is less
 * than one unit from its exact value, and a larger count never gets less. Of equal remainders the first counts get more.
 * Where `total` is larger than the sum, the rest is a share that is not returned; all are 0 when the total is 0.
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
  // In whole numbers: the same counts give the same shares on every machine.
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
 * Returns the percents, with one decimal, of answers to one question. Answers of which only one can be chosen add up to
 * 100; several choices are rounded one by one, and may exceed 100 together.
 */
export const answerShares = (
  counts: readonly number[],
  { total, takes_several }: { total: number; takes_several: boolean },
): number[] =>
  takes_several ? counts.map((count) => percentageOf(count, total)) : sharesOf(counts, { total })
