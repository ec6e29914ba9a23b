/** Process of Node, whose types the domain does not load. */
declare const process: { env: Record<string, string | undefined> }

/** True in `npm test`; false in `npm run test:all` and if test files are named. */
const IS_DAILY = process.env.TEST_DAILY === 'on'

/** Returns the smaller part of a test's cases in `npm test`, and all of them in all other runs. */
export const pickByRun = <T>({ daily, all }: { daily: T; all: T }): T => (IS_DAILY ? daily : all)

/** Returns the number of people of a simulation. The environment variable TEST_PEOPLE replaces both numbers. */
export const countPeople = (numbers: { daily: number; all: number }): number =>
  Number(process.env.TEST_PEOPLE ?? pickByRun(numbers))

/** Returns how many random cases a test tries: a tenth of `all` in `npm test`. */
export const countCases = (all: number): number => pickByRun({ daily: Math.ceil(all / 10), all })

/** Returns the named cases of a table in `npm test`, and all cases in all other runs. */
export const pickCases = <T>(cases: Record<string, T>, daily: readonly string[]): [string, T][] =>
  Object.entries(cases).filter(([name]) => pickByRun({ daily: daily.includes(name), all: true }))
