import { percentOf } from '#domain/run/dimensions.ts'
import { DIMENSION_LIMITS, type DimensionedQuiz, type DimensionOdds } from './dimension-odds.ts'
import { createDimensionSteps, readEnds, SUMS_PER_DIMENSION } from './dimension-sums.ts'
import {
  areIndependent,
  type CommonPercent,
  commonWith,
  joinDimensions,
} from './joint-dimensions.ts'
import { type LikelihoodsByQuestion, marginOfRuns, type OddsLimits } from './odds.ts'

/** Share of the runs in which « point fort » and « point faible » are empty. Both are always empty together. */
export type ExtremeOdds = {
  empty_probability: number
  /** False if the share is an estimate from random runs. */
  is_exact: boolean
  /** Half the width of the 95 % confidence interval; 0 if exact. */
  margin: number
}

/**
 * Computes the share of the runs in which the shown dimensions do not differ, so that no dimension is an extreme. `odds`
 * are those of the dimensions, for the same likelihoods. Returns null without dimensions.
 */
export const computeExtremeOdds = (
  { questions, dimensions = [] }: DimensionedQuiz,
  odds: readonly DimensionOdds[],
  likelihoods: LikelihoodsByQuestion = new Map(),
  limits: OddsLimits = DIMENSION_LIMITS,
): ExtremeOdds | null => {
  if (dimensions.length === 0) return null
  const joint = areIndependent(questions)
    ? joinDimensions(odds, { tiered: new Set(), needs_common: true })
    : null
  let empty_probability = 0
  if (joint) {
    for (const { common, share } of joint) if (common !== 'mixed') empty_probability += share
    return { empty_probability, is_exact: true, margin: 0 }
  }
  const ids = dimensions.map(({ id }) => id)
  const steps = createDimensionSteps(questions, ids, { likelihoods, limits })
  const is_exact = readEnds(steps, limits, (sums, share) => {
    if (commonOf(sums) !== 'mixed') empty_probability += share
  })
  return {
    empty_probability,
    is_exact,
    margin: is_exact ? 0 : marginOfRuns(limits.nb_simulated_runs),
  }
}

/** Returns the percentage that all shown dimensions of a run have in common. */
const commonOf = (sums: Float64Array): CommonPercent => {
  let common: CommonPercent = null
  for (let at = 0; at < sums.length; at += SUMS_PER_DIMENSION) {
    const range = sums[at + 1] as number
    common = commonWith(common, range === 0 ? null : percentOf(sums[at] as number, 0, range))
  }
  return common
}
