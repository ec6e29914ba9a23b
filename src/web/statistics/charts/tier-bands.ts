import type { NumberSummary } from '#domain/common/numbers.ts'
import { formatNumber } from '#web/statistics/format/format.ts'

/** The inclusive range of scores that lead to a result, and the data colour of the result. */
export type Tier = { name: string; min: number; max: number; color: number }

/** A part of the axis of a histogram, from and to in percent of its width. */
export type Band = { name: string; range: string; color: number; from: number; to: number }

/** Data colour of a column that no tier contains completely. */
const NO_TIER = 6

/** Returns the tiers as parts of the axis of a histogram of whole numbers; tiers outside the axis are left out. */
export const bandsOf = (histogram: NumberSummary['histogram'], tiers: readonly Tier[]): Band[] => {
  const start = histogram[0]?.from ?? 0
  const span = (histogram.at(-1)?.to ?? start) - start
  const placeOf = (value: number): number =>
    span === 0 ? 0 : Math.min(100, Math.max(0, ((value - start) * 100) / span))
  return tiers.flatMap(({ name, min, max, color }) => {
    // A score is one unit wide, so that adjacent tiers leave no gap.
    const [from, to] = [placeOf(min), placeOf(max + 1)]
    const range = min === max ? formatNumber(min) : `${formatNumber(min)}–${formatNumber(max)}`
    return to > from ? [{ name, range, color, from, to }] : []
  })
}

/** Returns the colour of each column: that of the tier that contains all of it. */
export const columnColors = (
  histogram: NumberSummary['histogram'],
  tiers: readonly Tier[],
): number[] =>
  histogram.map(({ from, to }) => {
    const tier = tiers.find(({ min, max }) => min <= from && to - 1 <= max)
    if (tier) return tier.color
    return tiers.length === 0 ? 0 : NO_TIER
  })
