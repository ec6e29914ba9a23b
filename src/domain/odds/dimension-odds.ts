import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { tierAt } from '#domain/run/dimensions.ts'
import {
  distributeSums,
  type OddsLimits,
  type Precision,
  type SumDistribution,
} from './distribute-runs.ts'
import { createRunSums, type LikelihoodsByQuestion, percentAt } from './run-sums.ts'

/** Probability of one tier. */
type TierOdds = Pick<DimensionTier, 'id' | 'title' | 'from_percent' | 'to_percent'> & {
  probability: number
}

/** Probabilities of the percentages and tiers of one dimension. */
export type DimensionOdds = Precision & {
  id: string
  name: string
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
): DimensionOdds[] =>
  dimensions.map((dimension) => {
    const components = { dimension_ids: [dimension.id] }
    const run_sums = createRunSums(questions, components, likelihoods, limits.max_listed_choices)
    return sumByPercent(dimension, distributeSums(run_sums, limits))
  })

/** Adds up the probabilities of one dimension by percentage and by tier. */
const sumByPercent = (
  { id, name, tiers }: SnapshotDimension,
  { precision, total_weight, forEach }: SumDistribution,
): DimensionOdds => {
  const weights = new Map<number | null, number>()
  forEach((sums, weight) => {
    const percent = percentAt(sums, 0)
    weights.set(percent, (weights.get(percent) ?? 0) + weight)
  })
  const percents = [...weights]
    .flatMap(([percent, weight]) =>
      percent === null ? [] : { percent, probability: weight / total_weight },
    )
    .sort((a, b) => a.percent - b.percent)
  const probabilityOf = (tier_id: string | undefined): number =>
    percents.reduce(
      (sum, { percent, probability }) =>
        tierAt(tiers, percent)?.id === tier_id ? sum + probability : sum,
      0,
    )
  return {
    ...{ id, name, ...precision, percents },
    tiers: tiers.map(({ id, title, from_percent, to_percent }) => ({
      ...{ id, title, from_percent, to_percent },
      probability: probabilityOf(id),
    })),
    no_tier_probability: probabilityOf(undefined),
    hidden_probability: (weights.get(null) ?? 0) / total_weight,
  }
}

/** Proof that no run gives a tier of a dimension. */
export type TierImpossibility =
  /** The tier begins after its end. */
  | { kind: 'empty'; from: number; to: number }
  /** No path shows the dimension. */
  | { kind: 'hidden' }
  /** Earlier tiers contain all possible percentages of the tier. */
  | { kind: 'covered'; by: string[] }
  /** No run has a percentage in the tier. `below` and `above` are the nearest possible ones, null if there are none. */
  | { kind: 'between'; from: number; to: number; below: number | null; above: number | null }

/** Tier of a dimension that no run gives, with a proof. */
export type ImpossibleTier = {
  dimension_id: string
  dimension_name: string
  tier_id: string
  title: string
  why: TierImpossibility
}

/**
 * Returns the tiers that no run gives, each with a proof. `odds` must be computed with equally likely replies. Dimensions
 * with simulated odds prove nothing, so that some impossible tiers may then be missing.
 */
export const findImpossibleTiers = (odds: readonly DimensionOdds[]): ImpossibleTier[] =>
  odds
    .filter(({ is_exact }) => is_exact)
    .flatMap((dimension) =>
      dimension.tiers
        .filter(({ probability }) => probability === 0)
        .map(({ id, title }) => ({
          dimension_id: dimension.id,
          dimension_name: dimension.name,
          tier_id: id,
          title,
          why: proveImpossible(dimension, id),
        })),
    )

const proveImpossible = (
  { percents, tiers }: DimensionOdds,
  tier_id: string,
): TierImpossibility => {
  const tier = tiers.find(({ id }) => id === tier_id)
  const { from_percent: from = 0, to_percent: to = 0 } = tier ?? {}
  if (from > to) return { kind: 'empty', from, to }
  if (percents.length === 0) return { kind: 'hidden' }
  const possible = percents.map(({ percent }) => percent)
  const inTier = possible.filter((percent) => from <= percent && percent <= to)
  const by = new Set(inTier.flatMap((percent) => tierAt(tiers, percent)?.title ?? []))
  if (inTier.length > 0) return { kind: 'covered', by: [...by] }
  return {
    kind: 'between',
    from,
    to,
    below: possible.findLast((percent) => percent < from) ?? null,
    above: possible.find((percent) => percent > to) ?? null,
  }
}
