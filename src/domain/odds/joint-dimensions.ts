import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { tierAt } from '#domain/run/dimensions.ts'
import { DIMENSION_LIMITS, type DimensionedQuiz, type DimensionOdds } from './dimension-odds.ts'
import { distributeSums, EXACT, type OddsLimits, type Precision } from './distribute-runs.ts'
import {
  createRunSums,
  hasJump,
  type LikelihoodsByQuestion,
  percentAt,
  SUMS_PER_DIMENSION,
} from './run-sums.ts'
import { multiplyShares } from './state-table.ts'

/** Share of the runs in which « point fort » and « point faible » are empty. Both are always empty together. */
export type ExtremeOdds = Precision & { empty_probability: number }

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
  let empty_weight = 0
  const joint = areIndependent(questions)
    ? joinDimensions(odds, { tiered: new Set(), needs_common: true })
    : null
  if (joint) {
    for (const { common, share } of joint) if (common !== 'mixed') empty_weight += share
    return { empty_probability: empty_weight, ...EXACT }
  }
  const components = { dimension_ids: dimensions.map(({ id }) => id) }
  const run_sums = createRunSums(questions, components, likelihoods, limits.max_listed_choices)
  const { precision, total_weight, forEach } = distributeSums(run_sums, limits)
  forEach((sums, weight) => {
    if (commonOf(sums) !== 'mixed') empty_weight += weight
  })
  return { empty_probability: empty_weight / total_weight, ...precision }
}

/** Returns the percentage that all shown dimensions of a run have in common. */
const commonOf = (sums: Float64Array): CommonPercent => {
  let common: CommonPercent = null
  for (let at = 0; at < sums.length && common !== 'mixed'; at += SUMS_PER_DIMENSION)
    common = commonWith(common, percentAt(sums, at))
  return common
}

/** Percentage that all shown dimensions of a run have; null if none is shown, 'mixed' if two differ. */
type CommonPercent = number | null | 'mixed'

/** Runs with equal tiers and an equal common percentage. */
export type JointState = {
  /** Tier by the id of the dimension; null without a tier. Only for the dimensions whose tiers are needed. */
  tiers: ReadonlyMap<string, string | null>
  common: CommonPercent
  share: number
}

/** Returns true if the dimensions of a run do not depend on each other, because no reply hides a question. */
export const areIndependent = (questions: readonly SnapshotQuestion[]): boolean =>
  !questions.some(hasJump)

/** Returns the common percentage after one more dimension, whose percentage is null if the run does not show it. */
const commonWith = (common: CommonPercent, percent: number | null): CommonPercent => {
  if (percent === null || common === percent) return common
  return common === null ? percent : 'mixed'
}

const MAX_STATES = 20_000

/**
 * Returns the joint probabilities of independent dimensions from those of each. Equal states are merged. Returns null if a
 * dimension is not exact, or if the states are too many.
 */
export const joinDimensions = (
  dimensions: readonly DimensionOdds[],
  { tiered, needs_common }: { tiered: ReadonlySet<string>; needs_common: boolean },
): JointState[] | null => {
  let states: JointState[] = [{ tiers: new Map(), common: null, share: 1 }]
  for (const odds of dimensions) {
    if (!odds.is_exact) return null
    const outcomes = outcomesOf(odds, tiered.has(odds.id), needs_common)
    const joined = new Map<string, JointState>()
    for (const state of states)
      for (const { tier_id, percent, share } of outcomes) {
        const tiers = tiered.has(odds.id) ? new Map(state.tiers).set(odds.id, tier_id) : state.tiers
        const common = needs_common ? commonWith(state.common, percent) : null
        const key = `${common} ${[...tiers.values()].join()}`
        const product = multiplyShares(state.share, share)
        joined.set(key, { tiers, common, share: (joined.get(key)?.share ?? 0) + product })
      }
    if (joined.size > MAX_STATES) return null
    states = [...joined.values()]
  }
  return states
}

/** Outcome of one dimension; `percent` is null if the dimension is not shown, or if percentages are not needed. */
type Outcome = { tier_id: string | null; percent: number | null; share: number }

/** Returns the outcomes of one dimension. Percentages are kept apart only if they are needed. */
const outcomesOf = (
  { percents, tiers, hidden_probability }: DimensionOdds,
  is_tiered: boolean,
  needs_common: boolean,
): Outcome[] => {
  const outcomes = new Map<string, Outcome>()
  const add = (tier_id: string | null, percent: number | null, share: number): void => {
    const key = `${tier_id} ${percent}`
    outcomes.set(key, { tier_id, percent, share: (outcomes.get(key)?.share ?? 0) + share })
  }
  for (const { percent, probability } of percents)
    add(
      is_tiered ? (tierAt(tiers, percent)?.id ?? null) : null,
      needs_common ? percent : null,
      probability,
    )
  if (hidden_probability > 0) add(null, null, hidden_probability)
  return [...outcomes.values()]
}
