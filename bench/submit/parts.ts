import { type Cost, written } from './cost.ts'
import { type Load, measureMost } from './load.ts'
import { makeQuiz } from './quiz.ts'
import { createRequests, makeAhead } from './requests.ts'

type Options = Pick<Load, 'origin' | 'connections'> & {
  rounds: number
  seconds: number
  /** More than can be stored in a second. */
  most_a_second: number
  cost: (measure: () => Promise<number>) => Promise<Cost>
}

const WARM_UP_SECONDS = 2

/**
 * How much of its rate a quiz keeps that has every part there is, beside one that has none, one ratio a round. Who goes
 * first changes with each round.
 */
export const compareParts = async ({
  origin,
  connections,
  rounds,
  seconds,
  most_a_second,
  cost,
}: Options): Promise<number[]> => {
  const loads = {
    plain: { origin, connections, makeRequest: createRequests(await makeQuiz(origin)) },
    whole: { origin, connections, makeRequest: createRequests(await makeQuiz(origin, true)) },
  }
  for (const load of Object.values(loads)) await measureMost(load, WARM_UP_SECONDS)
  const measure = (load: Load): Promise<Cost> => {
    const ahead = { ...load, makeRequest: makeAhead(load.makeRequest, most_a_second * seconds) }
    return cost(() => measureMost(ahead, seconds))
  }
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const isWholeFirst = round % 2 === 1
    const early = isWholeFirst ? await measure(loads.whole) : undefined
    const plain = await measure(loads.plain)
    const whole = early ?? (await measure(loads.whole))
    const ratio = whole.per_second / plain.per_second
    console.log(`every part ${written(whole)}; none ${written(plain)}: ${ratio.toFixed(2)}`)
    ratios.push(ratio)
  }
  return ratios
}
