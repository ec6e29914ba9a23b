import type { Result } from './quiz.ts'

/** Range of whole numbers, both ends included. */
export type Range = { from: number; to: number }
/** Reachable totals that no tier contains. */
export type TierGap = Range & { kind: 'gap' }
/** Totals that two tiers contain. */
export type TierOverlap = Range & { kind: 'overlap'; names: [string, string] }

type Bounds = Pick<Result, 'min_score' | 'max_score'>

/** Lower bound of a tier without a minimum on the public page (product 4.4). */
export const PUBLIC_LOWEST_SCORE = 0

/** Returns the totals that give a result. A missing minimum is `lowest_score`, a missing maximum is Infinity. */
export const tierOf = (
  { min_score, max_score }: Bounds,
  lowest_score = PUBLIC_LOWEST_SCORE,
): Range => ({
  from: min_score ?? lowest_score,
  to: max_score ?? Number.POSITIVE_INFINITY,
})

/** Returns true if a total is in a tier, both ends included. */
export const isInTier = ({ from, to }: Range, total: number): boolean =>
  from <= total && total <= to

const hasBound = ({ min_score, max_score }: Bounds): boolean =>
  min_score !== null || max_score !== null

/**
 * Returns the reachable totals that no tier contains, then the totals that two tiers contain (product 4.8). In an
 * overlap, the first result of the list wins. Empty if no bound is set.
 */
export const tierProblems = (
  results: readonly Result[],
  reachable: Range,
): (TierGap | TierOverlap)[] =>
  results.some(hasBound) ? [...gapsOf(results, reachable), ...overlapsOf(results, reachable)] : []

const gapsOf = (results: readonly Result[], reachable: Range): TierGap[] => {
  const tiers = results.map((result) => tierOf(result)).filter(({ from, to }) => from <= to)
  const gaps: TierGap[] = []
  let next = reachable.from
  for (const { from, to } of tiers.sort((a, b) => a.from - b.from)) {
    if (from > next && next <= reachable.to)
      gaps.push({ kind: 'gap', from: next, to: Math.min(from - 1, reachable.to) })
    next = Math.max(next, to + 1)
  }
  if (next <= reachable.to) gaps.push({ kind: 'gap', from: next, to: reachable.to })
  return gaps
}

/** Returns the overlaps. A result without bounds overlaps no tier, because its tier is not set yet. */
const overlapsOf = (results: readonly Result[], reachable: Range): TierOverlap[] => {
  const tiers = results
    .filter(hasBound)
    .map((result) => ({ name: result.name, ...tierOf(result) }))
    .filter(({ from, to }) => from <= to)
  return tiers.flatMap((tier, index) =>
    tiers.slice(index + 1).flatMap((other): TierOverlap[] => {
      const from = Math.max(tier.from, other.from)
      const end = Math.min(tier.to, other.to)
      const to = Number.isFinite(end) ? end : reachable.to
      return from <= to ? [{ kind: 'overlap', from, to, names: [tier.name, other.name] }] : []
    }),
  )
}

/** Tier in a drawing, with the index of its result in the list. */
export type ChartTier = Range & { id: string; name: string; index: number }

/** Returns the tiers with two ordered bounds, in the order of the results. A tier with an open bound is not drawn. */
export const chartTiersOf = (
  results: readonly Pick<Result, 'id' | 'name' | 'min_score' | 'max_score'>[],
): ChartTier[] =>
  results.flatMap(({ id, name, min_score, max_score }, index) =>
    min_score === null || max_score === null || min_score > max_score
      ? []
      : [{ id, index, name, from: min_score, to: max_score }],
  )

/** Returns the pairs of tiers without a gap or overlap between them, so that their common boundary can be moved. */
export const tierBoundariesOf = (
  tiers: readonly ChartTier[],
): { lower: ChartTier; upper: ChartTier }[] => {
  const sorted = tiers.toSorted((a, b) => a.from - b.from)
  return sorted.flatMap((lower, index) => {
    const upper = sorted[index + 1]
    return upper && upper.from === lower.to + 1 ? [{ lower, upper }] : []
  })
}

/**
 * Returns `count` tiers that share the possible totals from 0 as evenly as whole numbers allow. Null if there are
 * fewer totals than results.
 */
export const distributeTiers = (count: number, { from, to }: Range): Range[] | null => {
  const first = Math.max(0, from)
  const totals = to - first + 1
  if (count === 0 || totals < count) return null
  return Array.from({ length: count }, (_, index) => ({
    from: first + Math.floor((index * totals) / count),
    to: first + Math.floor(((index + 1) * totals) / count) - 1,
  }))
}
