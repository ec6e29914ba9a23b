import type { Result } from './quiz.ts'

export type Range = { from: number; to: number }
/** What a creator should know of the tiers: totals of no result, and of more than one. */
export type TierGap = Range & { kind: 'gap' }
export type TierOverlap = Range & { kind: 'overlap'; names: [string, string] }

type Tier = Range & { name: string }

/**
 * The reachable totals that no tier contains, and those that two contain, of which the first in the list is
 * given (spec §4 « Result computation »). Nothing as long as no tier is set.
 */
export const tierProblems = (
  results: readonly Result[],
  reachable: Range,
): (TierGap | TierOverlap)[] => {
  const tiers = drawnTiers(results)
  if (tiers.length === 0) return []
  const gaps: TierGap[] = []
  let next = reachable.from
  for (const { from, to } of tiers.toSorted((a, b) => a.from - b.from)) {
    if (from > next && next <= reachable.to)
      gaps.push({ kind: 'gap', from: next, to: Math.min(from - 1, reachable.to) })
    next = Math.max(next, to + 1)
  }
  if (next <= reachable.to) gaps.push({ kind: 'gap', from: next, to: reachable.to })
  const overlaps = tiers.flatMap((tier, index) =>
    tiers.slice(index + 1).flatMap((other): TierOverlap[] => {
      const [from, to] = [Math.max(tier.from, other.from), Math.min(tier.to, other.to)]
      return from <= to ? [{ kind: 'overlap', from, to, names: [tier.name, other.name] }] : []
    }),
  )
  return [...gaps, ...overlaps]
}

/** A tier as it is drawn, with the index of its result in the list. */
export type DrawnTier = Tier & { id: string; index: number }

/** The tiers that have both bounds the right way round, in the order of the results. */
export const drawnTiers = (
  results: readonly Pick<Result, 'id' | 'name' | 'min_score' | 'max_score'>[],
): DrawnTier[] =>
  results.flatMap(({ id, name, min_score, max_score }, index) =>
    min_score === null || max_score === null || min_score > max_score
      ? []
      : [{ id, index, name, from: min_score, to: max_score }],
  )

/** The tiers that follow each other without a gap or an overlap, from the lowest: their limit can be moved. */
export const boundariesOf = (
  tiers: readonly DrawnTier[],
): { lower: DrawnTier; upper: DrawnTier }[] => {
  const sorted = tiers.toSorted((a, b) => a.from - b.from)
  return sorted.flatMap((lower, index) => {
    const upper = sorted[index + 1]
    return upper && upper.from === lower.to + 1 ? [{ lower, upper }] : []
  })
}

/**
 * Tiers for this number of results, in their order, which share the possible totals from 0 on as evenly as whole
 * numbers allow; null when there are fewer totals than results.
 */
export const spreadTiers = (count: number, { from, to }: Range): Range[] | null => {
  const first = Math.max(0, from)
  const totals = to - first + 1
  if (count === 0 || totals < count) return null
  return Array.from({ length: count }, (_, index) => ({
    from: first + Math.floor((index * totals) / count),
    to: first + Math.floor(((index + 1) * totals) / count) - 1,
  }))
}
