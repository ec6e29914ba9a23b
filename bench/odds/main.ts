/**
 * Measures the computation of odds. The yardstick is the minimum of a simulation: one random number and one addition
 * for each question of 200,000 runs of 30 questions.
 */
import { computeOdds } from '#domain/odds/odds.ts'
import { KINDS, quizOf } from './quizzes.ts'

const ROUNDS = 15
const NB_RUNS = 200_000
const NB_QUESTIONS = 30

type Time = { ms: number; processor_ms: number }

const timeOf = (work: () => unknown): Time => {
  const begin = performance.now()
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return { ms: performance.now() - begin, processor_ms: (user + system) / 1_000 }
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
  // The first run includes compilation, as for the first use on a screen.
  const first = timeOf(() => computeOdds(quiz))
  const odds = computeOdds(quiz)
  const times: Time[] = []
  const yardsticks: Time[] = []
  // Alternating runs expose both to the same load of the machine.
  for (let round = 0; round < ROUNDS; round++) {
    yardsticks.push(timeOf(yardstick))
    times.push(timeOf(() => computeOdds(quiz)))
  }
  const ms = times.map((time) => time.ms)
  // CPU time depends less on other programs than elapsed time.
  const processor_ms = times.map((time) => time.processor_ms)
  const yardstick_ms = yardsticks.map((time) => time.processor_ms)
  return [
    kind.name,
    {
      computed: odds?.is_exact ? 'exact' : 'drawn',
      'to yardstick': rounded(medianOf(processor_ms) / medianOf(yardstick_ms), 2),
      'processor, ms': rounded(medianOf(processor_ms), 1),
      'median, ms': rounded(medianOf(ms), 1),
      'slowest, ms': rounded(Math.max(...ms), 1),
      'first, ms': rounded(first.ms, 1),
      'yardstick, ms': rounded(medianOf(yardstick_ms), 1),
    },
  ]
})
console.table(Object.fromEntries(rows))
