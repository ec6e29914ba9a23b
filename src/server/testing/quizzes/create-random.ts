/** Random number generator with a fixed seed. Returns a whole number from 0 to below the limit. */
export type Random = (below: number) => number

/** Creates a random number generator with a fixed seed. */
export const createRandom = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}
