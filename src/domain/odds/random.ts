/** Seed of the random generator; fixed, so that the same quiz always has the same odds. */
export const SEED = 20_260
/** Number that the random generator mulberry32 adds to its state before each draw. */
export const MULBERRY32_INCREMENT = 0x6d_2b_79_f5

/** Returns the whole number from 0 to below 2 ** 32 that mulberry32 draws in this state. */
export const drawAt = (state: number): number => {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return (mixed ^ (mixed >>> 14)) >>> 0
}

/** Returns a function that draws a number from 0 up to 1 (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + MULBERRY32_INCREMENT) | 0
    return drawAt(state) / 2 ** 32
  }
}
