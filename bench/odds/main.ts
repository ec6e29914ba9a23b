/**
 * Measures the time to compute odds of results and of dimensions. The baseline is a minimal simulation: one random
 * number and one addition for each question of 200,000 runs of 30 questions.
 */
import { computeDimensionOdds } from '#domain/odds/dimension-odds.ts'
import { computeExtremeOdds } from '#domain/odds/joint-dimensions.ts'
import { computeOdds } from '#domain/odds/odds.ts'
import { median } from '../figures.ts'
import { DIMENSION_KINDS, dimensionQuizOf, KINDS, quizOf } from './quizzes.ts'

const ROUNDS = 15
const NB_RUNS = 200_000
const NB_QUESTIONS = 30

type Time = { elapsed_ms: number; cpu_ms: number }

const timeOf = (work: () => unknown): Time => {
  const started_at = performance.now()
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return { elapsed_ms: performance.now() - started_at, cpu_ms: (user + system) / 1_000 }
}

const sums = new Float64Array(NB_RUNS)
const baseline = (): void => {
  for (let question = 0; question < NB_QUESTIONS; question++)
    for (let run = 0; run < NB_RUNS; run++) sums[run] = (sums[run] as number) + Math.random()
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))

const rows = KINDS.map((kind) => {
  const quiz = quizOf(kind)
  // The first run includes compilation, as for the first use on a screen.
  const first = timeOf(() => computeOdds(quiz))
  const odds = computeOdds(quiz)
  const times: Time[] = []
  const baselines: Time[] = []
  // Alternate measurements, so that other programs affect both equally.
  for (let round = 0; round < ROUNDS; round++) {
    baselines.push(timeOf(baseline))
    times.push(timeOf(() => computeOdds(quiz)))
  }
  const elapsed_ms = times.map((time) => time.elapsed_ms)
  // CPU time depends less on other programs than elapsed time.
  const cpu_ms = times.map((time) => time.cpu_ms)
  const baseline_ms = baselines.map((time) => time.cpu_ms)
  return [
    kind.name,
    {
      computed: odds?.is_exact ? 'exact' : 'simulated',
      'ratio to baseline': round(median(cpu_ms) / median(baseline_ms), 2),
      'CPU, ms': round(median(cpu_ms), 1),
      'median, ms': round(median(elapsed_ms), 1),
      'slowest, ms': round(Math.max(...elapsed_ms), 1),
      'first, ms': round(first.elapsed_ms, 1),
      'baseline, ms': round(median(baseline_ms), 1),
    },
  ]
})
console.table(Object.fromEntries(rows))

const dimensionRows = DIMENSION_KINDS.map((kind) => {
  const quiz = dimensionQuizOf(kind)
  const first = timeOf(() => computeDimensionOdds(quiz))
  const odds = computeDimensionOdds(quiz)
  const times = Array.from({ length: ROUNDS }, () => timeOf(() => computeDimensionOdds(quiz)))
  const extremes = Array.from({ length: ROUNDS }, () =>
    timeOf(() => computeExtremeOdds(quiz, odds)),
  )
  return [
    kind.name,
    {
      'exact dimensions': `${odds.filter(({ is_exact }) => is_exact).length} of ${odds.length}`,
      'CPU, ms': round(median(times.map(({ cpu_ms }) => cpu_ms)), 1),
      'median, ms': round(median(times.map(({ elapsed_ms }) => elapsed_ms)), 1),
      'slowest, ms': round(Math.max(...times.map(({ elapsed_ms }) => elapsed_ms)), 1),
      'first, ms': round(first.elapsed_ms, 1),
      extremes: computeExtremeOdds(quiz, odds)?.is_exact ? 'exact' : 'simulated',
      'extremes CPU, ms': round(median(extremes.map(({ cpu_ms }) => cpu_ms)), 1),
    },
  ]
})
console.table(Object.fromEntries(dimensionRows))
