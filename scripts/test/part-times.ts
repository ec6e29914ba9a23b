/** Time of one part of a run, in milliseconds. */
export type PartTime = { name: string; ms: number }

/** Turns of the fixed loop, which takes about a fifth of a second on a fast machine. */
const LOOP_TURNS = 100_000_000

/** Runs one part of a run, and adds its time to `times`. */
export const timePart = async <T>(
  times: PartTime[],
  name: string,
  runPart: () => Promise<T>,
): Promise<T> => {
  const started = performance.now()
  const result = await runPart()
  times.push({ name, ms: performance.now() - started })
  return result
}

/** Returns the milliseconds of a fixed loop. Runs on different machines or at different hours are compared by them. */
const timeFixedLoop = (): number => {
  const started = performance.now()
  let sum = 0
  for (let turn = 0; turn < LOOP_TURNS; turn += 1) sum += turn % 7
  if (sum <= 0) throw new Error('The fixed loop did not run')
  return performance.now() - started
}

/** Returns a duration as minutes and seconds, such as `4:05`. */
const formatMinutes = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Prints how long each part, all parts together and the fixed loop took. */
export const printPartTimes = (times: PartTime[]): void => {
  const together = times.reduce((sum, { ms }) => sum + ms, 0)
  const parts = [...times, { name: 'together', ms: together }]
  const texts = parts.map(({ name, ms }) => `${name} ${formatMinutes(ms)}`)
  console.log(
    `\nMinutes: ${texts.join(', ')}; fixed loop ${(timeFixedLoop() / 1_000).toFixed(2)} s`,
  )
}
