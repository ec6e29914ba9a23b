import { tierAt } from '#domain/run/dimensions.ts'
import type { DimensionOdds } from './dimension-odds.ts'

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
          why: proofOf(dimension, id),
        })),
    )

const proofOf = ({ percents, tiers }: DimensionOdds, tier_id: string): TierImpossibility => {
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
