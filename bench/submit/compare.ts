import { type Cost, formatCost } from './call-cost.ts'
import { type Load, measureMaxRate } from './load.ts'
import { createInAdvance } from './requests.ts'

/** Settings of a comparison. */
export type ComparisonSettings = Pick<Load, 'origin' | 'connections'> & {
  rounds: number
  seconds: number
  /** Upper bound of the submissions per second, for creating requests in advance. */
  max_per_second: number
  cost: (measure: () => Promise<number>) => Promise<Cost>
}

type ComparedQuizzes = {
  /** Name of the difference between the two quizzes. */
  name: string
  plain: () => Buffer
  extended: () => Buffer
  /** Called before each measurement. */
  prepare?: (which: 'plain' | 'extended') => Promise<void>
}

const WARM_UP_SECONDS = 2

/** Returns the submission rate of one quiz relative to another, for each round. The order alternates. */
export const compareRates = async (
  { origin, connections, rounds, seconds, max_per_second, cost }: ComparisonSettings,
  { name, prepare, ...requests }: ComparedQuizzes,
): Promise<number[]> => {
  for (const makeRequest of [requests.plain, requests.extended])
    await measureMaxRate({ origin, connections, makeRequest }, WARM_UP_SECONDS)
  const measure = async (which: 'plain' | 'extended'): Promise<Cost> => {
    await prepare?.(which)
    const makeRequest = createInAdvance(requests[which], max_per_second * seconds)
    return cost(() => measureMaxRate({ origin, connections, makeRequest }, seconds))
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isExtendedFirst = round % 2 === 1
    const measured_first = isExtendedFirst ? await measure('extended') : undefined
    const plain = await measure('plain')
    const extended = measured_first ?? (await measure('extended'))
    const ratio = extended.per_second / plain.per_second
    console.log(`${name} ${formatCost(extended)}; none ${formatCost(plain)}: ${ratio.toFixed(2)}`)
    ratios.push(ratio)
  }
  return ratios
}
