import { type Cost, formatCost } from './call-cost.ts'
import { type Load, measureMaxRate } from './load.ts'
import { createInAdvance } from './requests.ts'

/** Settings of a comparison. */
export type ComparisonSettings = Pick<Load, 'origin' | 'connections'> & {
  rounds: number
  seconds: number
  /** Upper bound of the submissions per second, for creating requests in advance. */
  most_a_second: number
  cost: (measure: () => Promise<number>) => Promise<Cost>
}

type ComparedQuizzes = {
  /** Name of the difference between the two quizzes. */
  name: string
  plain: () => Buffer
  whole: () => Buffer
  /** Called before each measurement. */
  prepare?: (which: 'plain' | 'whole') => Promise<void>
}

const WARM_UP_SECONDS = 2

/** Returns the submission rate of one quiz relative to another, for each round. The order alternates. */
export const compareRates = async (
  { origin, connections, rounds, seconds, most_a_second, cost }: ComparisonSettings,
  { name, prepare, ...requests }: ComparedQuizzes,
): Promise<number[]> => {
  for (const makeRequest of [requests.plain, requests.whole])
    await measureMaxRate({ origin, connections, makeRequest }, WARM_UP_SECONDS)
  const measure = async (which: 'plain' | 'whole'): Promise<Cost> => {
    await prepare?.(which)
    const makeRequest = createInAdvance(requests[which], most_a_second * seconds)
    return cost(() => measureMaxRate({ origin, connections, makeRequest }, seconds))
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isWholeFirst = round % 2 === 1
    const early = isWholeFirst ? await measure('whole') : undefined
    const plain = await measure('plain')
    const whole = early ?? (await measure('whole'))
    const ratio = whole.per_second / plain.per_second
    console.log(`${name} ${formatCost(whole)}; none ${formatCost(plain)}: ${ratio.toFixed(2)}`)
    ratios.push(ratio)
  }
  return ratios
}
