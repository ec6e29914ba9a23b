import type { ChosenRanks } from '#domain/run/possible-choices.ts'
import { type EnumerationLimits, type EnumerationStep, enumerateRuns } from './enumerate-runs.ts'
import { removePagesWithoutPoints } from './remove-pages-without-points.ts'
import type { RunSums } from './run-sums.ts'
import { ranksInRun, simulateRuns } from './simulation.ts'
import { createStages } from './simulation-stages.ts'

/** Limits of the exact computation. Runs that exceed one of them are simulated. */
export type OddsLimits = EnumerationLimits & {
  /** Maximum number of different choices of one question. */
  max_listed_choices: number
  nb_simulated_runs: number
}

/** Precision of probabilities. */
export type Precision = {
  /** False if the probabilities are estimates from random runs, because the runs are too many to enumerate. */
  is_exact: boolean
  /** Half the width of the 95 % confidence interval of each probability; 0 if exact. */
  margin: number
}

/** Precision of probabilities that all possible runs give. */
export const EXACT: Precision = { is_exact: true, margin: 0 }

/** Sums of all possible runs, or of random runs. */
export type SumDistribution = {
  precision: Precision
  /** Number of simulated runs; 0 if exact. */
  nb_simulated_runs: number
  /** Sum of all weights. The weight of a group divided by this sum is the probability of the group. */
  total_weight: number
  /** Calls `read` for each group of runs with equal sums. The array of sums is overwritten by the next call. */
  forEach: (read: (sums: Float64Array, weight: number, group: number) => void) => void
}

/** Distribution that also has an example of each group. */
export type RunDistribution = SumDistribution & {
  /** Returns the chosen ranks by question of a likely run of a group. */
  exampleOf: (group: number) => ChosenRanks
}

/** Returns the sums of all possible runs, or of random runs beyond the limits, with examples. */
export const distributeRuns = (sums: RunSums, limits: OddsLimits): RunDistribution =>
  enumerate(sums, limits) ?? simulateSums(sums, limits.nb_simulated_runs)

/** Returns the sums of all possible runs, or of random runs beyond the limits. */
export const distributeSums = (sums: RunSums, limits: OddsLimits): SumDistribution =>
  enumerateSums(sums, limits) ?? simulateSums(sums, limits.nb_simulated_runs)

/** Returns the sums of all possible runs; null beyond the limits. */
export const enumerateSums = (sums: RunSums, limits: EnumerationLimits): SumDistribution | null =>
  enumerate(sums, limits, removePagesWithoutPoints)

/** Enumerates the runs after changing the steps with `prepare`, which may not change the probabilities of the sums. */
const enumerate = (
  { questions, packing }: RunSums,
  limits: EnumerationLimits,
  prepare = (steps: readonly EnumerationStep[]) => steps,
): RunDistribution | null => {
  const steps = questions.flatMap(({ question, choices }) =>
    choices ? [{ question, choices }] : [],
  )
  if (steps.length < questions.length) return null
  const enumeration = enumerateRuns(prepare(steps), packing, limits)
  if (!enumeration) return null
  return {
    precision: EXACT,
    nb_simulated_runs: 0,
    total_weight: 1,
    forEach: (read) => {
      const sums = new Float64Array(packing.size)
      enumeration.ends.forEach((packed_sums, share, slot) => {
        read(packing.unpack(packed_sums, sums), share, slot)
      })
    },
    exampleOf: enumeration.runOf,
  }
}

/** Standard deviations around the mean that contain 95 % of a normal distribution. */
const DEVIATIONS_OF_95_PERCENT = 1.96
/** Largest variance of a Bernoulli variable, reached at a probability of one half. */
const MAX_VARIANCE = 0.25

/** Returns the sums of random runs. Each group is one run. */
export const simulateSums = (
  { questions, packing }: RunSums,
  nb_simulated_runs: number,
): RunDistribution => {
  const simulation = { stages: createStages(questions, packing), first: packing.first }
  const margin = DEVIATIONS_OF_95_PERCENT * Math.sqrt(MAX_VARIANCE / nb_simulated_runs)
  return {
    precision: { is_exact: false, margin },
    nb_simulated_runs,
    total_weight: nb_simulated_runs,
    forEach: (read) => {
      const sums = new Float64Array(packing.size)
      simulateRuns(simulation, nb_simulated_runs, (packed_sums, run) =>
        read(packing.unpack(packed_sums, sums), 1, run),
      )
    },
    exampleOf: (run) => ranksInRun(simulation, run),
  }
}
