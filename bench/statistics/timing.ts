export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The value below which this share of sorted times lies. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export const ms = (value: number): string => `${value.toFixed(1)} ms`
export const ratio = (value: number, to: number): string => `×${(value / to).toFixed(2)}`
