/** Result of a suite. */
export type Tally = {
  passed: number
  /** Failed tests, each with file and name. */
  failures: string[]
  /** Tests that passed only on their second attempt. */
  retried: string[]
}

/** Result of a suite without tests. */
export const NOTHING: Tally = { passed: 0, failures: [], retried: [] }

/** Returns the sum of several tallies. */
export const sumTallies = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  failures: tallies.flatMap(({ failures }) => failures),
  retried: tallies.flatMap(({ retried }) => retried),
})

/** Prints the failed and the retried tests, and ends with the line `N passed, N failed`. */
export const printTally = ({ passed, failures, retried }: Tally): void => {
  if (retried.length > 0) console.log(`\nPassed on the second attempt only:\n${retried.join('\n')}`)
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log(`\n${passed} passed, ${failures.length} failed`)
}
