import { inResultOrder, type SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import { isInTier, type Range, tierOf } from '#domain/questionnaire/tiers.ts'
import type { Odds } from './odds.ts'

/** Result with its tier. */
type ResultRange = Pick<
  SnapshotResult,
  'id' | 'name' | 'priority_order' | 'min_score' | 'max_score'
>

/** Range of possible totals with the probability that the total of a run is in the range. */
export type LikelyTotals = Range & { probability: number }

/**
 * Returns the possible totals that no tier contains, as ascending ranges. A range never spans a tier. Returns an empty
 * list for quizzes by profiles, because their odds have no totals.
 */
export const findTotalsWithoutResult = (
  odds: Pick<Odds, 'totals'>,
  results: readonly ResultRange[],
): LikelyTotals[] =>
  rangesOf(odds, results)
    .filter(({ matching }) => matching.length === 0)
    .map(({ range }) => range)

/**
 * Returns the possible totals that several tiers contain, as ascending ranges. `names` are the first two results by
 * priority; visitors see the first.
 */
export const findTotalsWithSeveralResults = (
  odds: Pick<Odds, 'totals'>,
  results: readonly ResultRange[],
): (LikelyTotals & { names: [string, string] })[] =>
  rangesOf(odds, results).flatMap(({ range, matching: [first, second] }) =>
    first && second ? { ...range, names: [first.name, second.name] } : [],
  )

/** Range of totals with the first two results whose tiers contain them. */
type RangeWithResults = { range: LikelyTotals; matching: readonly ResultRange[] }

/** Returns the ranges of consecutive totals with the same first two results, and without a limit of a tier inside. */
const rangesOf = (
  { totals }: Pick<Odds, 'totals'>,
  results: readonly ResultRange[],
): RangeWithResults[] => {
  const tiers = inResultOrder(results).map((result) => ({ result, tier: tierOf(result) }))
  const limits = tiers.flatMap(({ tier: { from, to } }) => (from <= to ? [from, to] : []))
  const ranges: RangeWithResults[] = []
  for (const { total, probability } of totals) {
    const all = tiers.filter(({ tier }) => isInTier(tier, total))
    const matching = all.slice(0, 2).map(({ result }) => result)
    const last = ranges.at(-1)
    const continuesLast =
      last?.matching.length === matching.length &&
      matching.every((result, rank) => last.matching[rank] === result) &&
      !limits.some((limit) => last.range.to < limit && limit < total)
    if (last && continuesLast) {
      last.range.to = total
      last.range.probability += probability
    } else ranges.push({ range: { from: total, to: total, probability }, matching })
  }
  return ranges
}
