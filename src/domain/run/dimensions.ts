import {
  DIMENSION_RULE,
  dimensionInsertion,
  EXTREME_INSERTIONS,
} from '#domain/questionnaire/dimensions.ts'
import type { DimensionTier } from '#domain/questionnaire/fields/list-values.ts'
import type { Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { visitedQuestions } from './path.ts'
import { pointsRangeOf } from './reachable-totals.ts'
import { replyPartsOf, scaleNumber } from './replies.ts'
import { pointsOf } from './scoring.ts'

/** Score of one dimension in a run. */
export type DimensionScore = {
  dimension_id: string
  points: number
  /** Lowest possible points of the questions that count in the run. */
  least: number
  greatest: number
  /** Position of the points between `least` and `greatest`, from 0 to 100. */
  percent: number
  /** Tier that contains the percentage; null if no tier does. */
  tier_id: string | null
}

type TierRange = Pick<DimensionTier, 'id' | 'from_percent' | 'to_percent'>

/** Parts of a snapshot from which the scores of its dimensions are computed. */
export type DimensionScoringInput = {
  questions: readonly SnapshotQuestion[]
  dimensions?: readonly { id: string; tiers: readonly TierRange[] }[] | undefined
  dimension_rule?: number | undefined
}

/**
 * Returns the scores of the dimensions in their order, from the answered questions on the path. A dimension is omitted if
 * none of its questions is answered, or if they cannot give different points.
 */
export const dimensionScores = (
  snapshot: DimensionScoringInput,
  replies: Replies,
): DimensionScore[] =>
  snapshot.dimensions?.length
    ? createDimensionScoring(snapshot)(replies, visitedQuestions(snapshot.questions, replies))
    : []

/**
 * Creates a function that computes the scores of many runs of one snapshot. Its second parameter has the questions on
 * the path of the run, as `visitedQuestions` returns them.
 */
export const createDimensionScoring = (snapshot: DimensionScoringInput) => {
  const { questions, dimensions = [] } = snapshot
  const isCurrent = hasCurrentRule(snapshot)
  const counted = new Map(
    questions.map((question) => {
      const scored = isCurrent ? countedQuestion(question) : question
      return [question, { scored, range: pointsRangeOf(scored) }]
    }),
  )
  return (replies: Replies, visited: readonly SnapshotQuestion[]): DimensionScore[] =>
    dimensions.flatMap(({ id, tiers }): DimensionScore[] => {
      let [points, least, greatest] = [0, 0, 0]
      for (const question of visited) {
        const found = question.dimension_id === id && counted.get(question)
        if (!found || (isCurrent && !isAnswered(question, replies))) continue
        points += pointsOf(found.scored, replies)
        least += found.range.from
        greatest += found.range.to
      }
      if (least === greatest) return []
      const percent = percentOf(points, least, greatest)
      const tier_id = tierAt(tiers, percent)?.id ?? null
      return [{ dimension_id: id, points, least, greatest, percent, tier_id }]
    })
}

/** Returns true unless a version counts a blank question as 0, and only the scales that count in the total. */
const hasCurrentRule = ({
  dimension_rule,
}: Pick<DimensionScoringInput, 'dimension_rule'>): boolean => dimension_rule === DIMENSION_RULE

/**
 * Returns a question as its dimension counts its reply: a scale counts whether or not it counts in the total, and a
 * question without a reply is left out, as if it were required. `pointsOf` and `pointsRangeOf` of this question are those of the dimension.
 */
export const countedQuestion = <Q extends SnapshotQuestion>(question: Q): Q => ({
  ...question,
  is_required: true,
  counts_in_score: question.type === 'scale',
})

const isAnswered = (question: SnapshotQuestion, replies: Replies): boolean =>
  question.type === 'scale'
    ? scaleNumber(question, replies) !== null
    : replyPartsOf(replies, question).length > 0

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
  snapshot: Omit<DimensionScoringInput, 'dimensions'> & {
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

/** Maximum number of tied dimensions that an insertion names. */
const MAX_NAMED = 3

/**
 * Returns the values that the end of a run inserts for its dimensions, by name; '' for a dimension that the run does
 * not show. Tied extremes are all named, up to three. The insertions of both extremes are '' unless two dimensions
 * differ.
 */
export const dimensionInsertions = (
  snapshot: Omit<DimensionScoringInput, 'dimensions'> & {
    dimensions?: readonly { id: string; name: string; tiers: readonly TierRange[] }[] | undefined
  },
  replies: Replies,
): [name: string, value: string][] => {
  const { dimensions = [] } = snapshot
  if (dimensions.length === 0) return []
  const scores = dimensionScores(snapshot, replies)
  const percents = new Map(scores.map(({ dimension_id, percent }) => [dimension_id, percent]))
  const isCurrent = hasCurrentRule(snapshot)
  const namesAt = (pick: (...values: number[]) => number): string => {
    if (isCurrent && new Set(percents.values()).size < 2) return ''
    const extreme = pick(...percents.values())
    const names = dimensions.filter(({ id }) => percents.get(id) === extreme)
    return joinNames(names.slice(0, isCurrent ? MAX_NAMED : 1).map(({ name }) => name))
  }
  const [strong, weak] = EXTREME_INSERTIONS
  return [
    [strong, namesAt(Math.max)],
    [weak, namesAt(Math.min)],
    ...dimensions.map(({ id, name }): [string, string] => {
      const percent = percents.get(id)
      return [dimensionInsertion(name), percent === undefined ? '' : formatPercent(percent)]
    }),
  ]
}

/** Returns names as a French list: 'Santé, Travail et Argent'. */
const joinNames = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' et ')

/**
 * Returns the position of the points in their range in whole percent; halves are rounded up. Points outside the range
 * come from required questions that the preview leaves blank, in a version with the older rule.
 */
export const percentOf = (points: number, least: number, greatest: number): number =>
  Math.min(100, Math.max(0, Math.round(((points - least) * 100) / (greatest - least))))

/** Returns the first tier that contains a percentage; undefined if no tier does. */
export const tierAt = <T extends TierRange>(tiers: readonly T[], percent: number): T | undefined =>
  tiers.find(({ from_percent, to_percent }) => from_percent <= percent && percent <= to_percent)
