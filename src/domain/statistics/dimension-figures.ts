import { sharesOf } from '#domain/common/numbers.ts'
import type { SnapshotDimension } from '#domain/questionnaire/dimensions.ts'
import { tierAt } from '#domain/run/dimensions.ts'
import type { AnsweredVersion } from './asked-questions.ts'
import { createWordingFilter, tierWordings, wordingFilters } from './filter-choices.ts'
import { sumCounts } from './sum-counts.ts'

/** Number of participants of a version with a percent of its dimension at `rank`, from 1. */
export type DimensionCount = { version: number; rank: number; percent: number; count: number }

/** Number of bars of a histogram; the last bar includes 100. */
const NB_BARS = 10
/** Greatest percent of a dimension. */
const MAX_PERCENT = 100

type TierShare = {
  title: string
  count: number
  percentage: number
  /** Filter for the counted participants; missing for participants without a tier. */
  filter?: string
}

/** Figures of a dimension over all participants who were shown it. */
export type DimensionFigures = {
  id: string
  /** Name in the newest version with participants. */
  name: string
  nb_participants: number
  mean: number
  /** Standard deviation of the percents. */
  deviation: number
  /** Number of participants from 0 to 9 %, from 10 to 19 %, and so on; the last number includes 100 %. */
  histogram: number[]
  /** Tiers in the order of the newest version; a tier with a new title has a line for each title. */
  tiers: TierShare[]
}

/** Name of the line of participants whose percent is in no tier. */
export const NO_TIER = 'Sans palier'

/** Dimension as one version has it. */
type Appearance = { version: number; rank: number; dimension: SnapshotDimension }

/** Returns the dimensions of versions by id, newest appearance first, in the order of the newest version. */
export const dimensionAppearances = (
  versions: readonly Pick<AnsweredVersion, 'version' | 'snapshot'>[],
): Map<string, Appearance[]> =>
  Map.groupBy(
    [...versions]
      .sort((a, b) => b.version - a.version)
      .flatMap(({ version, snapshot }) =>
        (snapshot.dimensions ?? []).map((dimension, index) => ({
          version,
          dimension,
          rank: index + 1,
        })),
      ),
    ({ dimension }) => dimension.id,
  )

/**
 * Returns the figures of each dimension that a participant was shown. Percents of all versions count together; the
 * tiers are those of the version taken. `answered_versions` includes the versions that a filter excludes.
 */
export const dimensionFigures = (
  versions: readonly AnsweredVersion[],
  counts: readonly DimensionCount[],
  answered_versions = versions,
): DimensionFigures[] => {
  const filterOf = wordingFilters(tierWordings(answered_versions))
  const byPlace = Map.groupBy(
    counts.filter(({ count }) => count > 0),
    ({ version, rank }) => `${version}/${rank}`,
  )
  return [...dimensionAppearances(versions)].flatMap(([id, appearances]) => {
    const measured = appearances.map((appearance) => ({
      ...appearance,
      counts: byPlace.get(`${appearance.version}/${appearance.rank}`) ?? [],
    }))
    const all = measured.flatMap((dimension) => dimension.counts)
    const nb_participants = sumCounts(all)
    const [newest] = appearances
    if (!newest || nb_participants === 0) return []
    const mean = all.reduce((sum, { percent, count }) => sum + percent * count, 0) / nb_participants
    const variance =
      all.reduce((sum, { percent, count }) => sum + (percent - mean) ** 2 * count, 0) /
      nb_participants
    return {
      id,
      name: newest.dimension.name,
      nb_participants,
      mean,
      deviation: Math.sqrt(variance),
      histogram: histogramOf(all),
      tiers: tierShares(measured, { nb_participants, filterOf }),
    }
  })
}

type PercentCount = Pick<DimensionCount, 'percent' | 'count'>

const histogramOf = (counts: readonly PercentCount[]): number[] => {
  const bars = Array.from({ length: NB_BARS }, () => 0)
  for (const { percent, count } of counts) {
    const bar = Math.min(Math.floor(percent / (MAX_PERCENT / NB_BARS)), NB_BARS - 1)
    bars[bar] = (bars[bar] ?? 0) + count
  }
  return bars
}

/** Returns a line for each wording of a tier, and a last line for percents without a tier. Empty without tiers. */
const tierShares = (
  measured: readonly (Appearance & { counts: readonly PercentCount[] })[],
  {
    nb_participants,
    filterOf,
  }: { nb_participants: number; filterOf: ReturnType<typeof wordingFilters> },
): TierShare[] => {
  const lines = new Map<string, Omit<TierShare, 'percentage'>>()
  for (const { dimension, counts } of measured)
    for (const { id, title } of dimension.tiers) {
      const count = sumCounts(
        counts.filter(({ percent }) => tierAt(dimension.tiers, percent)?.id === id),
      )
      const filter = filterOf({ id, text: title })
      const line = lines.get(filter)
      if (line) line.count += count
      else lines.set(filter, { title, count, filter })
    }
  if (lines.size === 0) return []
  const others = nb_participants - sumCounts([...lines.values()])
  const all = [...lines.values(), ...(others > 0 ? [{ title: NO_TIER, count: others }] : [])]
  const shares = sharesOf(
    all.map(({ count }) => count),
    { total: nb_participants },
  )
  return all.map((line, index) => ({ ...line, percentage: shares[index] ?? 0 }))
}

/** Location of a tier in a version: the percents of the dimension at `rank`, from 1. */
export type TierPlace = { version: number; rank: number; percents: number[] }

/** Returns the places of the tiers that a filter means. */
export const tierPlaces = (
  versions: readonly Pick<AnsweredVersion, 'version' | 'snapshot'>[],
  filter: string,
): (TierPlace & { dimension_id: string })[] => {
  const isMeant = createWordingFilter(tierWordings(versions), filter)
  return [...dimensionAppearances(versions)].flatMap(([dimension_id, appearances]) =>
    appearances.flatMap(({ version, rank, dimension: { tiers } }) => {
      const meant = tiers.filter(({ id, title: text }) => isMeant({ id, text }))
      if (meant.length === 0) return []
      const percents = tierOfEachPercent(tiers).flatMap(({ percent, tier }) =>
        tier && meant.includes(tier) ? percent : [],
      )
      return { dimension_id, version, rank, percents }
    }),
  )
}

type Tiers = SnapshotDimension['tiers']

/** Returns all percents, each with its tier; undefined for a percent without a tier. */
export const tierOfEachPercent = (
  tiers: Tiers,
): { percent: number; tier: Tiers[number] | undefined }[] =>
  Array.from({ length: MAX_PERCENT + 1 }, (_, percent) => ({
    percent,
    tier: tierAt(tiers, percent),
  }))
