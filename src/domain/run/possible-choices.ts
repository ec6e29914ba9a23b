import { isChoice, type Replies } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { listAnswerSets } from './answer-sets.ts'
import {
  addPoints,
  type Choice,
  likelihoodOfBlank,
  type ReplyWeights,
  uniteEqualEffects,
  weightOf,
} from './choice-weights.ts'
import { OTHER, scaleOf } from './replies.ts'

/** Ranks of the chosen answers by question id, for visited questions whose reply can change the result or path. */
export type ChosenRanks = ReadonlyMap<string, readonly number[]>

/**
 * Returns the replies that make these choices. Questions whose reply does not matter get their first possible reply.
 */
export const repliesOf = (questions: readonly SnapshotQuestion[], chosen: ChosenRanks): Replies =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const ranks = chosen.get(question.id) ?? defaultRanks(question)
      const parts = ranks.map((rank) => partOf(question, rank))
      return parts.length === 0 ? [] : [[question.id, parts.length > 1 ? parts : (parts[0] ?? '')]]
    }),
  )

const partOf = (question: SnapshotQuestion, rank: number): string => {
  if (question.type === 'scale') return `${scaleOf(question).from + rank}`
  return question.answers[rank]?.id ?? `${OTHER}…`
}

/** Returns the first rank of a required choice or scale. Texts stay empty, because the reader types them. */
const defaultRanks = (question: SnapshotQuestion): number[] => {
  if (question.is_required === false) return []
  const isOffered = isChoice(question)
    ? question.answers.length > 0 || question.has_other === true
    : question.type === 'scale'
  return isOffered ? [0] : []
}

/**
 * Returns the limit of listed choices for a question. Stages cannot draw the right set of `all_or_nothing`, so its few
 * effects are always listed.
 */
export const listedChoicesLimit = (
  { all_or_nothing }: Pick<SnapshotQuestion, 'all_or_nothing'>,
  max_choices_listed: number,
): number => (all_or_nothing ? Number.POSITIVE_INFINITY : max_choices_listed)

/** Question whose reply can change the result or path. `choices` is null if there are too many to list. */
export type RelevantQuestion = {
  question: SnapshotQuestion
  weights: ReplyWeights
  choices: Choice[] | null
}

/**
 * Returns the choices of a question; choices with equal points and target page are united. Returns null above
 * `max_choices_listed`. Without likelihoods, all replies or sets of answers are equally likely.
 */
export const choicesOf = (
  question: SnapshotQuestion,
  weights: ReplyWeights,
  max_choices_listed: number,
): Choice[] | null => {
  if (isChoice(question)) {
    const sets = listAnswerSets(question, weights, max_choices_listed)
    return sets && uniteReplies(question, weights, sets)
  }
  if (question.type === 'scale')
    return uniteReplies(question, weights, listScaleNumbers(question, weights))
  return [{ share: 1, ranks: [], points: weights.zero_points, target_page: null }]
}

/** Adds the points of any reply to the replies, adds the blank reply, and unites choices with equal effects. */
const uniteReplies = (
  question: SnapshotQuestion,
  { likelihoods, reply_points, zero_points, blank_points = zero_points }: ReplyWeights,
  replies: readonly Choice[],
): Choice[] =>
  uniteEqualEffects([
    ...replies.map((choice) =>
      reply_points ? { ...choice, points: addPoints(choice.points, reply_points) } : choice,
    ),
    {
      share: likelihoodOfBlank(question, likelihoods),
      ranks: [],
      points: blank_points,
      target_page: null,
    },
  ])

const listScaleNumbers = (question: SnapshotQuestion, weights: ReplyWeights): Choice[] => {
  const { from, to } = scaleOf(question)
  return Array.from(
    { length: to - from + 1 },
    (_, rank): Choice => ({
      share: weightOf(weights.likelihoods, rank),
      ranks: [rank],
      points: question.counts_in_score ? weights.pointsOfNumber(from + rank) : weights.zero_points,
      target_page: null,
    }),
  )
}
