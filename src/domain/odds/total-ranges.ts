import { inResultOrder, type SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import { isInTier, tierOf } from '#domain/run/scoring.ts'
import type { Odds } from './odds.ts'

type Tiered = Pick<SnapshotResult, 'id' | 'name' | 'priority_order' | 'min_score' | 'max_score'>

/** Range of consecutive possible totals with their common probability. */
export type LikelyTotals = Range & { probability: number }

/**
 * Returns the possible totals without a tier as ascending ranges without a tier between them. `odds` must be those of
 * a quiz by score; others have no totals.
 */
export const totalsWithoutResult = (
  odds: Pick<Odds, 'totals'>,
  results: readonly Tiered[],
): LikelyTotals[] =>
  rangesOf(odds, results, (holders) => (holders.length === 0 ? '' : null)).map(({ range }) => range)

/**
 * Returns the possible totals with several tiers as ascending ranges, with the names of the first two results. The
 * first result is given.
 */
export const totalsWithSeveralResults = (
  odds: Pick<Odds, 'totals'>,
  results: readonly Tiered[],
): (LikelyTotals & { names: [string, string] })[] => {
  const idsOf = ([first, second]: readonly Tiered[]): string | null =>
    first && second ? `${first.id} ${second.id}` : null
  return rangesOf(odds, results, idsOf).map(({ range, holders: [first, second] }) => ({
    ...range,
    names: [first?.name ?? '', second?.name ?? ''],
  }))
}

type Held = { range: LikelyTotals; holders: readonly Tiered[]; kind: string }

/** Returns the ranges of consecutive totals with the same `kindOf`; null kinds are omitted. */
const rangesOf = (
  { totals }: Pick<Odds, 'totals'>,
  results: readonly Tiered[],
  kindOf: (holders: readonly Tiered[]) => string | null,
): Held[] => {
  const tiers = inResultOrder(results).map((result) => ({ result, tier: tierOf(result) }))
  const holdersOf = (total: number): Tiered[] =>
    tiers.filter(({ tier }) => isInTier(tier, total)).map(({ result }) => result)
  /** Returns true if a tier begins or ends between two possible totals. */
  const changes = (from: number, to: number): boolean =>
    tiers.some(
      ({ tier }) =>
        (from < tier.from && tier.from < to && tier.from <= tier.to) ||
        (from < tier.to && tier.to < to && tier.from <= tier.to),
    )
  const found: Held[] = []
  let last: Held | undefined
  for (const { total, probability } of totals) {
    const holders = holdersOf(total)
    const kind = kindOf(holders)
    if (kind === null) {
      last = undefined
      continue
    }
    if (last?.kind === kind && !changes(last.range.to, total)) {
      last.range.to = total
      last.range.probability += probability
      continue
    }
    last = { range: { from: total, to: total, probability }, holders, kind }
    found.push(last)
  }
  return found
}
