import {
  type DimensionTier,
  dimensionInsertion,
  EXTREME_INSERTIONS,
} from '#domain/questionnaire/dimensions.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { pointsRangeOf } from './reachable-totals.ts'
import { pointsOf } from './scoring.ts'

/** Score of one dimension in a run. */
export type DimensionScore = {
  dimension_id: string
  points: number
  /** Lowest possible points of the dimension's questions on the path. */
  least: number
  greatest: number
  /** Position of the points between `least` and `greatest`, from 0 to 100. */
  percent: number
  /** Tier that contains the percentage; null if no tier does. */
  tier_id: string | null
}

type TierRange = Pick<DimensionTier, 'id' | 'from_percent' | 'to_percent'>

/** Parts of a snapshot from which the scores of its dimensions are computed. */
export type DimensionScorable = {
  questions: readonly SnapshotQuestion[]
  dimensions?: readonly { id: string; tiers: readonly TierRange[] }[] | undefined
}

/**
 * Returns the scores of the dimensions in their order, from the questions on the path. A dimension whose questions
 * cannot give different points is omitted.
 */
export const dimensionScores = (snapshot: DimensionScorable, replies: Replies): DimensionScore[] =>
  snapshot.dimensions?.length
    ? createDimensionScoring(snapshot)(replies, visitedQuestions(snapshot.questions, replies))
    : []

/**
 * Creates a function that computes the scores of many runs of one snapshot. Its second parameter has the questions on
 * the path of the run, as `visitedQuestions` returns them.
 */
export const createDimensionScoring = ({ questions, dimensions = [] }: DimensionScorable) => {
  const ranges = new Map(questions.map((question) => [question, pointsRangeOf(question)]))
  return (replies: Replies, visited: readonly SnapshotQuestion[]): DimensionScore[] =>
    dimensions.flatMap(({ id, tiers }): DimensionScore[] => {
      let [points, least, greatest] = [0, 0, 0]
      for (const question of visited) {
        const range = question.dimension_id === id && ranges.get(question)
        if (!range) continue
        points += pointsOf(question, replies)
        least += range.from
        greatest += range.to
      }
      if (least === greatest) return []
      const percent = percentOf(points, least, greatest)
      const tier_id = tierAt(tiers, percent)?.id ?? null
      return [{ dimension_id: id, points, least, greatest, percent, tier_id }]
    })
}

/** Dimension with its texts, which are strings or parsed. */
type DimensionWithTexts<Text> = {
  id: string
  name: string
  description: Text | null
  tiers: readonly (TierRange & { title: string; text: Text | null })[]
}

/** Dimension as the end of a run shows it. */
export type ShownDimension<Text> = {
  id: string
  name: string
  percent: number
  /** Tier that contains the percentage; null if no tier does. */
  tier: { title: string; text: Text | null } | null
  description: Text | null
}

/** Returns the dimensions that the end of a run shows, in their order, with the texts of their tiers. */
export const shownDimensions = <Text>(
  snapshot: Pick<DimensionScorable, 'questions'> & {
    dimensions?: readonly DimensionWithTexts<Text>[] | undefined
  },
  replies: Replies,
): ShownDimension<Text>[] => {
  const { dimensions = [] } = snapshot
  return dimensionScores(snapshot, replies).flatMap(({ dimension_id, percent }) => {
    const dimension = dimensions.find(({ id }) => id === dimension_id)
    if (!dimension) return []
    const { id, name, description = null, tiers } = dimension
    return { id, name, percent, tier: tierAt(tiers, percent) ?? null, description }
  })
}

/** Returns a percentage in French typography. */
export const formatPercent = (percent: number): string => `${percent}\u00a0%`

/**
 * Returns the values that the end of a run inserts for its dimensions, by name. The first of several equal dimensions
 * is the extreme; values of dimensions that the run does not show are ''.
 */
export const dimensionInsertions = (
  snapshot: Pick<DimensionScorable, 'questions'> & {
    dimensions?: readonly { id: string; name: string; tiers: readonly TierRange[] }[] | undefined
  },
  replies: Replies,
): [name: string, value: string][] => {
  const { dimensions = [] } = snapshot
  if (dimensions.length === 0) return []
  const scores = dimensionScores(snapshot, replies)
  const percents = new Map(scores.map(({ dimension_id, percent }) => [dimension_id, percent]))
  const nameAt = (pick: (...values: number[]) => number): string => {
    const extreme = pick(...percents.values())
    return dimensions.find(({ id }) => percents.get(id) === extreme)?.name ?? ''
  }
  const [strong, weak] = EXTREME_INSERTIONS
  return [
    [strong, nameAt(Math.max)],
    [weak, nameAt(Math.min)],
    ...dimensions.map(({ id, name }): [string, string] => {
      const percent = percents.get(id)
      return [dimensionInsertion(name), percent === undefined ? '' : formatPercent(percent)]
    }),
  ]
}

/**
 * Returns the position of the points in their range in whole percent; halves are rounded up. Points outside the range
 * come from required questions that the preview leaves blank.
 */
export const percentOf = (points: number, least: number, greatest: number): number =>
  Math.min(100, Math.max(0, Math.round(((points - least) * 100) / (greatest - least))))

/** Returns the first tier that contains a percentage; undefined if no tier does. */
export const tierAt = <T extends TierRange>(tiers: readonly T[], percent: number): T | undefined =>
  tiers.find(({ from_percent, to_percent }) => from_percent <= percent && percent <= to_percent)
