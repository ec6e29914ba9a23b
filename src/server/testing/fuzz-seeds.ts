/** Seeds of the tests that send what is made at random: FUZZ_SEEDS of them, one where nothing is said. */
export const fuzzSeeds = (): number[] =>
  Array.from({ length: Number(process.env.FUZZ_SEEDS ?? 1) }, (_, index) => index + 1)
