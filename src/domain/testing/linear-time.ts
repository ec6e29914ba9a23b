/** Clock and processor time of Node. The domain is type-checked without the libraries of Node. */
declare const process: { cpuUsage(): { user: number; system: number } }

/** Processor time below which a measurement says nothing about growth. */
const NOISE_MS = 40
/** Maximum growth of the time for four times the length. Linear time gives 4 and quadratic time gives 16. */
const MAX_GROWTH = 9
const MAX_QUARTER_MS = 2_000
const ATTEMPTS = 3

/** Returns the processor time of this process in ms, which other programs on the machine do not lengthen. */
const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Returns the shortest of three durations of a call, because other work of this process only adds time. */
const fastest = (call: () => void): number => {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = processorTime()
    call()
    best = Math.min(best, processorTime() - start)
    if (best < NOISE_MS) break
  }
  return best
}

/**
 * Throws if the processor time of `call` grows faster than the length of its text. Compares a quarter of the longest
 * length with the whole; both texts come from `make`.
 */
export const assertLinear = (
  call: (text: string) => unknown,
  make: (length: number) => string,
  longest: number,
): void => {
  const short_text = make(Math.floor(longest / 4))
  const short = fastest(() => call(short_text))
  // A text that is far too slow at a quarter of the length is not tried at full length, which would take minutes.
  if (short > MAX_QUARTER_MS) throw new Error(`${short.toFixed(0)} ms for a quarter of ${longest}`)
  const long_text = make(longest)
  const long = fastest(() => call(long_text))
  if (long > MAX_GROWTH * Math.max(short, NOISE_MS))
    throw new Error(
      `${short.toFixed(1)} ms for a quarter of ${longest}, ${long.toFixed(1)} ms for all`,
    )
}
