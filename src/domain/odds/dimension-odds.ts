import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { percentOf, tierAt } from '#domain/run/dimensions.ts'
import { createDimensionSteps, readEnds } from './dimension-sums.ts'
import { type LikelihoodsByQuestion, marginOfRuns, type OddsLimits } from './odds.ts'

/** Probability of one tier. */
type TierOdds = Pick<DimensionTier, 'id' | 'title' | 'from_percent' | 'to_percent'> & {
  probability: number
}

/** Probabilities of the percentages and tiers of one dimension. */
export type DimensionOdds = {
  id: string
  name: string
  /** False if the probabilities are estimates from random runs, because the paths are too many to enumerate. */
  is_exact: boolean
  /** Half the width of the 95 % confidence interval of each probability; 0 if exact. */
  margin: number
  /** Possible percentages with their probabilities, ascending. Runs that hide the dimension are missing. */
  percents: { percent: number; probability: number }[]
  tiers: TierOdds[]
  /** Probability that no tier contains the percentage. */
  no_tier_probability: number
  /** Probability that the run does not show the dimension. */
  hidden_probability: number
}

/** Parts of a snapshot from which the odds of its dimensions are computed. */
export type DimensionedQuiz = Pick<Snapshot, 'questions'> & {
  dimensions?: readonly SnapshotDimension[] | undefined
}

/**
 * Limits of the exact computation of one dimension. The limits are lower than those of results, because a quiz has up
 * to twelve dimensions.
 */
export const DIMENSION_LIMITS: OddsLimits = {
  max_states: 50_000,
  max_operations: 1_000_000,
  max_listed_choices: 2_000,
  nb_simulated_runs: 20_000,
}

/**
 * Computes the probability of each percentage and tier of each dimension over all possible runs. A dimension is exact
 * within the limits, otherwise simulated.
 */
export const computeDimensionOdds = (
  { questions, dimensions = [] }: DimensionedQuiz,
  likelihoods: LikelihoodsByQuestion = new Map(),
  limits: OddsLimits = DIMENSION_LIMITS,
): DimensionOdds[] => {
  const settings = { likelihoods, limits }
  return dimensions.map((dimension) => {
    const shares: SharesOfSums = new Map()
    const is_exact = readEnds(
      createDimensionSteps(questions, [dimension.id], settings),
      limits,
      ([points = 0, range = 0], share) => addShare(shares, { points, range }, share),
    )
    return {
      ...sumUp(dimension, shares),
      is_exact,
      margin: is_exact ? 0 : marginOfRuns(limits.nb_simulated_runs),
    }
  })
}

/** Probabilities of the sums, by range and then by points above the lowest. */
type SharesOfSums = Map<number, Map<number, number>>

const addShare = (
  to: SharesOfSums,
  { points, range }: { points: number; range: number },
  share: number,
): void => {
  const probabilities = to.get(range) ?? new Map<number, number>()
  to.set(range, probabilities.set(points, (probabilities.get(points) ?? 0) + share))
}

/** Adds up the probabilities by percentage and by tier. */
const sumUp = ({ id, name, tiers }: SnapshotDimension, shares: SharesOfSums) => {
  const byPercent = new Map<number, number>()
  let hidden_probability = 0
  for (const [range, byPoints] of shares)
    for (const [points, share] of byPoints) {
      if (range === 0) hidden_probability += share
      else {
        const percent = percentOf(points, 0, range)
        byPercent.set(percent, (byPercent.get(percent) ?? 0) + share)
      }
    }
  const percents = [...byPercent]
    .map(([percent, probability]) => ({ percent, probability }))
    .sort((a, b) => a.percent - b.percent)
  const probabilityOf = (tier_id: string | undefined): number =>
    percents.reduce(
      (sum, { percent, probability }) =>
        tierAt(tiers, percent)?.id === tier_id ? sum + probability : sum,
      0,
    )
  return {
    id,
    name,
    percents,
    hidden_probability,
    tiers: tiers.map(({ id, title, from_percent, to_percent }) => ({
      id,
      title,
      from_percent,
      to_percent,
      probability: probabilityOf(id),
    })),
    no_tier_probability: probabilityOf(undefined),
  }
}
