import type { Condition } from '#domain/questionnaire/fields/list-values.ts'
import type { Snapshot, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import type { SnapshotTextVariant } from '#domain/questionnaire/text-variants.ts'
import { type Choice, effectiveLikelihoods } from '#domain/run/choice-weights.ts'
import { choicesOf } from '#domain/run/possible-choices.ts'
import { scaleOf } from '#domain/run/replies.ts'
import { hasJump, replySumsOf, SUMS_PER_DIMENSION } from './dimension-sums.ts'
import type { createScoringScheme } from './outcomes.ts'

/** Facts about a finished run that decide whether the run shows a text. */
export type TextDependencies = {
  /** True if the points of the results are needed. */
  points: boolean
  /** Conditions on questions. */
  replies: Condition[]
  /** Ids of dimensions. */
  dimensions: string[]
}

/** Returns the facts that decide whether a run shows this text. */
export const dependenciesOf = (
  { place, conditions }: SnapshotTextVariant,
  { dimensions = [] }: Snapshot,
): TextDependencies => ({
  points:
    place === 'result' ||
    conditions.some(({ kind }) => kind === 'result' || kind === 'total_between'),
  replies: conditions.filter((condition) => 'question_id' in condition),
  dimensions: dimensions
    .map(({ id }) => id)
    .filter((id) =>
      conditions.some(
        (condition) =>
          condition.kind === 'dimensions_equal' ||
          ('dimension_id' in condition && condition.dimension_id === id),
      ),
    ),
})

/** Value of a component for a condition on a question that the run visits, without its reply. Otherwise 0. */
export const SEEN = 1
/** Value of a component for a condition on a question that the run visits, with its reply. */
export const SEEN_AND_CHOSEN = 2

/** Components of the sums: points, then a component for each condition on a question, then two for each dimension. */
type Components = Omit<TextDependencies, 'points'> & {
  scheme: ReturnType<typeof createScoringScheme>
  nb_points: number
  size: number
}

/**
 * Returns the choices of a question with the components of their effects. Undefined means that they change nothing, and
 * null that they are too many.
 */
export const listTextChoices = (
  question: SnapshotQuestion,
  { scheme, nb_points, replies, dimensions, size }: Components,
  max_listed_choices: number,
): Choice[] | null | undefined => {
  const at_dimension = dimensions.indexOf(question.dimension_id ?? '')
  const at_points = nb_points + replies.length + SUMS_PER_DIMENSION * at_dimension
  const add = (
    base: readonly number[],
    score: number,
    isTrue: (condition: Condition) => boolean,
  ) => {
    const sums: number[] = Array(size).fill(0)
    for (const [at, value] of base.entries()) sums[at] = value
    if (at_dimension >= 0) sums[at_points] = score
    for (const [rank, condition] of replies.entries())
      if (isTrue(condition)) sums[nb_points + rank] = SEEN_AND_CHOSEN - SEEN
    return sums
  }
  const isAsked = (condition: Condition): boolean =>
    'question_id' in condition && condition.question_id === question.id
  const reply_points = Array<number>(size).fill(0)
  if (at_dimension >= 0)
    reply_points.splice(at_points, SUMS_PER_DIMENSION, ...replySumsOf(question))
  const weights = {
    reply_points,
    likelihoods: effectiveLikelihoods(question, undefined),
    zero_points: Array<number>(size).fill(0),
    points: (answer: SnapshotQuestion['answers'][number]) =>
      add(
        scheme?.points(answer) ?? [],
        answer.score ?? 0,
        (condition) =>
          isAsked(condition) && 'answer_id' in condition && condition.answer_id === answer.id,
      ),
    pointsOfNumber: (number: number) =>
      add(
        question.counts_in_score ? (scheme?.pointsOfNumber(number) ?? []) : [],
        number,
        (condition) =>
          isAsked(condition) &&
          (condition.kind === 'scale_at_least'
            ? number >= condition.number
            : condition.kind === 'scale_at_most' && number <= condition.number),
      ),
  }
  // `choicesOf` gives the points of a number only to scales that count.
  const choices = choicesOf(
    question.type === 'scale' ? { ...question, counts_in_score: true } : question,
    weights,
    max_listed_choices,
  )
  if (!choices) return null
  const seen = replies.map((condition) => {
    if (!isAsked(condition) || !isOnQuestion(condition, question)) return 0
    return SEEN
  })
  const changed = choices.map((choice): Choice => {
    const points = [...choice.points]
    for (const [rank, value] of seen.entries())
      points[nb_points + rank] = value === 0 ? 0 : (points[nb_points + rank] ?? 0) + value
    return { ...choice, points }
  })
  const hasEffect = changed.some(
    ({ points, target_page }) => target_page !== null || points.some((value) => value !== 0),
  )
  return hasEffect || hasJump(question) ? changed : undefined
}

/** Returns true if a condition fits the type of its question, and its answer is offered. */
const isOnQuestion = (condition: Condition, question: SnapshotQuestion): boolean => {
  if ('answer_id' in condition)
    return (
      question.type === 'multiple_choice' &&
      question.answers.some(({ id }) => id === condition.answer_id)
    )
  return question.type === 'scale' && scaleOf(question).to > 0
}
