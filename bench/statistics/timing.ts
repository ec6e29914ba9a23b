/** Returns the duration of `work` in milliseconds. */
export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Runs several functions alternately, so that other programs affect all equally. Returns their sorted times. */
export const measureAlternately = async (
  works: readonly (() => Promise<unknown>)[],
  { runs, warm_runs }: { runs: number; warm_runs: number },
): Promise<number[][]> => {
  const all: number[][] = works.map(() => [])
  for (let run = -warm_runs; run < runs; run++)
    for (const [index, work] of works.entries()) {
      const took = await timeOf(work)
      if (run >= 0) all[index]?.push(took)
    }
  return all.map((times) => times.sort((a, b) => a - b))
}

/** Returns a duration as text, such as '1.5 ms'. */
export const formatMs = (value: number): string => `${value.toFixed(1)} ms`
/** Returns the ratio of two values as text, such as '×1.50'. */
export const ratio = (value: number, to: number): string => `×${(value / to).toFixed(2)}`
