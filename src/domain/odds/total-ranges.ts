import { inResultOrder, type SnapshotResult } from '#domain/questionnaire/snapshot.ts'
import type { Range } from '#domain/questionnaire/tiers.ts'
import type { Odds } from './odds.ts'
import { holds, tierOf } from './outcomes.ts'

type Tiered = Pick<SnapshotResult, 'id' | 'name' | 'priority_order' | 'min_score' | 'max_score'>

/** Totals that runs have, from the first to the last of them, and how likely they are together. */
export type LikelyTotals = Range & { probability: number }

/**
 * The totals of runs that no tier holds, in ascending ranges; no tier lies within one. `odds` are those of a quiz by
 * score; of any other there are none.
 */
export const totalsWithoutResult = (
  odds: Pick<Odds, 'totals'>,
  results: readonly Tiered[],
): LikelyTotals[] =>
  rangesOf(odds, results, (holders) => (holders.length === 0 ? '' : null)).map(({ range }) => range)

/**
 * The totals of runs that several tiers hold, in ascending ranges, each with the names of the first two results that
 * have them: the first is given.
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

/** The totals that follow each other and whose holders are of the same kind; null is not looked for. */
const rangesOf = (
  { totals }: Pick<Odds, 'totals'>,
  results: readonly Tiered[],
  kindOf: (holders: readonly Tiered[]) => string | null,
): Held[] => {
  const tiers = inResultOrder(results).map((result) => ({ result, tier: tierOf(result) }))
  const holdersOf = (total: number): Tiered[] =>
    tiers.filter(({ tier }) => holds(tier, total)).map(({ result }) => result)
  /** Whether what holds a total may be another for one between these two, which no run has. */
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
