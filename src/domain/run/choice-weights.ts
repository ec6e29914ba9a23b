import type { SnapshotAnswer, SnapshotQuestion } from '#domain/questionnaire/snapshot.ts'
import { jumpTargetOf } from './path.ts'
import { scaleOf } from './replies.ts'

/** Relative likelihoods of the replies to a question. Dividing by their sum gives probabilities. */
export type Likelihoods = {
  /**
   * Likelihood of each answer, then of « Autre », or of each number of a scale. The likelihood of several chosen
   * answers is their product.
   */
  replies: readonly number[]
  /** Likelihood of no reply to an optional question. */
  blank: number
}

/** Possible choice of a visitor. Choices with equal points and target page are united. */
export type Choice = {
  /** Probability of the choice. */
  share: number
  /** Ranks of the chosen answers, or the rank of the scale number. « Autre » has the rank after the last answer. */
  ranks: readonly number[]
  /** Points added to each component of the sums. */
  points: readonly number[]
  /** Target page, Infinity for the end; null means the following page. */
  target_page: number | null
}

/** Returns the points that an answer adds to each component. */
export type PointsOfAnswer = (answer: SnapshotAnswer) => readonly number[]

/** Likelihoods and points that are needed to list the choices of a question. */
export type ReplyWeights = {
  likelihoods: Likelihoods | undefined
  points: PointsOfAnswer
  /** Returns the points that a scale number adds to each component. */
  pointsOfNumber: (number: number) => readonly number[]
  /** Zero for each component. */
  zero_points: readonly number[]
  /** Points that every reply adds in addition to those of its answers, but a blank reply does not. */
  reply_points?: readonly number[] | undefined
  /** Points of a blank reply; undefined means zero. */
  blank_points?: readonly number[] | undefined
}

/** Returns the likelihoods if any possible reply has one; undefined means that all replies are equally likely. */
export const effectiveLikelihoods = (
  question: SnapshotQuestion,
  likelihoods: Likelihoods | undefined,
): Likelihoods | undefined => {
  const { from, to } = scaleOf(question)
  const { answers, has_other } = question
  const nb_replies =
    question.type === 'scale' ? to - from + 1 : answers.length + (has_other ? 1 : 0)
  const isAny = likelihoods?.replies.slice(0, nb_replies).some((weight) => weight > 0)
  return isAny || likelihoodOfBlank(question, likelihoods ?? { replies: [], blank: 0 }) > 0
    ? likelihoods
    : undefined
}

/** Returns the likelihood of the reply with this rank; 1 if all replies are equally likely. */
export const weightOf = (likelihoods: Likelihoods | undefined, rank: number): number =>
  likelihoods ? (likelihoods.replies[rank] ?? 0) : 1

/** Returns the likelihood of no reply, relative to the replies. */
export const likelihoodOfBlank = (
  { is_required }: Pick<SnapshotQuestion, 'is_required'>,
  likelihoods: Likelihoods | undefined,
): number => (is_required === false ? (likelihoods?.blank ?? 1) : 0)

/** Returns the sums of two lists of points by component. */
export const addPoints = (points: readonly number[], more: readonly number[]): number[] =>
  points.map((sum, component) => sum + (more[component] ?? 0))

/** Answer or « Autre », with its likelihood (`weight`) and its effect. */
export type AnswerOption = Omit<Choice, 'share' | 'ranks'> & { rank: number; weight: number }

/**
 * Returns the answers in order, then « Autre », with their likelihoods. With `all_or_nothing`, single answers have no
 * score.
 */
export const answerOptionsOf = (
  question: SnapshotQuestion,
  { likelihoods, points, zero_points }: Omit<ReplyWeights, 'pointsOfNumber'>,
): AnswerOption[] => {
  const { answers, has_other } = question
  const options = answers.map(
    (answer, rank): AnswerOption => ({
      rank,
      weight: weightOf(likelihoods, rank),
      points: points(question.all_or_nothing ? { ...answer, score: null } : answer),
      target_page: jumpTargetOf(answer, question) ?? null,
    }),
  )
  const { length: rank } = answers
  if (has_other)
    options.push({
      rank,
      weight: weightOf(likelihoods, rank),
      points: zero_points,
      target_page: null,
    })
  return options
}

/** Set of answers. `is_right` is true if the set equals the right answers among the options so far. */
export type AnswerSet = Choice & { is_right?: true }

/** Returns a key that is equal for sets of answers with the same effect. */
export const effectOf = ({
  target_page,
  points,
  is_right,
}: Pick<AnswerSet, 'target_page' | 'points' | 'is_right'>): string =>
  `${target_page} ${points}${is_right ? ' right' : ''}`

/** Adds a choice to a map by effect. A choice with the same effect is united with it. */
export const addChoice = <C extends AnswerSet>(to: Map<string, C>, choice: C): void => {
  const effect = effectOf(choice)
  const known = to.get(effect)
  to.set(effect, known ? { ...known, share: known.share + choice.share } : choice)
}

/** Unites choices with equal points and target page, and divides their probabilities by the sum. */
export const uniteEqualEffects = (choices: readonly Choice[]): Choice[] => {
  const united = new Map<string, Choice>()
  for (const choice of choices) if (choice.share > 0) addChoice(united, choice)
  const sum = choices.reduce((total, { share }) => total + share, 0)
  return [...united.values()].map((choice) => ({ ...choice, share: choice.share / sum }))
}
