/**
 * How long the odds of a quiz take, beside the least that drawing runs can take in the same run of this program: one
 * random number and one sum for each question of each of 200,000 runs of 30 questions.
 */
import { oddsOf } from '#domain/odds.ts'
import { KINDS, quizOf } from './quizzes.ts'

const ROUNDS = 15
const NB_RUNS = 200_000
const NB_QUESTIONS = 30

const msOf = (work: () => unknown): number => {
  const begin = performance.now()
  work()
  return performance.now() - begin
}

const sums = new Float64Array(NB_RUNS)
const yardstick = (): void => {
  for (let question = 0; question < NB_QUESTIONS; question++)
    for (let run = 0; run < NB_RUNS; run++) sums[run] = (sums[run] as number) + Math.random()
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

const rows = KINDS.map((kind) => {
  const quiz = quizOf(kind)
  // Once as a creator's first look takes it, when nothing is compiled yet but what came before.
  const first = msOf(() => oddsOf(quiz))
  const odds = oddsOf(quiz)
  const times: number[] = []
  const yardsticks: number[] = []
  // In turns, so that both have the same of whatever else the machine does.
  for (let round = 0; round < ROUNDS; round++) {
    yardsticks.push(msOf(yardstick))
    times.push(msOf(() => oddsOf(quiz)))
  }
  return [
    kind.name,
    {
      computed: odds?.is_exact ? 'exact' : 'drawn',
      'to yardstick': rounded(medianOf(times) / medianOf(yardsticks), 2),
      'median, ms': rounded(medianOf(times), 1),
      'slowest, ms': rounded(Math.max(...times), 1),
      'first, ms': rounded(first, 1),
      'yardstick, ms': rounded(medianOf(yardsticks), 1),
    },
  ]
})
console.table(Object.fromEntries(rows))
