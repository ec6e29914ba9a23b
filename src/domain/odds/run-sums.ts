import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import { isChoice } from '#domain/questionnaire/quiz.ts'
import type { SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import {
  effectiveLikelihoods,
  type Likelihoods,
  type ReplyWeights,
} from '#domain/run/choice-weights.ts'
import { countedQuestion, percentOf } from '#domain/run/dimensions.ts'
import { jumpTargetOf } from '#domain/run/path.ts'
import {
  choicesOf,
  listedChoicesLimit,
  type RelevantQuestion,
} from '#domain/run/possible-choices.ts'
import { pointsRangeOf } from '#domain/run/reachable-totals.ts'
import { createPacking, type Packing } from './packing.ts'
import type { ScoringScheme } from './scoring-scheme.ts'

/** Likelihoods of replies by question id. Replies to a question that is not in the map are equally likely. */
export type LikelihoodsByQuestion = ReadonlyMap<string, Likelihoods>

/** Condition on the reply to a question. */
export type ReplyCondition = Extract<Condition, { question_id: string }>

/**
 * Facts about a run that its sums hold, in this order: the points of the scoring scheme, a component for each condition,
 * and two for each dimension. The two are the points above the lowest possible ones, and the range of the possible ones.
 */
export type SumComponents = {
  scheme?: ScoringScheme | null
  conditions?: readonly ReplyCondition[]
  dimension_ids?: readonly string[]
}

/** Value of the component of a condition if the run visits the question, but the reply does not match. Otherwise 0. */
export const SEEN = 1
/** Value of the component of a condition if the run visits the question, and the reply matches. */
export const SEEN_AND_MATCHED = 2

/** Number of components of one dimension. */
export const SUMS_PER_DIMENSION = 2

/** Returns a zero for each component, and the indexes of the first condition and of the first dimension. */
export const layoutOf = ({ scheme, conditions = [], dimension_ids = [] }: SumComponents) => {
  const at_conditions = scheme?.size ?? 0
  const at_dimensions = at_conditions + conditions.length
  const size = at_dimensions + SUMS_PER_DIMENSION * dimension_ids.length
  const zero_points: readonly number[] = Array(size).fill(0)
  return { zero_points, at_conditions, at_dimensions }
}

/** Returns the percentage of the dimension whose sums begin at this index; null if the run does not show the dimension. */
export const percentAt = (sums: Float64Array, at: number): number | null => {
  const range = sums[at + 1] as number
  return range === 0 ? null : percentOf(sums[at] as number, 0, range)
}

/** Returns true if an answer of the question leads to another than the following page. */
export const hasJump = (question: SnapshotQuestion): boolean =>
  isChoice(question) &&
  question.answers.some((answer) => jumpTargetOf(answer, question) !== undefined)

/** Questions whose replies can change the sums or the visited pages of a run, and the packing of the sums. */
export type RunSums = { questions: readonly RelevantQuestion[]; packing: Packing }

/** Lists the choices of the relevant questions with the values that they add to the components. */
export const createRunSums = (
  questions: readonly SnapshotQuestion[],
  components: SumComponents,
  likelihoods: LikelihoodsByQuestion,
  max_listed_choices: number,
): RunSums => {
  const layout = layoutOf(components)
  const relevant = questions.flatMap((question): RelevantQuestion[] => {
    const weights = createWeights(question, components, layout, likelihoods.get(question.id))
    const isRelevant =
      hasJump(question) || weights.reply_points || components.scheme?.isScored(question)
    if (!isRelevant) return []
    // `choicesOf` gives the points of a number only to scales that count.
    const counted = question.type === 'scale' ? { ...question, counts_in_score: true } : question
    const max = listedChoicesLimit(question, max_listed_choices)
    return [{ question: counted, weights, choices: choicesOf(counted, weights, max) }]
  })
  return { questions: relevant, packing: createPacking(relevant, layout.zero_points.length) }
}

/**
 * Creates the weights of a question. A reply to a question of a dimension adds the range to the sums, so that blank and
 * skipped questions count in neither sum. Every visit makes the conditions on the question seen.
 */
const createWeights = (
  question: SnapshotQuestion,
  { scheme, conditions = [], dimension_ids = [] }: SumComponents,
  { zero_points, at_conditions, at_dimensions }: ReturnType<typeof layoutOf>,
  likelihoods: Likelihoods | undefined,
): ReplyWeights => {
  const rank = dimension_ids.indexOf(question.dimension_id ?? '')
  const at_dimension = at_dimensions + SUMS_PER_DIMENSION * rank
  const { from, to } = rank < 0 ? { from: 0, to: 0 } : pointsRangeOf(countedQuestion(question))
  const isInDimension = from < to
  const ownConditions = [...conditions.entries()].filter(([, condition]) =>
    isOnQuestion(condition, question),
  )
  const place = (
    points: readonly number[],
    score: number,
    matches: (condition: ReplyCondition) => boolean,
  ): readonly number[] => {
    const sums = zero_points.map((zero, at) => points[at] ?? zero)
    for (const [rank, condition] of ownConditions)
      if (matches(condition)) sums[at_conditions + rank] = SEEN_AND_MATCHED - SEEN
    if (isInDimension) sums[at_dimension] = score
    return sums
  }
  const blank_points = [...zero_points]
  for (const [rank] of ownConditions) blank_points[at_conditions + rank] = SEEN
  const reply_points = [...blank_points]
  if (isInDimension) reply_points.splice(at_dimension, SUMS_PER_DIMENSION, -from, to - from)
  return {
    likelihoods: effectiveLikelihoods(question, likelihoods),
    zero_points,
    points: (answer) =>
      place(
        scheme?.points(answer) ?? [],
        answer.score ?? 0,
        (condition) => 'answer_id' in condition && condition.answer_id === answer.id,
      ),
    pointsOfNumber: (number) =>
      place(
        (question.counts_in_score && scheme?.pointsOfNumber(number)) || [],
        number,
        (condition) =>
          condition.kind === 'scale_at_least'
            ? number >= condition.number
            : condition.kind === 'scale_at_most' && number <= condition.number,
      ),
    ...((isInDimension || ownConditions.length > 0) && { reply_points, blank_points }),
  }
}

/** Returns true if a condition is on this question and fits its type, and its answer is offered. */
const isOnQuestion = (condition: ReplyCondition, question: SnapshotQuestion): boolean => {
  if (condition.question_id !== question.id) return false
  if (!('answer_id' in condition)) return question.type === 'scale'
  return isChoice(question) && question.answers.some(({ id }) => id === condition.answer_id)
}
