import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { tierAt } from '#domain/run/dimensions.ts'
import type { DimensionOdds } from './dimension-odds.ts'
import { hasJump } from './dimension-sums.ts'

/** Percentage that all shown dimensions of a run have; null if none is shown, 'mixed' if two differ. */
export type CommonPercent = number | null | 'mixed'

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
export const commonWith = (common: CommonPercent, percent: number | null): CommonPercent => {
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
        const product = Math.max(state.share * share, Number.MIN_VALUE)
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
