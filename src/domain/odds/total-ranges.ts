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
  rangesOf(odds, results, (matchingResults) => (matchingResults.length === 0 ? '' : null)).map(
    ({ range }) => range,
  )

/**
 * Returns the possible totals that several tiers contain, as ascending ranges. `names` are the first two results by
 * priority; visitors see the first.
 */
export const findTotalsWithSeveralResults = (
  odds: Pick<Odds, 'totals'>,
  results: readonly ResultRange[],
): (LikelyTotals & { names: [string, string] })[] => {
  const idsOf = ([first, second]: readonly ResultRange[]): string | null =>
    first && second ? `${first.id} ${second.id}` : null
  return rangesOf(odds, results, idsOf).map(({ range, matchingResults: [first, second] }) => ({
    ...range,
    names: [first?.name ?? '', second?.name ?? ''],
  }))
}

/** Range of totals with the results whose tiers contain them. */
type RangeWithResults = {
  range: LikelyTotals
  matchingResults: readonly ResultRange[]
  group: string
}

/** Returns the ranges of consecutive totals with an equal `groupOf`; totals whose group is null are omitted. */
const rangesOf = (
  { totals }: Pick<Odds, 'totals'>,
  results: readonly ResultRange[],
  groupOf: (matchingResults: readonly ResultRange[]) => string | null,
): RangeWithResults[] => {
  const tiers = inResultOrder(results).map((result) => ({ result, tier: tierOf(result) }))
  const matchingResultsOf = (total: number): ResultRange[] =>
    tiers.filter(({ tier }) => isInTier(tier, total)).map(({ result }) => result)
  /** Returns true if a tier begins or ends between two possible totals. */
  const isTierLimitBetween = (from: number, to: number): boolean =>
    tiers.some(
      ({ tier }) =>
        (from < tier.from && tier.from < to && tier.from <= tier.to) ||
        (from < tier.to && tier.to < to && tier.from <= tier.to),
    )
  const ranges: RangeWithResults[] = []
  let last: RangeWithResults | undefined
  for (const { total, probability } of totals) {
    const matchingResults = matchingResultsOf(total)
    const group = groupOf(matchingResults)
    if (group === null) {
      last = undefined
      continue
    }
    if (last?.group === group && !isTierLimitBetween(last.range.to, total)) {
      last.range.to = total
      last.range.probability += probability
      continue
    }
    last = { range: { from: total, to: total, probability }, matchingResults, group }
    ranges.push(last)
  }
  return ranges
}
