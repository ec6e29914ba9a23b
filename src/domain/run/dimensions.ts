import type { DimensionTier } from '#domain/questionnaire/dimensions.ts'
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
export const dimensionScores = (
  { questions, dimensions = [] }: DimensionScorable,
  replies: Replies,
): DimensionScore[] => {
  if (dimensions.length === 0) return []
  const visited = visitedQuestions(questions, replies)
  return dimensions.flatMap(({ id, tiers }): DimensionScore[] => {
    let [points, least, greatest] = [0, 0, 0]
    for (const question of visited) {
      if (question.dimension_id !== id) continue
      const { from, to } = pointsRangeOf(question)
      points += pointsOf(question, replies)
      least += from
      greatest += to
    }
    if (least === greatest) return []
    const percent = percentOf(points, least, greatest)
    const tier_id = tierAt(tiers, percent)?.id ?? null
    return [{ dimension_id: id, points, least, greatest, percent, tier_id }]
  })
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
