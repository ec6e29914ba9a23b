import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { Snapshot } from '#domain/questionnaire/snapshot.ts'
import { dimensionScores, tierAt } from './dimensions.ts'

/** Percent of each dimension of the version, in order; null for a dimension that is not shown in the run. */
export type DimensionPercents = (number | null)[]

/** Returns the percents of a run as they are stored; null if the version has no dimensions. */
export const packDimensions = (snapshot: Snapshot, replies: Replies): DimensionPercents | null => {
  const { dimensions = [] } = snapshot
  if (dimensions.length === 0) return null
  const percents = new Map(
    dimensionScores(snapshot, replies).map(({ dimension_id, percent }) => [dimension_id, percent]),
  )
  return dimensions.map(({ id }) => percents.get(id) ?? null)
}

/** Dimension of a participant in words; `tier` is the title of the tier, null without a matching tier. */
export type WrittenDimension = { name: string; percent: number; tier: string | null }

/** Dimension of a participant with its ids. */
export type ReadDimension = WrittenDimension & { dimension_id: string; tier_id: string | null }

/** Returns the dimensions that a participant was shown, in order. `percents` belong to the version of `dimensions`. */
export const readDimensions = (
  { dimensions = [] }: { dimensions?: readonly SnapshotDimension[] | undefined },
  percents: DimensionPercents | null,
): ReadDimension[] =>
  dimensions.flatMap(({ id: dimension_id, name, tiers }, rank) => {
    const percent = percents?.[rank] ?? null
    if (percent === null) return []
    const tier = tierAt(tiers, percent)
    return { dimension_id, name, percent, tier_id: tier?.id ?? null, tier: tier?.title ?? null }
  })

/** Returns only the words of dimensions. */
export const writeDimensions = (dimensions: readonly ReadDimension[]): WrittenDimension[] =>
  dimensions.map(({ name, percent, tier }) => ({ name, percent, tier }))
